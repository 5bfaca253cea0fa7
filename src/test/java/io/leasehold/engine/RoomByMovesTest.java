package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Planned leases are bound elsewhere where that lets more fit, and keep what they were promised.
 */
class RoomByMovesTest {

  private final Story story = Story.of("h100", 8, 8);

  private Shape onOneNode(int gpus) {
    return new Shape(
        List.of(), 0, 1, gpus, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
  }

  /** Four GPUs of each node are taken for an hour; two are planned on the first after that. */
  private List<Lease> fragmented() {
    long start = story.now + 2 * Time.HOUR;
    List<Lease> planned = new ArrayList<>();
    for (int node = 0; node < 2; node++) {
      List<UUID> other = List.of(new UUID(7, 1 - node));
      Shape four =
          new Shape(
              List.of(),
              0,
              1,
              4,
              Shape.Slice.WHOLE,
              0,
              0,
              List.of(),
              new Shape.Where(List.of(), List.of(), other, List.of()));
      story.asks("vision", 4).shape(four).lasting(10 * Time.HOUR).lease();
    }
    planned.add(story.asks("vision", 2).shape(onOneNode(2)).at(start, start + Time.HOUR).lease());
    return planned;
  }

  @Test
  void aPlannedLeaseGivesWayToWhatFitsNowhereElse() {
    long start = story.now + 2 * Time.HOUR;
    Lease planned = fragmented().getFirst();
    UUID at = planned.booking().slots().getFirst().node();
    UUID other = new UUID(7, at.equals(new UUID(7, 0)) ? 1 : 0);
    Shape bound =
        new Shape(
            List.of(),
            0,
            1,
            4,
            Shape.Slice.WHOLE,
            0,
            0,
            List.of(),
            new Shape.Where(List.of(), List.of(), List.of(other), List.of()));
    Decision.Decided decided =
        story.asks("nlp", 4).shape(bound).at(start, start + Time.HOUR).decided();
    assertThat(decided.answer().verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(decided.lease().booking().slots().getFirst().node()).isEqualTo(at);
    Lease moved = story.lease(planned.id());
    assertThat(moved.booking().slots().getFirst().node()).isEqualTo(other);
    assertThat(moved.window()).isEqualTo(planned.window());
    assertThat(moved.booking().hold()).isEqualTo(planned.booking().hold());
    assertThat(story.batches.getLast().moves())
        .anyMatch(
            move -> move instanceof Move.LeaseMoved leased && leased.cause().equals("rebound"));
  }

  @Test
  void whereNoMovesAreFoundItWaitsAndSaysSoAndIsNeverToldNever() {
    long start = story.now + 2 * Time.HOUR;
    fragmented();
    story.asks("vision", 4).shape(onOneNode(4)).at(start, start + Time.HOUR).lease();
    Decision.Decided decided =
        story.asks("nlp", 4).shape(onOneNode(4)).at(start, start + Time.HOUR).decided();
    assertThat(decided.answer().verdict()).isEqualTo(Verdict.WAITING);
    assertThat(decided.answer().reasons())
        .extracting(Answer.Reason::code)
        .contains("not-found-without-moves");
  }

  @Test
  void whatHasBegunIsNeverMoved() {
    fragmented();
    story.asks("vision", 1).lasting(Time.HOUR).lease();
    Batch batch = story.decide(new Command.Create(story.asks("nlp", 8).shape(onOneNode(8)).ask()));
    assertThat(batch.moves())
        .noneMatch(
            move -> move instanceof Move.LeaseMoved leased && leased.cause().equals("rebound"));
    assertThat(((Decision.Decided) batch.decisions().getFirst()).answer().reasons())
        .extracting(Answer.Reason::code)
        .doesNotContain("not-found-without-moves");
  }

  private static Shape notOn(int gpus, UUID... nodes) {
    return new Shape(
        List.of(),
        0,
        1,
        gpus,
        Shape.Slice.WHOLE,
        0,
        0,
        List.of(),
        new Shape.Where(List.of(), List.of(), List.of(nodes), List.of()));
  }

  @Test
  void whatIsPlannedGivesWayToWhoStartsNow() {
    long start = story.now + 2 * Time.HOUR;
    Lease planned = story.asks("vision", 2).at(start, start + Time.HOUR).lease();
    UUID at = planned.booking().slots().getFirst().node();
    story.asks("vision", 4).shape(notOn(4, at)).lasting(10 * Time.HOUR).lease();

    Lease now = story.asks("nlp", 8).shape(onOneNode(8)).lasting(5 * Time.HOUR).lease();

    assertThat(now.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(now.booking().slots().getFirst().node()).isEqualTo(at);
    assertThat(story.lease(planned.id()).booking().slots().getFirst().node()).isNotEqualTo(at);
  }

  /** However many are planned: those who have the devices now are in the way. */
  @Test
  void nobodyLooksForMovesWhileOthersHaveAllDevices() {
    story.withoutPreemption();
    story.asks("vision", 8).groups(2, 8).lasting(Time.HOUR).lease();
    for (int hour = 2; hour < 20; hour++) {
      for (int i = 0; i < 16; i++) {
        long start = story.now + hour * Time.HOUR;
        story.asks("vision", 1).at(start, start + 30 * Time.MINUTE).lease();
      }
    }
    Decision.Decided decided = story.asks("nlp", 1).lasting(20 * Time.HOUR).decided();
    assertThat(decided.answer().verdict()).isEqualTo(Verdict.WAITING);
    assertThat(decided.answer().reasons())
        .extracting(Answer.Reason::code)
        .doesNotContain("not-found-without-moves");
  }

  /** More nodes than are tried, each with fewer planned than where there is room. */
  @Test
  void whereOthersHaveAllDevicesNowNothingIsTried() {
    Story few = Story.of("h100", 6).withoutPreemption();
    UUID roomy = new UUID(7, 0);
    long start = few.now + 2 * Time.HOUR;
    for (int i = 0; i < 5; i++) {
      few.asks("vision", 1).at(start, start + Time.HOUR).lease();
    }
    for (int i = 0; i < 20; i++) {
      few.facts(new Move.NodeSet(few.node("h100", 4)));
      few.asks("vision", 4).shape(notOn(4, roomy)).lasting(Time.HOUR).lease();
      for (int k = 0; k < 4; k++) {
        few.asks("vision", 1).shape(notOn(1, roomy)).at(start, start + Time.HOUR).lease();
      }
    }
    few.facts(new Move.NodeSet(few.node("h100", 8)));
    few.asks("vision", 8).shape(notOn(8, roomy)).lasting(Time.HOUR).lease();

    Lease now = few.asks("nlp", 6).shape(onOneNode(6)).lasting(5 * Time.HOUR).lease();

    assertThat(now.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(now.booking().slots().getFirst().node()).isEqualTo(roomy);
  }

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 12));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whoeverMovesKeepsStartModelAndTopology(long seed) {
    Random random = new Random(seed);
    Story busy = Story.of("h100", 8, 8, 4, 4, 8);
    int moved = 0;
    for (int step = 0; step < 250; step++) {
      long start = Time.roundUp(busy.now + random.nextLong(6 * Time.HOUR));
      long length = Time.HOUR + random.nextLong(4 * Time.HOUR);
      Story.AskMaker maker = busy.asks(random.nextBoolean() ? "vision" : "nlp", 1);
      if (random.nextInt(3) == 0) {
        maker.groups(1 + random.nextInt(2), 1 + random.nextInt(4));
      } else {
        maker.shape(onOneNode(1 + random.nextInt(random.nextInt(4) == 0 ? 8 : 4)));
      }
      if (random.nextInt(3) > 0) {
        maker.at(start, start + length);
      }
      Batch batch = busy.decide(new Command.Create(maker.orRefuse().ask()));
      int here = 0;
      for (Move move : batch.moves()) {
        if (move instanceof Move.LeaseMoved leased && leased.cause().equals("rebound")) {
          here++;
          checkPromise("seed " + seed + " step " + step, busy, leased);
        }
      }
      assertThat(here).as("seed " + seed).isLessThanOrEqualTo(RoomByMoves.MOST_MOVES);
      moved += here;
      if (random.nextInt(4) == 0) {
        busy.after(random.nextLong(Time.HOUR));
        busy.clusterObeys();
      }
    }
    assertThat(moved).as("moved at all, seed " + seed).isPositive();
  }

  private static void checkPromise(String why, Story story, Move.LeaseMoved leased) {
    Lease before = Objects.requireNonNull(leased.before());
    Lease after = leased.after();
    assertThat(before.state()).as(why).isEqualTo(LeaseState.PLANNED);
    assertThat(before.generation()).as(why + ": was not published").isZero();
    if (after.state() != LeaseState.PLANNED) {
      return;
    }
    assertThat(after.window()).as(why).isEqualTo(before.window());
    assertThat(after.booking().hold()).as(why).isEqualTo(before.booking().hold());
    assertThat(after.booking().model()).as(why).isEqualTo(before.booking().model());
    assertThat(after.booking().gpuMilli()).as(why).isEqualTo(before.booking().gpuMilli());
    assertThat(after.booking().slots()).as(why).hasSameSizeAs(before.booking().slots());
    assertThat(Soundness.isSound(story.book, after.booking())).as(why).isTrue();
    assertThat(story.book.capacity().inTheWay(after.id(), after.booking(), after.booking().hold()))
        .as(why + ": nobody else has its devices")
        .isEmpty();
  }
}
