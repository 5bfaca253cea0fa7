package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is set aside is nobody else's, and leases draw on it without paying twice. */
class ReservationTest {

  private static final Shape ALL = Story.AskMaker.whole(8);

  private final Story story = Story.of("h100", 8);
  private final long nine = Story.T + 9 * Time.HOUR;
  private final long five = nine + 8 * Time.HOUR;

  private Occurrence setAside(Shape shape) {
    return Story.setAside(story.reserves("vision", shape, new Span(nine, five))).getFirst();
  }

  @Test
  void nobodyElseGetsWhatIsSetAside() {
    Occurrence occurrence = setAside(ALL);
    assertThat(occurrence.booking().gpuMilli()).isEqualTo(8_000);
    assertThat(story.asks("nlp", 1).at(nine, nine + Time.HOUR).orRefuse().lease().state())
        .isEqualTo(LeaseState.REFUSED);
    assertThat(story.asks("nlp", 8).at(five, five + Time.HOUR).lease().state())
        .as("half-open: from its end on")
        .isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void aLeaseDrawsOnItForTheWholeWindowAndGivesItBack() {
    Occurrence occurrence = setAside(ALL);
    story.after(9 * Time.HOUR);
    Lease lease =
        story.asks("vision", 8).lasting(8 * Time.HOUR).on(occurrence.reservation()).lease();
    assertThat(lease.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.book.undrawn(occurrence.id())).isEmpty();
    story.clusterObeys();
    story.on(new Command.Release(lease.id()));
    story.clusterObeys();
    assertThat(story.book.undrawn(occurrence.id()))
        .singleElement()
        .satisfies(piece -> assertThat(piece.gpuMilli()).isEqualTo(8_000));
    assertThat(story.asks("nlp", 1).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void leasesMayFollowEachOtherOnIt() {
    Occurrence occurrence = setAside(ALL);
    UUID reservation = occurrence.reservation();
    Lease first = story.asks("vision", 6).at(nine, nine + Time.HOUR).on(reservation).lease();
    Lease second = story.asks("vision", 8).at(nine + 2 * Time.HOUR, five).on(reservation).lease();
    Lease tooMany = story.asks("vision", 4).at(nine, nine + Time.HOUR).on(reservation).lease();
    assertThat(List.of(first.state(), second.state(), tooMany.state()))
        .containsExactly(LeaseState.PLANNED, LeaseState.PLANNED, LeaseState.WAITING);
    assertThat(story.asks("nlp", 2).at(nine, nine + Time.HOUR).orRefuse().lease().state())
        .as("the rest stays set aside")
        .isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void aRequestForNowWaitsForItsTime() {
    Occurrence occurrence = setAside(ALL);
    Lease early = story.asks("vision", 2).on(occurrence.reservation()).lease();
    assertThat(early.state()).isEqualTo(LeaseState.WAITING);
    story.after(9 * Time.HOUR);
    assertThat(story.state(early.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void l40WhatIsSetAsideIsDrawnThoughNothingIsGuaranteedAnyMore() {
    Contract contract = story.contract("vision", 8, 0);
    story.facts(new Move.ContractSet(story.contract("acme", 8, 0)));
    story.facts(new Move.ContractSet(contract));
    Occurrence occurrence = setAside(ALL);
    assertThat(story.book.usage().of("vision", "h100").at(nine)).isEqualTo(8_000);
    story.on(new Command.Terminate(contract.id(), story.now + Time.HOUR));
    story.facts(new Move.ContractSet(story.contract("nlp", 8, 0)));
    story.after(9 * Time.HOUR);
    assertThat(story.asks("vision", 8).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
    Lease drawn = story.asks("vision", 8).of("realtime").on(occurrence.reservation()).lease();
    assertThat(drawn.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(8_000);
  }

  @Test
  void itMustFitTheGuaranteeOfItsOwner() {
    story.facts(new Move.ContractSet(story.contract("acme", 8, 0)));
    story.facts(new Move.ContractSet(story.contract("vision", 4, 4)));
    Decision.Declined declined =
        (Decision.Declined) story.reserves("vision", ALL, new Span(nine, five));
    assertThat(declined.answer().reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.code()).isEqualTo("guarantee"));
    assertThat(setAside(Story.AskMaker.whole(4)).booking().gpuMilli()).isEqualTo(4_000);
    Lease more = story.asks("vision", 1).of("realtime").at(nine, five).lease();
    assertThat(more.state()).as("it counts from booking").isEqualTo(LeaseState.WAITING);
  }

  @Test
  void aSeriesIsSetAsideAsAWholeOrNotAtAll() {
    story.asks("nlp", 1).at(nine + Time.DAY, five + Time.DAY).lease();
    Decision.Declined declined =
        (Decision.Declined)
            story.reserves(
                "vision",
                ALL,
                new Span(nine, five),
                new Span(nine + Time.DAY, five + Time.DAY),
                new Span(nine + 2 * Time.DAY, five + 2 * Time.DAY));
    assertThat(declined.answer().reasons())
        .singleElement()
        .satisfies(
            reason ->
                assertThat(reason.name())
                    .isEqualTo(
                        java.time.Instant.ofEpochSecond((nine + Time.DAY) / Time.SECOND)
                            .toString()));
    assertThat(story.book.occurrences()).isEmpty();
    Answer.Alternative fewer =
        declined.answer().alternatives().stream()
            .filter(each -> each.kind().equals("fewer-gpus"))
            .findFirst()
            .orElseThrow();
    assertThat(fewer.ask().shape().count()).isEqualTo(7);
  }

  @Test
  void isReleasedWhenNobodyComes() {
    Occurrence occurrence =
        Story.setAside(
                story.reserves(
                    UUID.randomUUID(), "vision", ALL, false, Time.HOUR, new Span(nine, five)))
            .getFirst();
    story.after(10 * Time.HOUR - 1);
    assertThat(story.occurrence(occurrence.id())).isNotNull();
    Batch batch = story.after(1);
    assertThat(batch.moves())
        .singleElement()
        .satisfies(move -> assertThat(((Move.OccurrenceMoved) move).cause()).isEqualTo("no-show"));
    assertThat(story.asks("nlp", 8).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void whoCameOnceIsNoNoShow() {
    Occurrence occurrence =
        Story.setAside(
                story.reserves(
                    UUID.randomUUID(), "vision", ALL, false, Time.HOUR, new Span(nine, five)))
            .getFirst();
    story.after(9 * Time.HOUR);
    Lease lease = story.asks("vision", 1).on(occurrence.reservation()).lease();
    story.clusterObeys();
    story.on(new Command.Release(lease.id()));
    story.clusterObeys();
    story.after(3 * Time.HOUR);
    assertThat(story.occurrence(occurrence.id())).isNotNull();
  }

  @Test
  void whoIsPlannedToComeIsWaitedFor() {
    Occurrence occurrence =
        Story.setAside(
                story.reserves(
                    UUID.randomUUID(), "vision", ALL, false, Time.HOUR, new Span(nine, five)))
            .getFirst();
    long late = nine + 3 * Time.HOUR;
    Lease planned = story.asks("vision", 1).at(late, five).on(occurrence.reservation()).lease();
    story.after(11 * Time.HOUR);
    assertThat(story.occurrence(occurrence.id()).noShowAt()).isEqualTo(late + Time.HOUR);
    story.on(new Command.Cancel(planned.id()));
    story.after(2 * Time.HOUR);
    assertThat(story.occurrence(occurrence.id())).isNull();
  }

  @Test
  void l25OneOccurrenceMovesAndTheOthersStay() {
    List<Occurrence> series =
        Story.setAside(
            story.reserves(
                "vision",
                ALL,
                new Span(nine, five),
                new Span(nine + Time.DAY, five + Time.DAY),
                new Span(nine + 2 * Time.DAY, five + 2 * Time.DAY)));
    Occurrence third = series.get(2);
    Span later = new Span(third.window().start() + Time.HOUR, third.window().end() + Time.HOUR);
    story.on(new Command.ChangeOccurrence(third.id(), later, third.shape()));
    assertThat(story.occurrence(third.id()).window()).isEqualTo(later);
    assertThat(story.occurrence(series.get(0).id())).isEqualTo(series.get(0));
    assertThat(story.occurrence(series.get(1).id())).isEqualTo(series.get(1));
    assertThat(
            story.asks("nlp", 8).at(nine + 2 * Time.DAY, later.start()).orRefuse().lease().state())
        .as("its hold would reach into it")
        .isEqualTo(LeaseState.REFUSED);
    assertThat(
            story
                .asks("nlp", 8)
                .at(nine + 2 * Time.DAY, later.start() - 2 * Time.MINUTE)
                .lease()
                .state())
        .isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void l25ItsStartIsFixedOnceItHasBegunAndItsEndIsNot() {
    Occurrence occurrence = setAside(ALL);
    story.after(10 * Time.HOUR);
    Decision.Declined declined =
        (Decision.Declined)
            story.on(
                new Command.ChangeOccurrence(
                    occurrence.id(), new Span(nine + 2 * Time.HOUR, five), ALL));
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE);
    story.on(new Command.ChangeOccurrence(occurrence.id(), new Span(nine, five + Time.HOUR), ALL));
    assertThat(story.occurrence(occurrence.id()).window().end()).isEqualTo(five + Time.HOUR);
    assertThat(story.occurrence(occurrence.id()).booking().slots())
        .isEqualTo(occurrence.booking().slots());
  }

  @Test
  void isNotTakenBackUnderALease() {
    Occurrence occurrence = setAside(ALL);
    Lease lease = story.asks("vision", 1).at(nine, five).on(occurrence.reservation()).lease();
    Command cancel = new Command.CancelOccurrences(List.of(occurrence.id()));
    assertThat(((Decision.Declined) story.on(cancel)).why())
        .isEqualTo(Decision.Declined.Why.IN_USE);
    story.on(new Command.Cancel(lease.id()));
    story.on(cancel);
    assertThat(story.book.occurrences()).isEmpty();
    assertThat(story.asks("nlp", 8).at(nine, five).lease().state()).isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void extendsNoFurtherThanItsReservation() {
    Occurrence occurrence = setAside(ALL);
    Lease lease =
        story.asks("vision", 8).at(nine, nine + Time.HOUR).on(occurrence.reservation()).lease();
    story.asks("nlp", 8).at(five, five + Time.HOUR).lease();
    Decision.Declined tooFar =
        (Decision.Declined) story.on(new Command.Extend(lease.id(), five + Time.HOUR));
    assertThat(tooFar.answer().reasons().getFirst().code()).isEqualTo("reservation-ends");
    assertThat(tooFar.answer().alternatives())
        .singleElement()
        .satisfies(
            shorter ->
                assertThat(shorter.ask().when()).isEqualTo(new Ask.When.At(new Span(nine, five))));
    story.on(new Command.Extend(lease.id(), five));
    assertThat(story.lease(lease.id()).window()).isEqualTo(new Span(nine, five));
    assertThat(story.lease(lease.id()).booking().hold().end())
        .as("somebody comes at once: no withdrawal beyond the end")
        .isEqualTo(five);
  }

  @Test
  void isBoundElsewhereWhenItsNodeIsLost() {
    Story two = Story.of("h100", 8, 8);
    Occurrence occurrence =
        Story.setAside(two.reserves("vision", ALL, new Span(nine, five))).getFirst();
    Node lost = two.book.node(occurrence.booking().slots().getFirst().node());
    two.breakGpu(lost.ordinal(), 3);
    Occurrence moved = two.occurrence(occurrence.id());
    assertThat(moved.window()).isEqualTo(occurrence.window());
    assertThat(moved.booking().slots().getFirst().node()).isNotEqualTo(lost.id());
    assertThat(moved.degraded()).isFalse();
  }

  @Test
  void isDegradedWhereNothingElseIsFreeAndHeals() {
    Occurrence occurrence = setAside(ALL);
    story.breakGpu(0, 3);
    assertThat(story.occurrence(occurrence.id()).degraded()).isTrue();
    assertThat(story.asks("vision", 7).at(nine, five).on(occurrence.reservation()).lease().state())
        .isEqualTo(LeaseState.PLANNED);
    story.setHealth(0, 3, Health.OK);
    assertThat(story.occurrence(occurrence.id()).degraded()).isFalse();
  }

  @Test
  void anotherTenantDoesNotDrawOnIt() {
    Occurrence occurrence = setAside(ALL);
    Decision decision =
        story.on(
            new Command.Create(
                story.asks("nlp", 1).at(nine, five).on(occurrence.reservation()).ask()));
    assertThat(((Decision.Declined) decision).why()).isEqualTo(Decision.Declined.Why.NOT_FOUND);
  }

  @Test
  void moreThanIsSetAsideIsNeverDrawn() {
    Occurrence occurrence = setAside(Story.AskMaker.whole(4));
    Decision.Decided decided =
        story.asks("vision", 5).at(nine, five).on(occurrence.reservation()).decided();
    assertThat(decided.answer().refusal()).isEqualTo(Answer.Refusal.NEVER);
    assertThat(decided.answer().reasons().getFirst().limit()).isEqualTo(4);
    Decision.Decided tooLong =
        story.asks("vision", 1).lasting(9 * Time.HOUR).on(occurrence.reservation()).decided();
    assertThat(tooLong.answer().refusal()).isEqualTo(Answer.Refusal.NEVER);
  }

  /** L8, E8: the windows of a Monday, nine o'clock in Berlin, after the clocks have changed. */
  @Test
  void l8WhatOverlapsAnOccurrenceIsRefusedAndWhatFollowsItIsNot() {
    List<Span> mondays = new ArrayList<>();
    ZonedDateTime first = ZonedDateTime.of(2027, 3, 8, 9, 0, 0, 0, ZoneId.of("Europe/Berlin"));
    for (int week = 0; week < 8; week++) {
      long start = first.plusWeeks(week).toEpochSecond() * Time.SECOND;
      mondays.add(new Span(start, start + Time.HOUR));
    }
    story.reserves("vision", ALL, mondays.toArray(Span[]::new));
    long seven = Instant.parse("2027-04-05T07:00:00Z").getEpochSecond() * Time.SECOND;
    assertThat(
            story
                .asks("nlp", 1)
                .at(seven + Time.HOUR / 2, seven + Time.HOUR)
                .orRefuse()
                .lease()
                .state())
        .isEqualTo(LeaseState.REFUSED);
    assertThat(
            story
                .asks("nlp", 8)
                .at(seven + Time.HOUR, seven + 3 * Time.HOUR / 2)
                .orRefuse()
                .lease()
                .state())
        .isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void l28WhatDrainsIsNotSetAsideAndATypedSetIsNotEaten() {
    Story mixed = Story.of("h100", 4, 4);
    mixed.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 81_920, 0, 0, List.of(), 0)),
        new Move.NodeSet(mixed.node("a100", 4)));
    mixed.on(new Command.Drain(List.of(new UUID(7, 0)), mixed.now + Time.HOUR));
    Occurrence typed =
        Story.setAside(
                mixed.reserves("vision", Story.AskMaker.whole(4, "h100"), new Span(nine, five)))
            .getFirst();
    assertThat(typed.booking().slots())
        .extracting(Booking.Slot::node)
        .as("not the node that drains")
        .containsExactly(new UUID(7, 1));
    assertThat(mixed.asks("nlp", 5).at(nine, five).orRefuse().lease().state())
        .isEqualTo(LeaseState.REFUSED);
    Lease untyped = mixed.asks("nlp", 4).at(nine, five).lease();
    assertThat(untyped.booking().model()).isEqualTo("a100");
    assertThat(mixed.book.undrawn(typed.id()))
        .singleElement()
        .satisfies(piece -> assertThat(piece.gpuMilli()).isEqualTo(4_000));
  }

  /** L34: a reservation that is over concerns who names it, and nobody else. */
  @Test
  void l34WhatIsOverOnlyConcernsWhoNamesIt() {
    Occurrence occurrence = setAside(ALL);
    story.after(18 * Time.HOUR);
    assertThat(story.asks("vision", 1).on(occurrence.reservation()).decided().answer().refusal())
        .isEqualTo(Answer.Refusal.NEVER);
    assertThat(story.asks("vision", 8).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }
}
