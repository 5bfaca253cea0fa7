package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Changes that come while the cluster has not yet made an earlier one true. */
class ExchangeTest {

  private final Story story = Story.of("h100", 4, 4, 4);
  private final Lease lease = active(story.asks("vision", 0).groups(2, 4));

  private Lease active(Story.AskMaker asks) {
    Lease asked = asks.lease();
    story.clusterObeys();
    return story.lease(asked.id());
  }

  private UUID node(int slot) {
    return lease.booking().slots().get(slot).node();
  }

  private Lease resized(int size, UUID... keep) {
    return ((Decision.Done) story.on(new Command.Resize(lease.id(), size, List.of(keep)))).lease();
  }

  @Test
  void whatIsLeavingGoesOnToLeaveWhileItGrows() {
    Lease less = resized(1, node(1));
    assertThat(Fleet.nodes(less.leaving())).containsExactly(node(0));
    Lease more = resized(2);
    assertThat(Fleet.nodes(more.booking())).contains(node(1)).doesNotContain(node(0)).hasSize(2);
    assertThat(more.leaving()).isEqualTo(less.leaving());
    story.decide(Story.usable(more));
    assertThat(story.lease(lease.id()).leaving()).isNull();
  }

  @Test
  void whatWaitsForASpareGoesOnToWaitWhenItGivesAnotherNodeBack() {
    active(story.asks("nlp", 4));
    story.on(new Command.Replace(lease.id(), List.of(node(0)), "broken"));
    Lease less = resized(1, node(0));
    assertThat(less.change().replacing()).containsExactly(node(0));
    assertThat(Fleet.nodes(less.leaving())).containsExactly(node(1));
  }

  @Test
  void whatGivesBackTheNodeThatItWaitsForASpareOfWaitsNoMore() {
    active(story.asks("nlp", 4));
    story.on(new Command.Replace(lease.id(), List.of(node(0)), "broken"));
    Lease less = resized(1, node(1));
    assertThat(less.change().replacing()).isEmpty();
    story.decide(Story.usable(less));
    assertThat(story.lease(lease.id()).change()).isNull();
    assertThat(story.lease(lease.id()).degraded()).isFalse();
  }

  @Test
  void whatKeepsAPartOfThatNodeGoesOnToWait() {
    Story two = Story.of("h100", 4, 4);
    Lease whole = two.asks("vision", 8).lease();
    two.clusterObeys();
    List<UUID> nodes = Fleet.nodes(whole.booking());
    two.on(new Command.Replace(whole.id(), nodes, "broken"));
    two.on(new Command.Resize(whole.id(), 7, List.of()));
    assertThat(two.lease(whole.id()).change().replacing()).containsExactlyElementsOf(nodes);
  }
}
