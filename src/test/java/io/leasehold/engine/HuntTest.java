package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Of all that would make room, those that cost least. */
class HuntTest {

  private final Story story = Story.of("h100", 4, 4);

  private List<UUID> victims() {
    return PreemptionTest.victims(story.batches.getLast());
  }

  @Test
  void oneEndsRatherThanTwoThatStartedLater() {
    Lease one = story.asks("vision", 4).lasting(5 * Time.HOUR).lease();
    story.now += Time.SECOND;
    story.asks("vision", 2).lasting(5 * Time.HOUR).lease();
    story.asks("vision", 2).lasting(5 * Time.HOUR).lease();
    story.asks("nlp", 0).groups(1, 4).of("realtime").lease();
    assertThat(victims()).containsExactly(one.id());
  }

  @Test
  void aSmallOneEndsRatherThanALargeOne() {
    story.asks("vision", 2).lasting(5 * Time.HOUR).lease();
    story.asks("vision", 2).lasting(5 * Time.HOUR).lease();
    story.now += Time.SECOND;
    story.asks("vision", 4).lasting(5 * Time.HOUR).lease();
    story.asks("nlp", 0).groups(1, 2).of("realtime").lease();
    assertThat(victims()).hasSize(1);
    assertThat(story.lease(victims().getFirst()).booking().gpuMilli()).isEqualTo(2_000);
  }

  @Test
  void thoseEndThatCostLessTogether() {
    story.asks("vision", 2).costing(5).lasting(5 * Time.HOUR).lease();
    story.asks("vision", 2).costing(5).lasting(5 * Time.HOUR).lease();
    Lease free = story.asks("vision", 2).costing(0).lasting(5 * Time.HOUR).lease();
    Lease dear = story.asks("vision", 2).costing(6).lasting(5 * Time.HOUR).lease();
    story.asks("nlp", 0).groups(1, 4).of("realtime").lease();
    assertThat(victims()).containsExactlyInAnyOrder(free.id(), dear.id());
  }

  @Test
  void twoOfALowerClassEndRatherThanOneOfAHigher() {
    story.facts(new Move.ClassSet(Story.serviceClass("low", 50, true, false)));
    Lease high = story.asks("vision", 4).lasting(5 * Time.HOUR).lease();
    Lease first = story.asks("vision", 2).of("low").lasting(5 * Time.HOUR).lease();
    Lease second = story.asks("vision", 2).of("low").lasting(5 * Time.HOUR).lease();
    story.asks("nlp", 4).of("realtime").lease();
    assertThat(victims()).containsExactlyInAnyOrder(first.id(), second.id());
    assertThat(story.state(high.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void whatHasNotBegunGivesWayAtOnceAndNotFromTheNextSecond() {
    Story one = Story.of("h100", 4);
    one.now += 1;
    Lease planned = one.asks("vision", 4).at(one.now + Time.HOUR, one.now + Time.DAY).lease();
    Lease urgent = one.asks("nlp", 4).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(PreemptionTest.victims(one.batches.getLast())).containsExactly(planned.id());
    assertThat(urgent.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(urgent.window().start()).isEqualTo(one.now);
  }

  @Test
  void onTheFirstModelThatOthersCanLeave() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 81_920, 0, 0, List.of(), 0)),
        new Move.NodeSet(story.node("a100", 4)));
    Shape h100 = Story.AskMaker.whole(4, "h100");
    story.asks("vision", 4).shape(h100).of("realtime").lasting(Time.DAY).lease();
    story.asks("vision", 4).shape(h100).of("realtime").lasting(Time.DAY).lease();
    Shape any = Story.AskMaker.whole(4, "h100", "a100");
    Lease second = story.asks("vision", 4).shape(any).lasting(Time.DAY).lease();
    assertThat(second.booking().model()).isEqualTo("a100");
    Lease urgent = story.asks("nlp", 4).shape(any).of("realtime").lease();
    assertThat(victims()).containsExactly(second.id());
    assertThat(urgent.booking().model()).isEqualTo("a100");
  }

