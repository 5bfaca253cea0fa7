package io.leasehold.engine;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** The moves of one lease through its life, past the admission. */
final class Life {

  private final Turn turn;
  private final Book book;
  private final long now;

  Life(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.now = turn.now();
  }

  /** The window is over. */
  void expire(Lease lease) {
    if (lease.state() == LeaseState.PLANNED) {
      turn.move(
          lease,
          Draft.of(lease).to(LeaseState.ENDED).delayedBy(null).ended(now, "never-claimed").lease(),
          "never-claimed");
    } else {
      String cause = lease.notice() == null ? "expired" : lease.notice().cause();
      end(lease, Objects.requireNonNull(lease.window()).end(), cause);
    }
  }

  void waitIsOver(Lease lease) {
    Lease after =
        Draft.of(lease)
            .to(LeaseState.REFUSED)
            .earmark(null)
            .window(null)
            .ended(now, "wait-expired")
            .lease();
    turn.move(lease, after, "wait-expired");
    turn.answer(
        lease.id(),
        new Answer(
            Verdict.REFUSED,
            Answer.Refusal.SHORTAGE,
            now,
            null,
            false,
            List.of(Reasons.plain("wait-expired", "it did not fit while it waited")),
            List.of(),
            List.of()));
  }

  /**
   * A planned lease's hold has begun: it gets its devices, or others for the same window, or waits
   * for who still has them in its hands.
   */
  void start(Lease lease) {
    if (Objects.requireNonNull(lease.window()).end() - now <= Time.SECOND) {
      expire(lease);
      return;
    }
    Booking booking = Objects.requireNonNull(lease.booking());
    UUID inTheWay = book.capacity().possessorInTheWay(lease.id(), booking);
    if (inTheWay == null) {
      turn.move(lease, allocated(lease, booking), "started");
    } else {
      rebindOrWait(lease, inTheWay);
    }
  }

  private void rebindOrWait(Lease lease, UUID inTheWay) {
    Found found = new Rebinding(turn).elsewhere(lease);
    if (found instanceof Found.Room room) {
      turn.move(lease, allocated(lease, room.booking()), "rebound");
    } else if (!inTheWay.equals(lease.delayedBy())) {
      turn.move(lease, Draft.of(lease).delayedBy(inTheWay).lease(), "delayed");
    }
  }

  private static Lease allocated(Lease lease, Booking booking) {
    return Draft.of(lease)
        .to(LeaseState.ALLOCATED)
        .booking(booking)
        .delayedBy(null)
        .raiseGeneration()
        .lease();
  }

  /** Ends a lease in whatever live state, as of an instant; back comes how it stands. */
  Lease end(Lease lease, long at, String cause) {
    return switch (lease.state()) {
      case WAITING, PLANNED -> {
        Draft draft = Draft.of(lease).to(LeaseState.CANCELLED).earmark(null).delayedBy(null);
        yield turn.move(lease, draft.ended(now, cause).lease(), cause);
      }
      case ALLOCATED, PUBLISHING, ACTIVE -> turn.move(lease, ending(lease, at, cause), cause);
      default -> lease;
    };
  }

  /** The promise is over; until the withdrawal is due its devices still count as taken. */
  private Lease ending(Lease lease, long at, String cause) {
    Terms terms = book.terms(lease);
    Booking booking = Objects.requireNonNull(lease.booking());
    long due = Math.min(terms.holdEnd(at), booking.hold().end());
    Span hold = new Span(booking.hold().start(), Math.max(due, booking.hold().start() + 1));
    Span window = Objects.requireNonNull(lease.window());
    Span used = new Span(window.start(), Math.max(Math.min(at, window.end()), window.start() + 1));
    return Draft.of(lease)
        .to(LeaseState.ENDING)
        .booking(booking.over(hold))
        .window(used)
        .withdrawDue(hold.end())
        .ended(at, cause)
        .raiseGeneration()
        .lease();
  }
}
