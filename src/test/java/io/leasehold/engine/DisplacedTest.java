package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What has not begun is bound elsewhere where those that run must end anyway. */
class DisplacedTest {

  private final Story story = Story.of("h100", 4, 4, 4);
  private final Lease runs = story.asks("vision", 4).lasting(10 * Time.HOUR).lease();
  private final Lease fixed = story.asks("nlp", 4).of("realtime").lasting(3 * Time.HOUR).lease();
  private final Lease planned = later("batch");

  private Lease later(String serviceClass) {
    return story
        .asks("vision", 4)
        .of(serviceClass)
        .at(story.now + Time.HOUR, story.now + 2 * Time.HOUR)
        .lease();
  }

  /** There is room beside it once it ends in time. */
  private void fixedEndsEarlier() {
    story.on(new Command.Shorten(fixed.id(), story.now + 30 * Time.MINUTE));
  }

  private static UUID node(Lease lease) {
    return lease.booking().slots().getFirst().node();
  }

  private Lease urgent() {
    return story.asks("nlp", 0).groups(2, 4).of("realtime").lasting(3 * Time.HOUR).lease();
  }

  @Test
  void whatIsPlannedKeepsItsWindowOnOtherDevices() {
    fixedEndsEarlier();
    assertThat(node(runs)).isNotEqualTo(node(planned));
    assertThat(node(fixed)).isNotEqualTo(node(planned));
    assertThat(urgent().state()).isEqualTo(LeaseState.PLANNED);
    Lease rebound = story.lease(planned.id());
    assertThat(rebound.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(rebound.window()).isEqualTo(planned.window());
    assertThat(node(rebound)).isEqualTo(node(fixed));
    assertThat(PreemptionTest.victims(story.batches.getLast())).containsExactly(runs.id());
  }

  @Test
  void whatHasNowhereToGoEndsToo() {
    fixedEndsEarlier();
    assertThat(node(later("realtime"))).isEqualTo(node(fixed));
    assertThat(urgent().state()).isEqualTo(LeaseState.PLANNED);
    assertThat(PreemptionTest.victims(story.batches.getLast()))
        .containsExactlyInAnyOrder(runs.id(), planned.id());
  }

  private static Shape on(int node, int gpus, int nodes) {
    List<UUID> others =
        IntStream.range(0, nodes).filter(n -> n != node).mapToObj(n -> new UUID(7, n)).toList();
    return Story.AskMaker.whole(gpus).avoiding(others);
  }

  /** A node that is full while others are planned and is free again afterwards. */
  private static Lease full(Story in, int node, int gpus, int nodes) {
    return in.asks("nlp", gpus)
        .of("realtime")
        .shape(on(node, gpus, nodes))
        .lasting(Time.DAY)
        .lease();
  }

  @Test
  void whatIsPlannedMayLieWhereThoseWhoEndLeaveRoom() {
    Story two = Story.of("h100", 4, 8);
    full(two, 1, 2, 2);
    Lease victim = two.asks("vision", 6).shape(on(1, 6, 2)).lasting(Time.DAY).lease();
    long one = two.now + Time.HOUR;
    Lease later = two.asks("vision", 2).at(one, one + Time.HOUR).lease();
    assertThat(node(later)).isNotEqualTo(node(victim));
    two.asks("nlp", 0).groups(2, 4).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(PreemptionTest.victims(two.batches.getLast())).containsExactly(victim.id());
    assertThat(node(two.lease(later.id()))).isEqualTo(node(victim));
    assertThat(two.lease(later.id()).window()).isEqualTo(later.window());
  }

  @Test
  void whereThereIsRoomForOneTheMorePreciousIsBoundThere() {
    Story two = Story.of("h100", 8, 4);
    Lease blocker = full(two, 1, 4, 2);
    long one = two.now + Time.HOUR;
    Lease cheap = two.asks("vision", 4).at(one, one + Time.HOUR).lease();
    Lease dear = two.asks("vision", 4).costing(5).at(one, one + Time.HOUR).lease();
    two.on(new Command.Cancel(blocker.id()));
    two.clusterObeys();
    two.asks("nlp", 0).groups(1, 8).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(two.state(cheap.id())).isEqualTo(LeaseState.ENDED);
    assertThat(node(two.lease(dear.id()))).isEqualTo(node(blocker));
  }

  /** A lease that runs on the last of four nodes, so that no move of what is planned is enough. */
  private static Lease runsOnTheLast(Story four) {
    Lease last = four.asks("vision", 4).shape(on(3, 4, 4)).lasting(Time.DAY).lease();
    four.clusterObeys();
    return last;
  }

  private static Shape onTheFirstAndTheLast() {
    return Fleet.groups(2, 4).avoiding(List.of(new UUID(7, 1), new UUID(7, 2)));
  }

  @Test
  void aGangThatCouldGiveIsBoundElsewhereWhole() {
    Story four = Story.of("h100", 4, 4, 4, 4);
    Lease last = runsOnTheLast(four);
    Lease blocker = full(four, 2, 4, 4);
    long one = four.now + Time.HOUR;
    Lease gang = four.asks("vision", 0).groups(2, 4).orAtLeast(1).at(one, one + Time.HOUR).lease();
    four.on(new Command.Cancel(blocker.id()));
    four.clusterObeys();
    four.asks("nlp", 0).shape(onTheFirstAndTheLast()).of("realtime").lasting(Time.DAY).lease();
    assertThat(PreemptionTest.victims(four.batches.getLast())).containsExactly(last.id());
    Lease moved = four.lease(gang.id());
    assertThat(moved.ask().shape()).isEqualTo(gang.ask().shape());
    assertThat(Fleet.nodes(moved.booking()))
        .containsExactlyInAnyOrder(new UUID(7, 1), new UUID(7, 2));
  }

  @Test
  void whoBorrowsAsWellLeavesThemTheirOtherDevices() {
    Story four = Story.of("h100", 4, 4, 4, 4);
    four.facts(
        new Move.ClassSet(Story.serviceClass("urgent", 900, false, true)),
        new Move.ContractSet(four.contract("acme", 2, null)),
        new Move.ContractSet(four.contract("vision", 2, null)));
    Lease last = runsOnTheLast(four);
    long one = four.now + Time.HOUR;
    Lease later = four.asks("vision", 4).at(one, one + Time.HOUR).lease();
    assertThat(node(later)).isEqualTo(new UUID(7, 0));
    four.asks("vision", 0)
        .shape(onTheFirstAndTheLast())
        .of("urgent")
        .preemptible()
        .lasting(Time.DAY)
        .lease();
    assertThat(PreemptionTest.victims(four.batches.getLast())).containsExactly(last.id());
    assertThat(four.lease(later.id()).window()).isEqualTo(later.window());
    assertThat(node(four.lease(later.id()))).isNotEqualTo(node(later));
  }
}
