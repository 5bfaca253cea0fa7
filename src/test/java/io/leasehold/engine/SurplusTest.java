package io.leasehold.engine;

import static io.leasehold.engine.PreemptionTest.WIND_DOWN;
import static io.leasehold.engine.PreemptionTest.contracts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Gangs that give only what they can do without, and go on. */
class SurplusTest {

  private final Story story = Story.of("h100", 4, 4, 4, 4);

  private Lease active(Story.AskMaker asks) {
    Lease lease = asks.lease();
    story.clusterObeys();
    return story.lease(lease.id());
  }

  /** Those that gave something and go on. */
  private List<UUID> reduced() {
    return story.batches.getLast().moves().stream()
        .filter(Move.LeaseMoved.class::isInstance)
        .map(Move.LeaseMoved.class::cast)
        .filter(moved -> moved.cause().equals("reduced"))
        .map(moved -> moved.after().id())
        .toList();
  }

  private List<UUID> ended() {
    return PreemptionTest.victims(story.batches.getLast());
  }

  private Answer told(UUID lease) {
    return story.batches.getLast().answers().stream()
        .filter(each -> each.lease().equals(lease))
        .map(Batch.Reasoned::answer)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aGangGivesOneGroupAndGoesOn() {
    Lease gang = active(story.asks("vision", 0).groups(4, 4).orAtLeast(2));
    Decision.Decided urgent = story.asks("vision", 4).of("realtime").decided();
    assertThat(reduced()).containsExactly(gang.id());
    assertThat(ended()).isEmpty();
    Lease left = story.lease(gang.id());
    assertThat(left.state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(left.window()).isEqualTo(gang.window());
    assertThat(left.notice()).isNull();
    assertThat(left.ask().shape().groups()).isEqualTo(3);
    assertThat(left.ask().shape().minCount()).isEqualTo(2);
    assertThat(left.booking().slots()).hasSize(3).isSubsetOf(gang.booking().slots());
    assertThat(left.generation()).isEqualTo(gang.generation() + 1);
    assertThat(Fleet.nodes(left.leaving())).isEqualTo(Fleet.nodes(urgent.lease().booking()));
    assertThat(urgent.lease().state()).isEqualTo(LeaseState.PLANNED);
    assertThat(urgent.lease().window().start()).isEqualTo(Story.T + WIND_DOWN);
    assertThat(urgent.answer().reasons().getFirst().detail())
        .isEqualTo("a gang of lower precedence gives of its surplus");
    assertThat(urgent.answer().blockedBy())
        .containsExactly(new Answer.Blocker(gang.id(), "vision", 4_000, Story.T + WIND_DOWN));
    assertThat(told(gang.id()).reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("preempted", "surplus", "share");
    assertThat(told(gang.id()).reasons().get(1).detail())
        .isEqualTo("it goes on with 3 of 4; its least is 2");
  }

  @Test
  void whoTookItStartsAsSoonAsTheClusterHasConfirmedWhatIsLeft() {
    Lease gang = active(story.asks("vision", 0).groups(4, 4).orAtLeast(2));
    Lease urgent = story.asks("vision", 4).of("realtime").lease();
    story.now += 5 * Time.SECOND;
    story.decide(Story.usable(story.lease(gang.id())));
    assertThat(story.lease(gang.id()).leaving()).isNull();
    assertThat(story.state(urgent.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.lease(urgent.id()).window().start()).isEqualTo(story.now);
  }

  @Test
  void itGivesNoMoreThanItMayAndEndsWhereThatIsNotEnough() {
    Lease gang = active(story.asks("vision", 0).groups(4, 4).orAtLeast(2));
    story.asks("vision", 8).of("realtime").lease();
    assertThat(story.lease(gang.id()).ask().shape().groups()).isEqualTo(2);
    story.asks("vision", 4).of("realtime").lease();
    assertThat(ended()).containsExactly(gang.id());
  }

  @Test
  void aGangWithoutALeastEndsWhole() {
    Lease gang = active(story.asks("vision", 0).groups(4, 4));
    story.asks("vision", 4).of("realtime").lease();
    assertThat(ended()).containsExactly(gang.id());
  }

  @Test
  void surplusGoesBeforeAnybodyEnds() {
    active(story.asks("vision", 0).groups(3, 4).orAtLeast(2).costing(9));
    Lease cheap = active(story.asks("vision", 4));
    story.asks("vision", 4).of("realtime").lease();
    assertThat(reduced()).hasSize(1);
    assertThat(story.state(cheap.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void aLowerClassEndsBeforeAHigherOneGives() {
    story.facts(new Move.ClassSet(Story.serviceClass("opportunistic", 0, true, false)));
    active(story.asks("vision", 0).groups(3, 4).orAtLeast(2));
    Lease low = active(story.asks("vision", 4).of("opportunistic"));
    story.asks("vision", 4).of("realtime").lease();
    assertThat(ended()).containsExactly(low.id());
    assertThat(reduced()).isEmpty();
  }

  @Test
  void theFewestGpusAreLost() {
    Story two = Story.of("h100", 8, 8);
    Lease big = two.asks("vision", 0).groups(1, 8).lease();
    Lease gang = two.asks("vision", 0).groups(4, 2).orAtLeast(1).lease();
    two.clusterObeys();
    two.asks("vision", 3).of("realtime").lease();
    assertThat(two.lease(gang.id()).ask().shape().groups()).isEqualTo(2);
    assertThat(two.state(big.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void aLargerGiftGoesBeforeASmallerEnd() {
    Story three = Story.of("h100", 8, 8, 4);
    Lease gang = three.asks("vision", 0).groups(2, 8).orAtLeast(1).lease();
    Lease small = three.asks("vision", 4).lease();
    three.clusterObeys();
    three.asks("vision", 0).groups(1, 4).of("realtime").lease();
    assertThat(three.lease(gang.id()).ask().shape().groups()).isEqualTo(1);
    assertThat(three.state(small.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void aGangEndsForALimitThatItsSurplusIsNotEnoughFor() {
    Story wide = Story.of("h100", 8, 8, 8);
    contracts(wide, 8, 8);
    Lease gang = wide.asks("vision", 8).orAtLeast(4).lease();
    wide.clusterObeys();
    Shape elsewhere = Story.AskMaker.whole(8).avoiding(Fleet.nodes(gang.booking()));
    assertThat(wide.asks("vision", 8).shape(elsewhere).of("realtime").lease().state())
        .isEqualTo(LeaseState.PLANNED);
    assertThat(wide.lease(gang.id()).endCause()).isEqualTo("preempted");
  }

  @Test
  void aGangGivesForALimitNoMoreThanThatTakes() {
    Story wide = Story.of("h100", 8, 8, 8);
    contracts(wide, 8, 8);
    Lease gang = wide.asks("vision", 8).orAtLeast(4).lease();
    wide.clusterObeys();
    wide.asks("vision", 3).of("realtime").lease();
    assertThat(wide.lease(gang.id()).ask().shape().count()).isEqualTo(5);
  }

  /** Its guarantee begins before what runs is withdrawn, and after what has not begun is gone. */
  @Test
  void whoReclaimsIsInsideItsGuaranteeAlsoOnceOthersArePutBack() {
    Story wide = Story.of("h100", 8, 8);
    Span later = new Span(Story.T + Time.MINUTE, Span.FOREVER);
    wide.facts(
        new Move.ContractSet(wide.contract("acme", 16, null)),
        new Move.ContractSet(wide.contract("vision", "h100", 8, null, later)));
    Lease runs = wide.asks("nlp", 8).lasting(9 * Time.HOUR).lease();
    long start = wide.now + Time.HOUR;
    Lease planned = wide.asks("nlp", 8).at(start, start + 9 * Time.HOUR).lease();
    wide.clusterObeys();
    Lease owner = wide.asks("vision", 8).lasting(2 * Time.HOUR).lease();
    assertThat(owner.window().start()).isEqualTo(Story.T + WIND_DOWN);
    assertThat(PreemptionTest.victims(wide.batches.getLast())).containsExactly(runs.id());
    assertThat(wide.state(planned.id())).isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void withoutGroupsItGivesGpuByGpu() {
    Lease gang = active(story.asks("vision", 16).orAtLeast(5));
    story.asks("vision", 3).of("realtime").lease();
    Lease left = story.lease(gang.id());
    assertThat(left.booking().gpuMilli()).isEqualTo(13_000);
    assertThat(left.leaving().gpuMilli()).isEqualTo(3_000);
    assertThat(Fleet.nodes(left.leaving())).hasSize(1);
  }

  @Test
  void severalGangsGiveForOne() {
    Lease one = active(story.asks("vision", 0).groups(2, 4).orAtLeast(1));
    Lease other = active(story.asks("vision", 0).groups(2, 4).orAtLeast(1));
    Lease urgent = story.asks("nlp", 0).groups(2, 4).of("realtime").lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(reduced()).containsExactlyInAnyOrder(one.id(), other.id());
    assertThat(ended()).isEmpty();
  }

  @Test
  void whatHasNotBegunGivesWithoutAnOrder() {
    long start = story.now + Time.HOUR;
    Lease gang =
        story.asks("vision", 0).groups(4, 4).orAtLeast(2).at(start, start + Time.HOUR).lease();
    Lease urgent = story.asks("nlp", 4).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.ALLOCATED);
    Lease left = story.lease(gang.id());
    assertThat(left.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(left.change()).isNull();
    assertThat(left.ask().shape().groups()).isEqualTo(3);
  }

  @Test
  void whatOneGangKeepsIsNoRoomForAnother() {
    long start = story.now + Time.HOUR;
    Lease one =
        story.asks("vision", 0).groups(2, 4).orAtLeast(1).at(start, start + Time.HOUR).lease();
    Lease other =
        story.asks("vision", 0).groups(2, 4).orAtLeast(1).at(start, start + Time.HOUR).lease();
    story.asks("nlp", 0).groups(2, 4).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(reduced()).containsExactlyInAnyOrder(one.id(), other.id());
  }

  @Test
  void whoIsOwedNoticeEndsWhole() {
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(new Move.ClassSet(Story.noticed(5 * Time.MINUTE, null, batch)));
    Lease gang = active(story.asks("vision", 0).groups(4, 4).orAtLeast(2));
    story.asks("vision", 4).of("realtime").lease();
    assertThat(reduced()).isEmpty();
    assertThat(story.lease(gang.id()).notice()).isNotNull();
  }

  @Test
  void givingCountsInTheBudgetLikeAnEnd() {
    Disruption once = new Disruption(1, Time.HOUR, List.of());
    story.facts(new Move.ClassSet(Story.noticed(0, once, story.book.serviceClass("batch"))));
    active(story.asks("vision", 0).groups(4, 4).orAtLeast(1));
    story.asks("vision", 4).of("realtime").lease();
    assertThat(reduced()).hasSize(1);
    story.asks("vision", 4).of("realtime").lease();
    assertThat(reduced()).isEmpty();
    assertThat(ended()).isEmpty();
  }

  @Test
  void giveAndTakeComesToRestAndLeavesNoTraceWhenUndone() {
    active(story.asks("vision", 0).groups(4, 4).orAtLeast(1));
    Ask urgent = story.asks("vision", 8).of("realtime").ask();
    String before = Dump.of(story.book);
    int mark = story.book.mark();
    Engine.decide(story.book, List.of(new Command.Create(urgent)), story.now);
    story.book.undo(mark);
    assertThat(Dump.difference(Dump.of(story.book), before)).isEmpty();
    story.decide(new Command.Create(urgent));
    assertThat(reduced()).hasSize(1);
    assertThat(story.decide().moves()).isEmpty();
  }

  /** S29: the owner gets its guarantee; the lease in its way reaches into a guarantee itself. */
  @Test
  void s29WhatReachesIntoAGuaranteeGivesWhatIsBorrowedAndNoMore() {
    contracts(story, 8, 8);
    Lease gang = active(story.asks("nlp", 0).groups(4, 4).orAtLeast(1));
    Lease owner = story.asks("vision", 8).lease();
    assertThat(owner.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(owner.booking().gpuMilli()).isEqualTo(8_000);
    assertThat(story.lease(gang.id()).booking().gpuMilli()).isEqualTo(8_000);
    Lease urgent = story.asks("vision", 4).of("realtime").lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(reduced()).isEmpty();
    assertThat(ended()).as("of its own tenant only").containsExactly(owner.id());
  }

  @Test
  void s29WhatReachesIntoAGuaranteeAndIsAllOrNothingStaysAndTheOwnerIsToldSo() {
    contracts(story, 8, 8);
    Lease gang = active(story.asks("nlp", 0).groups(4, 4));
    Answer no = story.asks("vision", 8).decided().answer();
    assertThat(no.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(no.reasons())
        .anySatisfy(reason -> assertThat(reason.detail()).contains("16 are of leases that reach"));
    assertThat(story.state(gang.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void s29NoPartOfAGuaranteeGoesWithAGroupThatReachesIntoIt() {
    contracts(story, 6, 10);
    Lease gang = active(story.asks("nlp", 0).groups(4, 4).orAtLeast(1));
    Lease owner = story.asks("vision", 6).lease();
    assertThat(owner.state()).isEqualTo(LeaseState.WAITING);
    assertThat(story.lease(gang.id()).booking().gpuMilli()).isEqualTo(16_000);
    assertThat(story.asks("vision", 4).lasting(10 * Time.MINUTE).lease().state())
        .isEqualTo(LeaseState.PLANNED);
    assertThat(story.lease(gang.id()).booking().gpuMilli()).isEqualTo(12_000);
  }

  @Test
  void aGangThatMayStartSmallerTakesNoMoreThanOthersCanGive() {
    story.asks("nlp", 0).groups(1, 4).of("realtime").lasting(9 * Time.HOUR).lease();
    for (int i = 0; i < 3; i++) {
      active(story.asks("vision", 0).groups(1, 4).lasting(9 * Time.HOUR));
    }
    Decision.Decided urgent =
        story.asks("vision", 0).groups(6, 4).orAtLeast(2).of("realtime").decided();
    assertThat(urgent.answer().verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(urgent.lease().ask().shape().groups()).isEqualTo(3);
    assertThat(urgent.lease().booking().slots()).hasSize(3);
    assertThat(urgent.answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("preempting", "starts-smaller");
    assertThat(ended()).hasSize(3);
  }

  @Test
  void aGangThatMayStartSmallerTakesAllThatItAskedForWhereItCan() {
    active(story.asks("vision", 16));
    Lease urgent = story.asks("vision", 0).groups(4, 4).orAtLeast(1).of("realtime").lease();
    assertThat(urgent.ask().shape().groups()).isEqualTo(4);
  }

  @Test
  void aGangTakesNothingWhereItsLeastIsTooMuch() {
    story.asks("nlp", 0).groups(2, 4).of("realtime").lasting(9 * Time.HOUR).lease();
    active(story.asks("vision", 8).lasting(9 * Time.HOUR));
    story.asks("vision", 0).groups(4, 4).orAtLeast(3).of("realtime").lease();
    assertThat(ended()).isEmpty();
  }

  @Test
  void whatWasGivenAndIsNotLetGoInTimeIsNoRoomToWaitFor() {
    Lease gang = active(story.asks("vision", 0).groups(4, 4).orAtLeast(1));
    Lease first = story.asks("vision", 4).of("realtime").lease();
    story.after(WIND_DOWN + Time.SECOND);
    assertThat(story.lease(first.id()).delayedBy()).isEqualTo(gang.id());
    story.decide(new Command.Cancel(first.id()));
    Lease second = story.asks("vision", 4).of("realtime").lease();
    assertThat(second.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(Fleet.nodes(second.booking())).isNotEqualTo(Fleet.nodes(first.booking()));
    assertThat(story.lease(gang.id()).ask().shape().groups()).isEqualTo(2);
  }

  @Test
  void whatIsLeavingIsNotHeldLongerThanItWasPromisedToOthers() {
    Lease gang = active(story.asks("vision", 0).groups(4, 4).orAtLeast(1));
    Lease first = story.asks("vision", 4).of("realtime").lease();
    story.now += 30 * Time.SECOND;
    story.asks("vision", 4).of("realtime").lease();
    assertThat(story.lease(gang.id()).leaving().gpuMilli()).isEqualTo(8_000);
    assertThat(story.lease(gang.id()).leaving().hold().end()).isEqualTo(Story.T + WIND_DOWN);
    assertThat(story.lease(first.id()).window().start()).isEqualTo(Story.T + WIND_DOWN);
  }
}
