package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the devices of a lease change in its cluster's hands: as an order under the next generation;
 * what is given back stays possessed until the cluster has confirmed it.
 */
final class Exchange {

  private final Book book;
  private final long now;

  Exchange(Turn turn) {
    this.book = turn.book();
    this.now = turn.now();
  }

  /** Devices for more of a lease over what is left of its hold, beside what it keeps. */
  Found beside(Lease lease, Shape more, Booking kept) {
    Span hold = Objects.requireNonNull(lease.booking()).hold();
    Span left = new Span(Math.min(Math.max(now, hold.start()), hold.end() - 1), hold.end());
    return book.capacity().beside(more, kept, left, now, new Budget(Search.STEPS));
  }

  /** From when on new devices count: what has not begun has had none of them. */
  long since(Lease lease) {
    return lease.state() == LeaseState.PLANNED ? 0 : now;
  }

  /**
   * The next version, with other devices, which the cluster is to make true if it has anything of
   * the lease. A drain of nodes that it no longer has is no news to it any more.
   *
   * @param given devices that are given back
   */
  Lease ordered(Lease lease, Draft draft, Booking booking, List<Booking.Slot> given) {
    draft.booking(booking).notice(DrainNotice.of(book, lease, booking));
    if (lease.state().hasPossession()) {
      draft
          .raiseGeneration()
          .change(new Lease.Change(true, leaving(lease, given), wait(lease, given)));
    }
    return draft.lease();
  }

  /** Nodes that still wait for others in their place: not those that are given back. */
  private static List<UUID> wait(Lease lease, List<Booking.Slot> given) {
    Lease.Change change = lease.change();
    return change == null
        ? List.of()
        : change.replacing().stream()
            .filter(node -> given.stream().noneMatch(slot -> slot.node().equals(node)))
            .toList();
  }

  /** Together with what is on its way out already, for as long as a withdrawal may take. */
  private @Nullable Booking leaving(Lease lease, List<Booking.Slot> given) {
    Booking before = lease.leaving();
    if (given.isEmpty()) {
      return before;
    }
    Booking booking = Objects.requireNonNull(lease.booking());
    List<Booking.Slot> slots = new ArrayList<>(before == null ? List.of() : before.slots());
    slots.addAll(given);
    long due = Math.min(book.terms(lease).holdEnd(now), booking.hold().end());
    long start = booking.hold().start();
    return booking.of(slots).over(new Span(start, Math.max(due, start + 1)));
  }
}
