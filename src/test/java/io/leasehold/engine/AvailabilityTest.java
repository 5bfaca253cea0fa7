package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a request could be had, asked of a book that stays as it was. */
class AvailabilityTest {

  private static final long HORIZON = 14 * Time.DAY;

  private final Story story = Story.of("h100", 8, 4);

  private Availability of(Story.AskMaker maker) {
    return Engine.availability(story.book, List.of(maker.ask()), HORIZON, story.now).getFirst();
  }

  private static Availability.Interval interval(long start, long end, long gpus) {
    return new Availability.Interval(start, end, gpus);
  }

  @Test
  void whatIsFreeNowIsAdmittedAndFreeThroughout() {
    Availability found = of(story.asks("vision", 8));
    assertThat(found.verdict()).isEqualTo(Verdict.ADMITTED);
    assertThat(found.firstStart()).isEqualTo(story.now);
    assertThat(found.intervals()).containsExactly(interval(story.now, story.now + HORIZON, 8));
    assertThat(found.reasons()).isEmpty();
  }

  @Test
  void saysWhenWhatIsTakenComesBackAndHowMuchThereIsUntilThen() {
    story.asks("vision", 12).lasting(Time.HOUR).lease();
    story.asks("vision", 2).at(story.now + 3 * Time.HOUR, story.now + 4 * Time.HOUR).lease();
    long free = story.now + Time.HOUR + 90 * Time.SECOND;
    Availability found = of(story.asks("nlp", 12).lasting(Time.HOUR));
    assertThat(found.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(found.firstStart()).isEqualTo(free);
    assertThat(found.intervals())
        .containsExactly(
            interval(free, story.now + 3 * Time.HOUR, 12),
            interval(story.now + 3 * Time.HOUR, story.now + 4 * Time.HOUR + 90 * Time.SECOND, 10),
            interval(story.now + 4 * Time.HOUR + 90 * Time.SECOND, story.now + HORIZON, 12));
    assertThat(found.reasons()).isNotEmpty();
  }

  @Test
  void countsWhatTheShapeCanUse() {
    story.asks("vision", 1).shape(onOneNode(6)).lease();
    Availability found = of(story.asks("nlp", 1).groups(2, 4));
    assertThat(found.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(found.intervals().getFirst().gpus()).isEqualTo(4);
  }

  private static Shape onOneNode(int gpus) {
    return new Shape(
        List.of(), 0, 1, gpus, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
  }

  @Test
  void theLimitsOfTheTenantCountAtEachInstant() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 12, 0)),
        new Move.ContractSet(
            story.contract("vision", "h100", 3, 0, new Span(Story.T - 1, Story.T + Time.DAY))),
        new Move.ContractSet(
            story.contract("vision", "h100", 5, 0, new Span(Story.T + Time.DAY, Span.FOREVER))));
    Availability found = of(story.asks("vision", 8));
    assertThat(found.verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(found.refusal()).isEqualTo(Answer.Refusal.NEVER);
    assertThat(found.firstStart()).isNull();
    assertThat(found.intervals())
        .containsExactly(
            interval(story.now, story.now + Time.DAY, 3),
            interval(story.now + Time.DAY, story.now + HORIZON, 5));
    story.asks("vision", 2).lasting(Time.HOUR).lease();
    assertThat(of(story.asks("vision", 3)).intervals().getFirst())
        .isEqualTo(interval(story.now, story.now + Time.HOUR, 1));
  }

