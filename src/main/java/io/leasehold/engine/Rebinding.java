package io.leasehold.engine;

import java.util.Objects;

/**
 * Binds a planned lease to other devices: start, model and shape stay (engine rule 14). Only what
 * is not published may be bound elsewhere.
 */
final class Rebinding {

  private final Turn turn;

  Rebinding(Turn turn) {
    this.turn = turn;
  }

  /** Other devices for the rest of the same hold. Changes nothing. */
  Found elsewhere(Lease lease) {
    Booking booking = Objects.requireNonNull(lease.booking());
    long start = Math.max(turn.now(), booking.hold().start());
    if (start >= booking.hold().end()) {
      return new Found.GaveUp();
    }
    if (lease.ask().reservation() != null) {
      Span rest = new Span(start, booking.hold().end());
      return new Drawing(turn.book(), turn.now()).elsewhere(lease, rest);
    }
    Capacity capacity = turn.book().capacity();
    int mark = turn.book().mark();
    capacity.give(lease.id(), booking);
    Found found =
        capacity.place(
            lease.ask().shape(),
            booking.model(),
            new Span(start, booking.hold().end()),
            turn.now(),
            new Budget(Search.STEPS));
    turn.book().undo(mark);
    return found;
  }
}
