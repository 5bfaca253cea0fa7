package io.leasehold.engine;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Earmarks that give way to a lease that stays or grows: one of a lower class is no promise to it
 * and is given out anew afterwards; that of one who has aged gives way to nobody.
 */
final class Yielding {

  private final Turn turn;
  private final Book book;

  Yielding(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
  }

  /**
   * @param below the priority that an earmark's class must be under
   */
  boolean yields(UUID id, int below) {
    Lease holder = book.lease(id);
    return holder != null
        && holder.state() == LeaseState.WAITING
        && book.terms(holder).serviceClass().priority() < below
        && !book.hasAged(holder, turn.now());
  }

  void displace(UUID id) {
    Lease holder = Objects.requireNonNull(book.lease(id));
    turn.move(holder, Draft.of(holder).earmark(null).lease(), "displaced");
  }

  /** All that lie on devices that a lease gets; none does on those of a reservation. */
  void displaceAll(Lease lease, Booking gets) {
    if (lease.ask().reservation() == null) {
      book.capacity().inTheWay(lease.id(), gets, gets.hold()).forEach(this::displace);
    }
  }

  /** Takes out all that yield, without a move: to look what would be free; to be undone. */
  void lift(int below) {
    for (Lease holder : List.copyOf(book.register().earmarked())) {
      if (yields(holder.id(), below)) {
        book.lift(holder);
      }
    }
  }
}