  @Test
  void looksAtTheTimeAskedFor() {
    long start = story.now + Time.DAY;
    Availability at = of(story.asks("vision", 4).at(start, start + Time.HOUR));
    assertThat(at.verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(at.firstStart()).isEqualTo(start);
    assertThat(at.intervals()).containsExactly(interval(start, start + Time.HOUR, 4));
    Availability within =
        of(story.asks("vision", 4).within(start, start + 3 * Time.HOUR, Time.HOUR));
    assertThat(within.firstStart()).isEqualTo(start);
    assertThat(within.intervals()).containsExactly(interval(start, start + 3 * Time.HOUR, 4));
  }

  @Test
  void eachIsJudgedAloneAndNothingIsBooked() {
    String before = Dump.of(story.book);
    List<Availability> found =
        Engine.availability(
            story.book,
            List.of(story.asks("vision", 12).ask(), story.asks("nlp", 12).ask()),
            HORIZON,
            story.now);
    assertThat(found).extracting(Availability::verdict).containsOnly(Verdict.ADMITTED);
    assertThat(Dump.difference(Dump.of(story.book), before)).isEmpty();
  }

  @Test
  void knowsNoStartBehindAHolderWithoutAnEnd() {
    story.asks("vision", 12).of("realtime").lasting(Span.FOREVER).lease();
    Availability found = of(story.asks("nlp", 1));
    assertThat(found.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(found.firstStart()).isNull();
    assertThat(found.intervals()).isEmpty();
    assertThat(found.reasons()).extracting(Answer.Reason::code).contains("held-open-ended");
  }

  @ParameterizedTest
  @CsvSource({"8000, 0, 4, 3", "0, 16384, 4, 3", "5000, 1024, 6, 5"})
  void cpuAndMemoryBesideTheGpusCountToo(long cpu, long memory, int most, int less) {
    Story host = Story.of("h100");
    Node bare = host.node("h100", 8);
    host.facts(
        new Move.NodeSet(
            new Node(
                bare.id(),
                0,
                "east",
                "n0",
                "h100",
                Domain.NOWHERE,
                32_000,
                65_536,
                bare.gpus(),
                null,
                false)));
    host.asks("vision", 0).shape(beside(1, cpu, memory)).lasting(Time.HOUR).lease();
    Ask ask = host.asks("nlp", 0).shape(beside(8, cpu, memory)).ask();
    long back = host.now + Time.HOUR + 90 * Time.SECOND;
    assertThat(
            Engine.availability(host.book, List.of(ask), HORIZON, host.now).getFirst().intervals())
        .containsExactly(interval(host.now, back, less), interval(back, host.now + HORIZON, most));
  }

  private static Shape beside(int gpus, long cpu, long memory) {
    return new Shape(
        List.of(),
        0,
        0,
        gpus,
        Shape.Slice.WHOLE,
        gpus * cpu,
        gpus * memory,
        List.of(),
        Shape.Where.ANYWHERE);
  }

  @Test
  void startsBehindWhoIsFirstInLine() {
    long hold = Time.HOUR + 90 * Time.SECOND;
    story.asks("vision", 12).lasting(Time.HOUR).lease();
    story.asks("vision", 12).lasting(Time.HOUR).lease();
    assertThat(of(story.asks("nlp", 12)).firstStart()).isEqualTo(story.now + 2 * hold);
  }

  @Test
  void knowsNoStartForWhoWaitsForOthersAndOneOnceTheyAreOver() {
    Lease first = story.asks("vision", 1).lasting(Time.HOUR).lease();
    Availability after = of(story.asks("vision", 1).after(first.id()));
    assertThat(after.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(after.firstStart()).isNull();
    assertThat(after.intervals()).as("room alone").isNotEmpty();
    story.clusterObeys();
    story.on(new Command.Release(first.id()));
    story.clusterObeys();
    story.asks("nlp", 12).lasting(Time.HOUR).lease();
    assertThat(of(story.asks("vision", 1).after(first.id())).firstStart())
        .isEqualTo(story.now + Time.HOUR + 90 * Time.SECOND);
  }

  @Test
  void whatOthersDoNotLendIsNotAvailable() {
    Contract keeps =
        new Contract(
            new UUID(3, 77),
            "vision",
            new Span(Story.T - 1, Story.T + Time.DAY),
            List.of(new Contract.Entitlement("h100", 8, null, 2, 1)));
    story.facts(
        new Move.ContractSet(story.contract("acme", 12, null)), new Move.ContractSet(keeps));
    assertThat(of(story.asks("nlp", 12)).intervals())
        .containsExactly(
            interval(story.now, story.now + Time.DAY, 6),
            interval(story.now + Time.DAY, story.now + HORIZON, 12));
  }

  @Test
  void theFirstStartIsBookedByWhoAsksForItAndIsInTheIntervals() {
    for (long seed = 1; seed <= Long.getLong("seeds", 12); seed++) {
      Random random = new Random(seed);
      Story busy = Story.of("h100", 8, 8, 4);
      int later = 0;
      for (int step = 0; step < 50; step++) {
        busy.after(1_000 + random.nextLong(20 * Time.MINUTE));
        busy.clusterObeys();
        long start = Time.roundUp(busy.now + random.nextLong(6 * Time.HOUR));
        long length = Time.MINUTE + random.nextLong(4 * Time.HOUR);
        Story.AskMaker maker = busy.asks("vision", 1 + random.nextInt(14)).lasting(length);
        if (random.nextInt(3) == 0) {
          maker.groups(1 + random.nextInt(2), 1 + random.nextInt(4));
        }
        Ask ask = maker.ask();
        Availability found =
            Engine.availability(busy.book, List.of(ask), HORIZON, busy.now).getFirst();
        if (found.firstStart() != null) {
          String why = "seed " + seed + " step " + step + ": " + ask + " " + found;
          later += found.verdict() == Verdict.WAITING ? 1 : 0;
          checkStart(why, busy, ask, found);
        }
        busy.ask(
            random.nextInt(2) == 0
                ? ask
                : busy.asks("nlp", 1 + random.nextInt(8)).at(start, start + length).ask());
      }
      assertThat(later).as("started later, seed " + seed).isPositive();
    }
  }

  private static void checkStart(String why, Story busy, Ask ask, Availability found) {
    long start = found.firstStart();
    long end = start + ((Ask.When.Now) ask.when()).length();
    Ask then = ask.with(new Ask.When.At(new Span(start, end)));
    int mark = busy.book.mark();
    Batch batch = Engine.decide(busy.book, List.of(new Command.Create(then)), busy.now);
    busy.book.undo(mark);
    Answer answer = ((Decision.Decided) batch.decisions().getFirst()).answer();
    assertThat(answer.verdict()).as(why).isIn(Verdict.ADMITTED, Verdict.PLANNED);
    assertThat(answer.start()).as(why).isEqualTo(start);
    if (found.verdict() == Verdict.WAITING) {
      assertThat(
              found.intervals().stream().filter(each -> each.start() < end && each.end() > start))
          .as(why)
          .isNotEmpty()
          .allMatch(each -> each.gpus() == ask.shape().pieces());
    }
  }
}
