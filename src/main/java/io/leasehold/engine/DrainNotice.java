package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * What a lease is told of drains: the first deadline of one of its nodes that comes before its hold
 * is over. A notice of another cause stands.
 */
final class DrainNotice {

  static final String CAUSE = "drained";

  private DrainNotice() {}

  /** The notice a lease should carry with this booking; null = none. */
  static Lease.@Nullable Notice of(Book book, Lease lease, Booking booking) {
    Lease.Notice told = lease.notice();
    if (told != null && !told.cause().equals(CAUSE)) {
      return told;
    }
    Long first = null;
    for (Booking.Slot slot : booking.slots()) {
      Node node = book.node(slot.node());
      Long deadline = node == null ? null : node.drainDeadline();
      if (deadline != null && deadline < booking.hold().end()) {
        first = first == null ? deadline : Long.valueOf(Math.min(first, deadline));
      }
    }
    return first == null ? null : new Lease.Notice(CAUSE, first);
  }
}
