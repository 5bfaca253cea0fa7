package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** L36: a cluster that finds no room on a lease's node gets the lease on another. */
class NoRoomTest {

  private static Command noRoom(Lease lease) {
    return new Command.Report(lease.id(), lease.generation(), Command.Report.News.NO_ROOM);
  }

  private static UUID nodeOf(Lease lease) {
    return lease.booking().slots().getFirst().node();
  }

  @Test
  void bindsAnotherNodeForTheRestOfTheSameWindow() {
    Story story = Story.of("h100", 8, 8);
    Lease first = story.asks("vision", 8).lease();
    story.now += Time.MINUTE;
    story.decide(noRoom(first));
    Lease rebound = story.lease(first.id());
    assertThat(rebound.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(nodeOf(rebound)).isNotEqualTo(nodeOf(first));
    assertThat(rebound.window()).isEqualTo(first.window());
    assertThat(rebound.booking().hold())
        .isEqualTo(new Span(story.now, first.booking().hold().end()));
    assertThat(rebound.generation()).isEqualTo(first.generation() + 1);
    assertThat(rebound.parked()).isFalse();
    assertThat(story.asks("nlp", 8).lease().state())
        .as("the first node is free again")
        .isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void staysAndIsParkedWhereNothingElseIsFree() {
    Story story = Story.of("h100", 8, 8);
    Lease first = story.asks("vision", 8).lease();
    story.asks("nlp", 8).lease();
    story.decide(noRoom(first));
    Lease parked = story.lease(first.id());
    assertThat(parked.parked()).isTrue();
    assertThat(parked.booking()).isEqualTo(first.booking());
    assertThat(parked.generation()).isEqualTo(first.generation());
  }

  @Test
  void isNotMovedOnceTheClusterHasAcceptedIt() {
    Story story = Story.of("h100", 8, 8);
    Lease first = story.asks("vision", 8).lease();
    story.decide(new Command.Report(first.id(), 1, Command.Report.News.ACCEPTED));
    story.decide(noRoom(first));
    assertThat(story.lease(first.id()).booking()).isEqualTo(first.booking());
    assertThat(story.lease(first.id()).parked()).isTrue();
  }

  @Test
  void triesAFewNodesAndThenAsksAnOperator() {
    Story story = Story.of("h100", 8, 8, 8, 8, 8, 8, 8, 8);
    Lease lease = story.asks("vision", 8).lease();
    List<UUID> tried = new ArrayList<>();
    for (int i = 0; i < 20 && !story.lease(lease.id()).parked(); i++) {
      tried.add(nodeOf(story.lease(lease.id())));
      story.decide(noRoom(story.lease(lease.id())));
    }
    assertThat(tried).hasSize(Reports.MOST_ORDERS);
    assertThat(story.lease(lease.id()).parked()).isTrue();
  }

  @Test
  void oldNewsMovesNothing() {
    Story story = Story.of("h100", 8, 8, 8);
    Lease first = story.asks("vision", 8).lease();
    story.decide(noRoom(first));
    Lease rebound = story.lease(first.id());
    story.decide(noRoom(first));
    assertThat(story.lease(first.id())).isEqualTo(rebound);
  }

  @Test
  void waitsForNothingInThePlaceOfANodeThatItHasLeft() {
    Story story = Story.of("h100", 8);
    Lease lease = story.asks("vision", 8).lease();
    story.on(new Command.Replace(lease.id(), List.of(nodeOf(lease)), "broken"));
    assertThat(story.lease(lease.id()).change().replacing()).containsExactly(nodeOf(lease));
    Node spare = story.node("h100", 8);
    story.decide(
        new Command.SetNodes(List.of(spare), Command.Shrink.DEGRADE),
        noRoom(story.lease(lease.id())));
    Lease rebound = story.lease(lease.id());
    assertThat(Fleet.nodes(rebound.booking())).containsExactly(spare.id());
    assertThat(rebound.change().replacing()).isEmpty();
    story.decide(Story.usable(rebound));
    assertThat(story.lease(lease.id()).change()).isNull();
    assertThat(story.lease(lease.id()).degraded()).isFalse();
  }
}
