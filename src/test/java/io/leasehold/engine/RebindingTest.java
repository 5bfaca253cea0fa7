package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is bound elsewhere keeps what its first devices promised. */
class RebindingTest {

  private static Story racks(String... racks) {
    Story story = Story.of("h100");
    for (int i = 0; i < racks.length; i++) {
      story.facts(new Move.NodeSet(Fleet.node(i, "east", Fleet.rack("b", racks[i]), 4)));
    }
    return story;
  }

  private static Booking on(int... nodes) {
    return new Booking(
        "east",
        "h100",
        new Span(Story.T, Story.T + Time.HOUR),
        Arrays.stream(nodes)
            .mapToObj(
                node ->
                    new Booking.Slot(
                        0, Fleet.id(node), Mode.WHOLE, Units.ofGpus(1), List.of(), 0, 0))
            .toList());
  }

  /** Nodes 0 and 1 are in one rack, 2 and 3 in another. */
  @ParameterizedTest
  @CsvSource({
    "PREFERRED, RACK, 0, 1, 2, 3, true",
    "PREFERRED, RACK, 0, 1, 1, 2, false",
    "PREFERRED, RACK, 0, 2, 0, 1, true",
    "PREFERRED, RACK, 0, 2, 1, 3, true",
    "PREFERRED, NODE, 0, 0, 0, 1, false",
    "PREFERRED, NODE, 0, 1, 2, 2, true",
    "SPREAD,    RACK, 0, 2, 0, 1, false",
    "SPREAD,    RACK, 0, 2, 1, 3, true",
    "SPREAD,    RACK, 0, 1, 0, 2, true",
    "SPREAD,    NODE, 0, 1, 2, 2, false",
    "REQUIRED,  RACK, 0, 1, 2, 3, true",
  })
  void inNoMoreDomainsWhereFewArePreferredAndNoFewerWhereItIsSpread(
      Shape.Spread.Rule rule, Level level, int a, int b, int c, int d, boolean keeps) {
    Story story = racks("r1", "r1", "r2", "r2");
    Shape shape = Fleet.whole(2, new Shape.Spread(level, rule, null));
    assertThat(Rebinding.keepsTopology(story.book, shape, on(a, b), on(c, d))).isEqualTo(keeps);
  }

  @Test
  void whoIsTogetherInARackIsNotParted() {
    for (boolean together : List.of(true, false)) {
      Story story = racks("r1", "r1", "r2", "r3");
      Shape gang = together ? Fleet.groups(2, 4, Fleet.preferred(Level.RACK)) : Fleet.groups(2, 4);
      long one = Story.T + Time.HOUR;
      Lease planned = story.asks("vision", 0).shape(gang).at(one, one + Time.HOUR).lease();
      assertThat(Fleet.nodes(planned.booking()))
          .containsExactlyInAnyOrder(Fleet.id(0), Fleet.id(1));
      Shape there = Fleet.groups(1, 4).avoiding(List.of(Fleet.id(1), Fleet.id(2), Fleet.id(3)));
      Lease other = story.asks("nlp", 0).shape(there).lasting(3 * Time.HOUR).lease();
      assertThat(other.state()).isEqualTo(together ? LeaseState.WAITING : LeaseState.ALLOCATED);
    }
  }

  @Test
  void goesToAnotherNodeThoughItsOwnHasRoom() {
    Story story = Story.of("h100", 8, 8);
    Lease first = story.asks("vision", 2).lease();
    story.decide(new Command.Report(first.id(), first.generation(), Command.Report.News.NO_ROOM));
    assertThat(Fleet.nodes(story.lease(first.id()).booking()))
        .hasSize(1)
        .isNotEqualTo(Fleet.nodes(first.booking()));
  }

  /** Nodes 0, 1 and 2 have 4, 4 and 2 GPUs. */
  @Test
  void whatOneWhoIsDelayedLeavesAnotherGetsInTheSameDecision() {
    Story story = Story.of("h100", 4, 4, 2);
    story.asks("nlp", 2).shape(avoiding(2, 1, 2)).lease();
    story.asks("nlp", 2).shape(avoiding(2, 0, 1)).lease();
    Lease there = story.asks("nlp", 4).shape(avoiding(4, 0, 2)).lasting(Time.DAY).lease();
    story.clusterObeys();
    long next = Story.T + Time.HOUR + PreemptionTest.WIND_DOWN;
    Ask.When then = new Ask.When.At(new Span(next, next + Time.HOUR));
    Lease blocker = story.asks("nlp", 4).shape(avoiding(4, 1, 2)).when(then).lease();
    Lease first = story.asks("vision", 2).shape(avoiding(2, 1)).when(then).lease();
    story.on(new Command.Cancel(blocker.id()));
    Lease second = story.asks("vision", 4).when(then).lease();
    assertThat(Fleet.nodes(second.booking())).isEqualTo(Fleet.nodes(blocker.booking()));
    story.after(Time.HOUR);
    story.after(PreemptionTest.WIND_DOWN);
    assertThat(story.lease(first.id()).delayedBy()).isNotNull();
    assertThat(story.lease(second.id()).delayedBy()).isNotNull();
    story.on(new Command.Release(there.id()));
    story.decide(Story.withdrawn(story.lease(there.id())));
    assertThat(story.state(second.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.state(first.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.decide().moves()).isEmpty();
  }

  private static Shape avoiding(int gpus, int... nodes) {
    return Story.AskMaker.whole(gpus)
        .avoiding(Arrays.stream(nodes).mapToObj(node -> new UUID(7, node)).toList());
  }
}
