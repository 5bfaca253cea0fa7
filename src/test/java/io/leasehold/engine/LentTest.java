package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is set aside and idle goes to who may be preempted, until its owner comes. */
class LentTest {

  private static final UUID RESERVATION = new UUID(5, 0);

  private final Story story = Story.of("h100", 8);
  private final long nine = Story.T + 9 * Time.HOUR;
  private final long five = nine + 8 * Time.HOUR;

  private Occurrence setAside(int gpus, boolean lend) {
    return Story.setAside(
            story.reserves(
                RESERVATION,
                "vision",
                Story.AskMaker.whole(gpus),
                lend,
                Span.FOREVER,
                new Span(nine, five)))
        .getFirst();
  }

  @Test
  void idleCapacityIsLentToWhoMayBePreemptedOnly() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease borrower = story.asks("nlp", 4).lasting(2 * Time.HOUR).lease();
    assertThat(borrower.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.batches.getLast().answers().getFirst().answer().reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.code()).isEqualTo("lent"));
    assertThat(story.book.usage().of("nlp", "h100").at(story.now))
        .as("charged to who borrows")
        .isEqualTo(4_000);
    assertThat(story.asks("nlp", 4).of("realtime").orRefuse().lease().state())
        .isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void theOwnerIsToldThatOthersHaveSomeOfItAndThatItIsBack() {
    Occurrence occurrence = setAside(8, true);
    assertThat(causes(story.after(9 * Time.HOUR))).containsExactly("started");
    Lease first = story.asks("nlp", 2).lasting(2 * Time.HOUR).lease();
    assertThat(causes(story.batches.getLast())).containsExactly("lent");
    Lease second = story.asks("nlp", 2).lasting(2 * Time.HOUR).lease();
    assertThat(causes(story.batches.getLast())).as("it is known").isEmpty();
    assertThat(story.occurrence(occurrence.id()).lent()).isTrue();
    story.clusterObeys();
    story.on(new Command.Release(first.id()));
    story.clusterObeys();
    assertThat(causes(story.batches.getLast())).isEmpty();
    story.on(new Command.Release(second.id()));
    story.clusterObeys();
    assertThat(causes(story.batches.getLast())).containsExactly("returned");
    assertThat(story.occurrence(occurrence.id()).lent()).isFalse();
    story.asks("vision", 8).on(RESERVATION).lease();
    assertThat(causes(story.batches.getLast())).as("its owner borrows nothing").isEmpty();
  }

  private static List<String> causes(Batch batch) {
    return batch.moves().stream()
        .filter(Move.OccurrenceMoved.class::isInstance)
        .map(move -> ((Move.OccurrenceMoved) move).cause())
        .toList();
  }

  @Test
  void whatIsNotLentStaysIdle() {
    setAside(8, false);
    story.after(9 * Time.HOUR);
    assertThat(story.asks("nlp", 1).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void nothingIsLentForLater() {
    setAside(8, true);
    assertThat(story.asks("nlp", 1).at(nine, nine + Time.HOUR).orRefuse().lease().state())
        .isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void noFractionIsLent() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Shape half =
        new Shape(
            List.of(), 0, 0, 1, new Shape.Slice.Share(500), 0, 0, List.of(), Shape.Where.ANYWHERE);
    assertThat(story.asks("nlp", 1).shape(half).orRefuse().lease().state())
        .isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void theOpenFleetIsTakenFirst() {
    setAside(4, true);
    Lease lease = story.asks("nlp", 4).lasting(Time.DAY).lease();
    assertThat(story.book.reserved().isSetAside(lease.booking())).isFalse();
  }

  @Test
  void whoBorrowsMakesRoomForTheOwner() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease borrower = story.asks("nlp", 8).lasting(2 * Time.HOUR).lease();
    story.clusterObeys();
    Lease owner = story.asks("vision", 8).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(owner.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(owner.window().start() - story.now).isLessThanOrEqualTo(91 * Time.SECOND);
    assertThat(story.lease(borrower.id()).state()).isEqualTo(LeaseState.ENDING);
    assertThat(story.lease(borrower.id()).endCause()).isEqualTo("preempted");
    story.clusterObeys();
    story.after(91 * Time.SECOND);
    assertThat(story.state(owner.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void noMoreBorrowersGoThanItTakes() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    List<Lease> borrowers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      story.after(Time.SECOND);
      borrowers.add(story.asks("nlp", 2).lasting(2 * Time.HOUR).lease());
    }
    story.clusterObeys();
    assertThat(story.asks("vision", 2).lasting(Time.HOUR).on(RESERVATION).lease().state())
        .as("two are idle")
        .isEqualTo(LeaseState.ALLOCATED);
    story.asks("vision", 2).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(borrowers.stream().map(lease -> story.state(lease.id())))
        .as("the youngest goes")
        .containsExactly(LeaseState.ACTIVE, LeaseState.ACTIVE, LeaseState.ENDING);
  }

  @Test
  void whoBorrowsAcrossTheStartIsToldWhenTheOwnerPlans() {
    setAside(8, true);
    story.after(8 * Time.HOUR);
    Lease borrower = story.asks("nlp", 8).lasting(4 * Time.HOUR).lease();
    assertThat(borrower.state()).isEqualTo(LeaseState.ALLOCATED);
    Lease owner = story.asks("vision", 8).at(nine, five).on(RESERVATION).lease();
    assertThat(owner.window()).isEqualTo(new Span(nine, five));
    Lease told = story.lease(borrower.id());
    assertThat(told.notice())
        .isEqualTo(
            new Lease.Notice(
                "preempted", nine - 90 * Time.SECOND, owner.id(), borrower.window().end()));
    assertThat(told.booking().hold().end()).isEqualTo(nine);
    story.clusterObeys();
    story.after(Time.HOUR - 90 * Time.SECOND);
    assertThat(story.lease(borrower.id()).endCause()).isEqualTo("preempted");
    story.clusterObeys();
    story.after(90 * Time.SECOND);
    assertThat(story.state(owner.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void decidingAgainChangesNothing() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    story.asks("nlp", 8).lasting(2 * Time.HOUR).lease();
    story.asks("vision", 8).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(story.decide().moves()).isEmpty();
  }

  @Test
  void whoWaitsGetsWhatBecomesIdle() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease owner = story.asks("vision", 8).lasting(4 * Time.HOUR).on(RESERVATION).lease();
    story.clusterObeys();
    Lease waiting = story.asks("nlp", 8).lasting(Time.HOUR).lease();
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    story.on(new Command.Release(owner.id()));
    story.clusterObeys();
    assertThat(story.state(waiting.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void noBudgetKeepsAnOwnerFromWhatIsItsOwnAndItIsCounted() {
    Disruption once = new Disruption(1, 5 * Time.HOUR, List.of());
    story.facts(new Move.ClassSet(Story.noticed(0, once, story.book.serviceClass("batch"))));
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease one = story.asks("nlp", 4).lasting(2 * Time.HOUR).lease();
    Lease other = story.asks("nlp", 4).lasting(2 * Time.HOUR).lease();
    story.clusterObeys();
    Lease owner = story.asks("vision", 8).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(owner.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(story.state(one.id())).isEqualTo(LeaseState.ENDING);
    assertThat(story.state(other.id())).isEqualTo(LeaseState.ENDING);
    Victims.Lot lot = Victims.Lot.of(one);
    assertThat(story.book.disruptions().rows().get(lot)).hasSize(2);
    assertThat(story.batches.getLast().answers())
        .filteredOn(each -> each.lease().equals(one.id()))
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.answer().reasons())
                    .extracting(Answer.Reason::code)
                    .containsExactly("taken-back"));
  }

  @Test
  void whoseBudgetIsUsedUpGoesLast() {
    Disruption once = new Disruption(1, 5 * Time.HOUR, List.of());
    story.facts(new Move.ClassSet(Story.noticed(0, once, story.book.serviceClass("batch"))));
    story.facts(new Move.TenantSet(new Tenant("audio", "acme", false)));
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease first = story.asks("audio", 2).lasting(2 * Time.HOUR).lease();
    Lease dear = story.asks("nlp", 2).costing(9).lasting(2 * Time.HOUR).lease();
    Lease spared = story.asks("audio", 2).lasting(2 * Time.HOUR).lease();
    Lease idle = story.asks("vision", 2).lasting(2 * Time.HOUR).on(RESERVATION).lease();
    story.clusterObeys();
    story.asks("vision", 2).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(idle.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(List.of(first, spared))
        .filteredOn(lease -> story.state(lease.id()) == LeaseState.ENDING)
        .hasSize(1);
    story.asks("vision", 2).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(story.state(dear.id())).isEqualTo(LeaseState.ENDING);
    assertThat(List.of(first, spared))
        .filteredOn(lease -> story.state(lease.id()) == LeaseState.ACTIVE)
        .hasSize(1);
  }

  @Test
  void aBorrowerGoesOnWhereTheOwnerComesNotAfterAll() {
    setAside(8, true);
    story.after(8 * Time.HOUR);
    Lease borrower = story.asks("nlp", 8).lasting(4 * Time.HOUR).lease();
    Lease owner = story.asks("vision", 8).at(nine, five).on(RESERVATION).lease();
    assertThat(story.lease(borrower.id()).notice().by()).isEqualTo(owner.id());
    story.decide(new Command.Cancel(owner.id()));
    assertThat(story.lease(borrower.id()).notice()).isNull();
    assertThat(story.lease(borrower.id()).window()).isEqualTo(borrower.window());
    assertThat(story.decide().moves()).isEmpty();
  }

  @Test
  void whoDrawsOnAReservationStartsNowhereElse() {
    setAside(8, true);
    story.after(9 * Time.HOUR + 1);
    Lease borrower = story.asks("nlp", 8).lasting(2 * Time.HOUR).lease();
    Lease owner = story.asks("vision", 8).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(story.lease(borrower.id()).notice().by()).isEqualTo(owner.id());
    Node more = story.node("h100", 8);
    story.decide(new Command.SetNodes(List.of(more), Command.Shrink.DEGRADE));
    assertThat(story.lease(owner.id())).isEqualTo(owner);
  }

  @Test
  void whoBorrowsAtAnotherTimeStays() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease inTheWay = story.asks("nlp", 4).lasting(6 * Time.HOUR).lease();
    story.after(Time.SECOND);
    Lease overByThen = story.asks("nlp", 4).lasting(Time.HOUR).lease();
    Ask.When later = new Ask.When.At(new Span(nine + 4 * Time.HOUR, nine + 5 * Time.HOUR));
    Lease owner = story.asks("vision", 8).when(later).on(RESERVATION).lease();
    assertThat(owner.state()).isEqualTo(LeaseState.PLANNED);
    Lease.Notice notice = story.lease(inTheWay.id()).notice();
    assertThat(notice.cause()).isEqualTo("preempted");
    assertThat(notice.effectiveAt()).isEqualTo(nine + 4 * Time.HOUR - 90 * Time.SECOND);
    assertThat(story.lease(overByThen.id()).notice()).isNull();
  }

  @Test
  void whoEndsAlreadyIsEndedOnce() {
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease borrower = story.asks("nlp", 8).lasting(2 * Time.HOUR).lease();
    story.clusterObeys();
    story.asks("vision", 4).lasting(Time.HOUR).on(RESERVATION).lease();
    Lease ending = story.lease(borrower.id());
    assertThat(ending.state()).isEqualTo(LeaseState.ENDING);
    Lease second = story.asks("vision", 4).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(second.state()).as("nobody is left to end for it").isEqualTo(LeaseState.WAITING);
    assertThat(story.lease(borrower.id())).isEqualTo(ending);
    story.clusterObeys();
    assertThat(story.state(second.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void whoMayStartWithinALongerTimeStartsWhereItIsSetAside() {
    setAside(8, true);
    story.after(8 * Time.HOUR);
    Lease borrower = story.asks("nlp", 8).lasting(4 * Time.HOUR).lease();
    Lease owner =
        story
            .asks("vision", 8)
            .within(story.now, nine + Time.HOUR, Time.HOUR)
            .on(RESERVATION)
            .lease();
    assertThat(owner.window()).isEqualTo(new Span(nine, nine + Time.HOUR));
    assertThat(story.lease(borrower.id()).notice()).isNotNull();
  }

  /** Its own order first, by cost; but the second of a tenant would be one too many. */
  @Test
  void whoWouldBreakABudgetGoesLast() {
    Disruption one = new Disruption(1, Time.HOUR, List.of());
    story.facts(
        new Move.ClassSet(Story.noticed(0, one, story.book.serviceClass("batch"))),
        new Move.TenantSet(new Tenant("lidar", "acme", false)));
    setAside(8, true);
    story.after(9 * Time.HOUR);
    Lease first = story.asks("nlp", 2).costing(0).lasting(2 * Time.HOUR).lease();
    Lease second = story.asks("nlp", 2).costing(1).lasting(2 * Time.HOUR).lease();
    Lease other = story.asks("lidar", 2).costing(2).lasting(2 * Time.HOUR).lease();
    story.clusterObeys();
    story.asks("vision", 6).lasting(Time.HOUR).on(RESERVATION).lease();
    assertThat(List.of(story.state(first.id()), story.state(other.id())))
        .containsOnly(LeaseState.ENDING);
    assertThat(story.state(second.id())).isEqualTo(LeaseState.ACTIVE);
  }
}
