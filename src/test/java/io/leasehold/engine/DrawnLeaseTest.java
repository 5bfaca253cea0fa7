package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A lease that draws on a reservation changes inside what is set aside, and nowhere else. */
class DrawnLeaseTest {

  private final Story story = Story.of("h100", 8, 8);
  private final Span window = new Span(Story.T, Story.T + 8 * Time.HOUR);

  private Occurrence setAside(Story where, String tenant, int gpus) {
    return Story.setAside(where.reserves(tenant, Story.AskMaker.whole(gpus), window)).getFirst();
  }

  private Lease draws(Story where, Occurrence occurrence, String tenant, int gpus) {
    Lease lease = where.asks(tenant, gpus).lasting(Time.HOUR).on(occurrence.reservation()).lease();
    where.clusterObeys();
    return where.lease(lease.id());
  }

  private static Decision resize(Story where, Lease lease, int size) {
    return where.on(new Command.Resize(lease.id(), size, List.of()));
  }

  @Test
  void growsInsideItsReservationWithoutPayingAgain() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, 0)),
        new Move.ContractSet(story.contract("vision", 8, 0)));
    Occurrence occurrence = setAside(story, "vision", 8);
    Lease lease = draws(story, occurrence, "vision", 3);
    Lease grown = ((Decision.Done) resize(story, lease, 8)).lease();
    assertThat(grown.booking().gpuMilli()).isEqualTo(8_000);
    assertThat(grown.booking().slots())
        .extracting(Booking.Slot::node)
        .containsOnly(occurrence.booking().slots().getFirst().node());
    assertThat(grown.change().ordered()).as("the cluster is told").isTrue();
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(8_000);
    resize(story, grown, 2);
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(8_000);
  }

  @Test
  void growsNoFurtherThanItsReservationThoughTheFleetHasRoom() {
    Occurrence occurrence = setAside(story, "vision", 8);
    Lease lease = draws(story, occurrence, "vision", 3);
    Lease other = draws(story, occurrence, "vision", 1);
    Decision.Declined tooMuch = (Decision.Declined) resize(story, lease, 8);
    assertThat(tooMuch.why()).isEqualTo(Decision.Declined.Why.SHORTAGE);
    assertThat(tooMuch.answer().reasons())
        .extracting(Answer.Reason::code)
        .as("nothing of it is lent")
        .containsExactly("capacity");
    assertThat(tooMuch.answer().alternatives())
        .singleElement()
        .satisfies(fewer -> assertThat(fewer.ask().shape().size()).isEqualTo(7));
    assertThat(story.lease(lease.id())).as("nothing changed").isEqualTo(lease);
    story.on(new Command.Release(other.id()));
    story.clusterObeys();
    assertThat(resize(story, lease, 8)).isInstanceOf(Decision.Done.class);
  }

  /** Growing ends nobody; who asks anew takes back what is lent. */
  @Test
  void isToldWhenOthersHaveSomeOfItsReservation() {
    Story one = Story.of("h100", 8);
    UUID reservation = new UUID(5, 77);
    one.reserves(reservation, "vision", Story.AskMaker.whole(8), true, Span.FOREVER, window);
    Lease lease = one.asks("vision", 2).lasting(Time.HOUR).on(reservation).lease();
    Lease borrower = one.asks("nlp", 4).lasting(Time.HOUR).lease();
    one.clusterObeys();
    Decision.Declined declined = (Decision.Declined) resize(one, lease, 6);
    assertThat(declined.answer().reasons()).extracting(Answer.Reason::code).contains("lent");
    assertThat(one.state(borrower.id())).isEqualTo(LeaseState.ACTIVE);
    Lease anew = one.asks("vision", 6).lasting(Time.HOUR).on(reservation).lease();
    assertThat(anew.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(one.lease(borrower.id()).endCause()).isEqualTo("preempted");
  }

  @Test
  void whoGrowsGivesWayAtTheEndOfItsReservation() {
    Story one = Story.of("h100", 8);
    Occurrence occurrence = setAside(one, "vision", 8);
    one.asks("nlp", 8).at(window.end(), window.end() + Time.HOUR).lease();
    Lease lease = one.asks("vision", 2).lasting(8 * Time.HOUR).on(occurrence.reservation()).lease();
    one.clusterObeys();
    Lease grown = ((Decision.Done) resize(one, lease, 6)).lease();
    assertThat(grown.booking().gpuMilli()).isEqualTo(6_000);
    assertThat(grown.booking().hold().end()).isEqualTo(window.end());
  }

  @Test
  void itsNodeIsReplacedByAnotherOfItsReservation() {
    Occurrence occurrence = setAside(story, "vision", 12);
    Lease lease = draws(story, occurrence, "vision", 2);
    UUID node = lease.booking().slots().getFirst().node();
    Decision done = story.on(new Command.Replace(lease.id(), List.of(node), "broken"));
    Lease replaced = ((Decision.Done) done).lease();
    assertThat(replaced.booking().slots())
        .extracting(Booking.Slot::node)
        .doesNotContain(node)
        .isSubsetOf(occurrence.booking().slots().stream().map(Booking.Slot::node).toList());
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(12_000);
  }

  @Test
  void withoutASpareInItsReservationItWaitsForOne() {
    Occurrence occurrence = setAside(story, "vision", 12);
    Lease first = draws(story, occurrence, "vision", 8);
    Lease second = draws(story, occurrence, "vision", 4);
    UUID node = second.booking().slots().getFirst().node();
    Decision waits = story.on(new Command.Replace(second.id(), List.of(node), "broken"));
    assertThat(((Decision.Decided) waits).answer().verdict()).isEqualTo(Verdict.WAITING);
    story.on(new Command.Release(first.id()));
    story.clusterObeys();
    assertThat(story.lease(second.id()).booking().slots())
        .extracting(Booking.Slot::node)
        .doesNotContain(node);
  }

  @Test
  void isHandedToWhomTheReservationIsForAndToNobodyElse() {
    Occurrence common = setAside(story, "acme", 8);
    Lease lease = draws(story, common, "vision", 4);
    Lease handed = ((Decision.Done) story.on(new Command.Transfer(lease.id(), "nlp"))).lease();
    assertThat(handed.ask().tenant()).isEqualTo("nlp");
    assertThat(story.book.usage().of("nlp", "h100").at(story.now)).isZero();
    assertThat(story.book.usage().of("acme", "h100").at(story.now)).isEqualTo(8_000);

    Lease own = draws(story, setAside(story, "vision", 4), "vision", 4);
    Decision.Declined declined =
        (Decision.Declined) story.on(new Command.Transfer(own.id(), "nlp"));
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE);
    assertThat(declined.detail()).contains("only vision and tenants below it");
    assertThat(story.lease(own.id()).ask().tenant()).isEqualTo("vision");
  }

  @Test
  void isLengthenedNoFurtherThanToWhoDrawsAfterIt() {
    Occurrence occurrence = setAside(story, "vision", 8);
    Lease first = draws(story, occurrence, "vision", 8);
    long two = Story.T + 2 * Time.HOUR;
    Lease second =
        story.asks("vision", 8).at(two, two + Time.HOUR).on(occurrence.reservation()).lease();
    long withdrawn = two - 90 * Time.SECOND;
    Decision.Declined tooLong =
        (Decision.Declined) story.on(new Command.Extend(first.id(), withdrawn + 1));
    assertThat(tooLong.answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("capacity");
    assertThat(tooLong.answer().blockedBy())
        .extracting(Answer.Blocker::lease)
        .containsExactly(second.id());
    story.on(new Command.Extend(first.id(), withdrawn));
    assertThat(story.lease(first.id()).window().end()).isEqualTo(withdrawn);
    assertThat(story.lease(first.id()).booking().hold().end()).isEqualTo(two);
  }

  @Test
  void isHeldNoLongerForBeingShortened() {
    Occurrence occurrence = setAside(story, "vision", 8);
    long end = window.end();
    Shape there = Story.AskMaker.whole(8).avoiding(List.of(new UUID(7, 1)));
    story.asks("nlp", 8).shape(there).at(end, end + Time.HOUR).lease();
    Lease lease =
        story.asks("vision", 8).lasting(8 * Time.HOUR).on(occurrence.reservation()).lease();
    assertThat(lease.booking().hold().end()).as("somebody comes at once").isEqualTo(end);
    story.on(new Command.Shorten(lease.id(), end - 10 * Time.SECOND));
    assertThat(story.lease(lease.id()).window().end()).isEqualTo(end - 10 * Time.SECOND);
    assertThat(story.lease(lease.id()).booking().hold().end()).isEqualTo(end);
  }

  @Test
  void isHeldNoLongerThanItsNodeStays() {
    Occurrence occurrence = setAside(story, "vision", 8);
    long deadline = window.end() + 10 * Time.SECOND;
    story.on(new Command.Drain(Fleet.nodes(occurrence.booking()), deadline));
    UUID reservation = occurrence.reservation();
    Lease now = story.asks("vision", 2).lasting(8 * Time.HOUR).on(reservation).lease();
    Lease within =
        story
            .asks("vision", 2)
            .within(Story.T + Time.HOUR, window.end(), 7 * Time.HOUR)
            .on(reservation)
            .lease();
    assertThat(now.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(now.booking().hold().end()).isEqualTo(window.end());
    assertThat(within.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(within.booking().hold().end()).isEqualTo(window.end());
  }
}