  @Test
  void onTheModelNamedFirstThoughOthersWouldBeCheaper() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 81_920, 0, 0, List.of(), 0)),
        new Move.NodeSet(story.node("a100", 4)));
    Shape h100 = Story.AskMaker.whole(4, "h100");
    Shape a100 = Story.AskMaker.whole(4, "a100");
    Lease dear = story.asks("vision", 4).shape(h100).costing(9).lasting(Time.DAY).lease();
    story.asks("vision", 4).shape(h100).of("realtime").lasting(Time.DAY).lease();
    story.asks("vision", 4).shape(a100).lasting(Time.DAY).lease();
    Shape any = Story.AskMaker.whole(4, "h100", "a100");
    Lease urgent = story.asks("nlp", 4).shape(any).of("realtime").lease();
    assertThat(victims()).containsExactly(dear.id());
    assertThat(urgent.booking().model()).isEqualTo("h100");
  }

  @Test
  void aClassThatMayPreemptTakesNothingFromItsEquals() {
    story.facts(
        new Move.ClassSet(
            new ServiceClass(
                "job", 500, true, true, false, 0, 0, 0, 0, Time.DAY, Time.DAY, Time.DAY)));
    story.asks("vision", 8).of("job").preemptible().lasting(Time.HOUR).lease();
    assertThat(story.asks("nlp", 4).of("job").preemptible().lease().state())
        .isEqualTo(LeaseState.WAITING);
    assertThat(victims()).isEmpty();
  }

  @Test
  void whatOthersBorrowGoesBeforeOnesOwn() {
    Story two = Story.of("h100", 8, 8);
    PreemptionTest.contracts(two, 8, 4);
    for (int i = 0; i < 3; i++) {
      two.asks("nlp", 4).lease();
    }
    two.now += Time.SECOND;
    Lease own = two.asks("vision", 4).lease();
    two.asks("vision", 4).of("realtime").lease();
    List<UUID> taken = PreemptionTest.victims(two.batches.getLast());
    assertThat(taken).hasSize(1).doesNotContain(own.id());
  }

  @Test
  void inTheClusterWhereTheCheaperLies() {
    for (String cheaper : List.of("east", "west")) {
      Story two = Story.of("h100", 4);
      Node other = two.node("h100", 4);
      two.facts(
          new Move.NodeSet(
              new Node(
                  other.id(),
                  other.ordinal(),
                  "west",
                  other.name(),
                  other.model(),
                  other.domain(),
                  0,
                  0,
                  other.gpus(),
                  null,
                  false)));
      for (String cluster : List.of("east", "west")) {
        two.asks("vision", 4)
            .shape(in(cluster))
            .costing(cluster.equals(cheaper) ? 1 : 5)
            .lasting(5 * Time.HOUR)
            .lease();
      }
      Lease urgent = two.asks("nlp", 0).groups(1, 2).of("realtime").lease();
      assertThat(urgent.booking().cluster()).isEqualTo(cheaper);
    }
  }

  private static Shape in(String cluster) {
    return new Shape(
        List.of(),
        0,
        0,
        4,
        Shape.Slice.WHOLE,
        0,
        0,
        List.of(),
        new Shape.Where(List.of(cluster), List.of(), List.of(), List.of()));
  }

  @Test
  void whatTheFirstOfTwoWaitsForIsNoRoomForTheSecond() {
    Story one = Story.of("h100", 8);
    one.asks("vision", 4).lasting(Time.MINUTE).lease();
    Lease runs = one.asks("vision", 4).lease();
    one.clusterObeys();
    one.after(Time.MINUTE + Time.SECOND);
    Batch batch =
        one.decide(
            new Command.Create(one.asks("vision", 4).of("realtime").ask()),
            new Command.Create(one.asks("vision", 4).of("realtime").ask()));
    assertThat(PreemptionTest.victims(batch)).containsExactly(runs.id());
  }

  @Test
  void whatIsFreeInTheRackAlreadyCounts() {
    Story racks = Story.of("h100");
    for (int node = 0; node < 4; node++) {
      Domain rack = Fleet.rack("b", node == 0 ? "r0" : node == 3 ? "r2" : "r1");
      racks.facts(new Move.NodeSet(Fleet.node(node, "east", rack, 4)));
    }
    racks.asks("vision", 4).shape(only(0)).of("realtime").lasting(Time.DAY).lease();
    Lease victim = racks.asks("vision", 4).shape(only(2)).lasting(Time.DAY).lease();
    racks.asks("vision", 4).shape(only(3)).of("realtime").lasting(Time.DAY).lease();
    racks.clusterObeys();
    Shape gang = Fleet.groups(2, 4, Fleet.required(Level.RACK));
    Lease urgent = racks.asks("nlp", 0).shape(gang).of("realtime").lease();
    assertThat(PreemptionTest.victims(racks.batches.getLast())).containsExactly(victim.id());
    assertThat(Fleet.nodes(urgent.booking())).containsExactlyInAnyOrder(Fleet.id(1), Fleet.id(2));
  }

  private static Shape only(int node) {
    return Fleet.whole(4)
        .avoiding(IntStream.range(0, 4).filter(n -> n != node).mapToObj(Fleet::id).toList());
  }
}
