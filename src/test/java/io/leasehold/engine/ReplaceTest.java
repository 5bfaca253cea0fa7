package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Nodes of a lease that are replaced while it lives. */
class ReplaceTest {

  private final Story story = Story.of("h100", 4, 4, 4);

  private Lease gang(String tenant) {
    Lease lease = story.asks(tenant, 0).groups(2, 4).lease();
    story.clusterObeys();
    return story.lease(lease.id());
  }

  private static UUID node(Lease lease, int slot) {
    return lease.booking().slots().get(slot).node();
  }

  private void breaks(UUID node) {
    story.breakGpu((int) node.getLeastSignificantBits(), 0);
  }

  private Decision replace(Lease lease, UUID... nodes) {
    return story.on(new Command.Replace(lease.id(), List.of(nodes), "broken"));
  }

  @Test
  void l26OnlyTheLostNodeIsExchangedAndItIsDegradedUntilThatIsDone() {
    Lease lease = gang("vision");
    UUID lost = node(lease, 1);
    breaks(lost);
    Lease replaced = ((Decision.Done) replace(lease, lost)).lease();
    assertThat(replaced.state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(replaced.booking().slots().getFirst()).isEqualTo(lease.booking().slots().getFirst());
    assertThat(Fleet.nodes(replaced.booking())).doesNotContain(lost).hasSize(2);
    assertThat(replaced.booking().slots()).extracting(Booking.Slot::group).containsExactly(0, 1);
    assertThat(replaced.generation()).isEqualTo(lease.generation() + 1);
    assertThat(replaced.degraded()).isTrue();
    assertThat(replaced.booking().gpuMilli()).as("charged once").isEqualTo(8_000);
    story.decide(Story.usable(replaced));
    assertThat(story.lease(lease.id()).degraded()).isFalse();
    assertThat(replace(lease, lost))
        .as("L24: it has nothing there any more")
        .isInstanceOf(Decision.Declined.class);
  }

  @Test
  void aHealthyNodeGoesBackOnlyWhenTheClusterHasConfirmed() {
    Lease lease = gang("vision");
    UUID given = node(lease, 0);
    Lease replaced = ((Decision.Done) replace(lease, given)).lease();
    assertThat(replace(lease, given)).as("reached already").isInstanceOf(Decision.Done.class);
    assertThat(story.asks("nlp", 4).lease().state()).isEqualTo(LeaseState.WAITING);
    Batch batch = story.decide(Story.usable(replaced));
    assertThat(batch.moves()).hasSize(2);
    assertThat(story.lease(lease.id()).degraded()).isFalse();
  }

  @Test
  void s50WithoutASpareItWaitsDegradedAndGoesOnByItself() {
    Lease other = story.asks("nlp", 4).lease();
    Lease lease = gang("vision");
    breaks(node(lease, 0));
    Decision.Decided waits = (Decision.Decided) replace(lease, node(lease, 0));
    assertThat(waits.answer().verdict()).isEqualTo(Verdict.WAITING);
    assertThat(waits.answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("no-spare", "capacity");
    assertThat(waits.lease().state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(waits.lease().degraded()).isTrue();
    assertThat(waits.lease().booking()).isEqualTo(lease.booking());
    assertThat(story.decide(new Command.Replace(lease.id(), List.of(node(lease, 0)), "")).moves())
        .as("asked again, nothing changes")
        .isEmpty();
    story.decide(new Command.Release(other.id()));
    story.clusterObeys();
    Lease replaced = story.lease(lease.id());
    assertThat(replaced.change().replacing()).isEmpty();
    assertThat(replaced.change().ordered()).isTrue();
    story.decide(Story.usable(replaced));
    assertThat(story.lease(lease.id()).degraded()).isFalse();
    assertThat(story.lease(lease.id()).change()).isNull();
  }

  @Test
  void goesOnWhereSomebodyElseEndsForAnother() {
    Lease lease = gang("vision");
    Lease later =
        story.asks("nlp", 4).at(story.now + Time.HOUR / 2, story.now + 8 * Time.HOUR).lease();
    breaks(node(lease, 0));
    replace(lease, node(lease, 0));
    assertThat(story.lease(lease.id()).change().replacing()).isNotEmpty();
    Span after = lease.booking().hold();
    story
        .asks("nlp", 8)
        .of("realtime")
        .at(after.end() + Time.HOUR, after.end() + 2 * Time.HOUR)
        .lease();
    assertThat(story.state(later.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.lease(lease.id()).change().replacing()).as("in the same decision").isEmpty();
  }

  @Test
  void s53OneOfTwoGetsTheOnlySpareAndTheOtherWaits() {
    Story four = Story.of("h100", 4, 4, 4);
    Lease first = four.asks("vision", 0).groups(1, 4).lease();
    Lease second = four.asks("nlp", 0).groups(1, 4).lease();
    Lease third = four.asks("nlp", 0).groups(1, 4).lease();
    four.clusterObeys();
    four.decide(
        new Command.Replace(second.id(), List.of(node(second, 0)), ""),
        new Command.Replace(first.id(), List.of(node(first, 0)), ""));
    four.decide(new Command.Release(third.id()));
    four.clusterObeys();
    assertThat(node(four.lease(first.id()), 0)).isEqualTo(node(third, 0));
    assertThat(four.lease(second.id()).change().replacing()).containsExactly(node(second, 0));
    String before = Dump.of(four.book) + Dump.room(four.book);
    Answer why = Engine.explain(four.book, second.id(), four.now);
    assertThat(Dump.of(four.book) + Dump.room(four.book)).isEqualTo(before);
    assertThat(why.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(why.reasons()).extracting(Answer.Reason::code).contains("no-spare");
  }

  @Test
  void whatWasPromisedComesBeforeWhatWaitsInItsClass() {
    Lease holder = story.asks("nlp", 4).lasting(2 * Time.HOUR).lease();
    Lease lease = gang("vision");
    Lease head = story.asks("nlp", 4).lasting(2 * Time.HOUR).lease();
    assertThat(head.earmark()).isNotNull();
    replace(lease, node(lease, 0));
    story.decide(new Command.Release(holder.id()));
    story.clusterObeys();
    assertThat(story.lease(lease.id()).change().replacing()).isEmpty();
    assertThat(story.state(head.id())).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void goesToAnotherNodeEvenWhereTheNamedOneHasRoom() {
    Story two = Story.of("h100", 8, 8);
    Lease lease = two.asks("vision", 0).groups(1, 4).lease();
    two.clusterObeys();
    Decision done = two.on(new Command.Replace(lease.id(), List.of(node(lease, 0)), ""));
    assertThat(node(((Decision.Done) done).lease(), 0)).isNotEqualTo(node(lease, 0));
  }

  @Test
  void staysDegradedUntilItIsReplacedEvenIfTheOldNodeHeals() {
    Lease lease = gang("vision");
    breaks(node(lease, 0));
    Lease replaced = ((Decision.Done) replace(lease, node(lease, 0))).lease();
    story.setHealth((int) node(lease, 0).getLeastSignificantBits(), 0, Health.OK);
    story.setHealth((int) node(lease, 1).getLeastSignificantBits(), 0, Health.BROKEN);
    story.setHealth((int) node(lease, 1).getLeastSignificantBits(), 0, Health.OK);
    assertThat(story.lease(lease.id()).degraded()).isTrue();
    story.decide(Story.usable(replaced));
    assertThat(story.lease(lease.id()).degraded()).isFalse();
  }

  @Test
  void whoHasLeftADrainingNodeIsToldOfItsDrainNoMore() {
    Lease lease = gang("vision");
    UUID draining = node(lease, 0);
    story.on(new Command.Drain(List.of(draining), story.now + 10 * Time.MINUTE));
    assertThat(story.lease(lease.id()).notice()).isNotNull();
    replace(lease, draining);
    assertThat(story.lease(lease.id()).notice()).isNull();
  }

  @Test
  void theHigherClassGetsTheOnlySpareWhoeverAskedFirst() {
    Story three = Story.of("h100", 4, 4, 4);
    Lease low = three.asks("vision", 0).groups(1, 4).lease();
    Lease high = three.asks("nlp", 0).groups(1, 4).of("realtime").lease();
    Lease spare = three.asks("nlp", 0).groups(1, 4).lease();
    three.clusterObeys();
    three.decide(new Command.Replace(low.id(), List.of(node(low, 0)), ""));
    three.decide(new Command.Replace(high.id(), List.of(node(high, 0)), ""));
    three.decide(new Command.Release(spare.id()));
    three.clusterObeys();
    assertThat(node(three.lease(high.id()), 0)).isEqualTo(node(spare, 0));
    assertThat(three.lease(low.id()).change().replacing()).isNotEmpty();
  }

  @Test
  void theEndOfALeaseEndsItsWaitForASpare() {
    story.asks("nlp", 4).lease();
    Lease lease = gang("vision");
    replace(lease, node(lease, 0));
    story.decide(new Command.Release(lease.id()));
    assertThat(story.lease(lease.id()).change()).isNull();
    story.clusterObeys();
    assertThat(story.state(lease.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.asks("nlp", 0).groups(2, 4).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aPlannedLeaseIsBoundElsewhereWithoutAnOrder() {
    Lease planned =
        story
            .asks("vision", 0)
            .groups(1, 4)
            .at(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR)
            .lease();
    Lease moved = ((Decision.Done) replace(planned, node(planned, 0))).lease();
    assertThat(node(moved, 0)).isNotEqualTo(node(planned, 0));
    assertThat(moved.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(moved.change()).isNull();
    assertThat(moved.degraded()).isFalse();
  }
}
