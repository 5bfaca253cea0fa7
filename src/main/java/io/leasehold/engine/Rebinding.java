package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Binds a lease to other devices: start, model and shape stay (engine rule 14). Only what is not
 * published may be bound elsewhere.
 */
final class Rebinding {

  private final Turn turn;

  Rebinding(Turn turn) {
    this.turn = turn;
  }

  /**
   * A planned lease on other devices: nobody is in its way, and it is told of their drains only.
   */
  static Draft to(Booking devices, Lease lease, Book book) {
    Lease.Notice notice = DrainNotice.of(book, lease, devices);
    return Draft.of(lease).booking(devices).delayedBy(null).notice(notice);
  }

  /** Other devices for the rest of the same hold. Changes nothing. */
  Found elsewhere(Lease lease) {
    return elsewhere(lease, lease.ask().shape());
  }

  /** On none of the nodes it has now. Changes nothing. */
  Found awayFromItsNodes(Lease lease) {
    Shape shape = lease.ask().shape();
    Shape.Where where = shape.where();
    List<UUID> avoided = new ArrayList<>(where.avoidNodes());
    Objects.requireNonNull(lease.booking()).slots().forEach(slot -> avoided.add(slot.node()));
    return elsewhere(
        lease,
        new Shape(
            shape.models(),
            shape.minMemoryMiB(),
            shape.groups(),
            shape.count(),
            shape.slice(),
            shape.cpuMilli(),
            shape.memoryMiB(),
            shape.topology(),
            new Shape.Where(where.clusters(), where.avoidClusters(), avoided, where.within())));
  }

  private Found elsewhere(Lease lease, Shape shape) {
    Booking booking = Objects.requireNonNull(lease.booking());
    long start = Math.max(turn.now(), booking.hold().start());
    if (start >= booking.hold().end()) {
      return new Found.GaveUp();
    }
    if (lease.ask().reservation() != null) {
      Span rest = new Span(start, booking.hold().end());
      return new Drawing(turn.book(), turn.now()).elsewhere(lease, shape, rest);
    }
    Capacity capacity = turn.book().capacity();
    int mark = turn.book().mark();
    capacity.give(lease.id(), booking);
    Found found =
        capacity.placeUntold(
            shape,
            booking.model(),
            new Span(start, booking.hold().end()),
            turn.now(),
            new Budget(Search.STEPS));
    turn.book().undo(mark);
    return found;
  }

  /**
   * Whether other devices keep what the first ones promised beyond the shape itself: no more
   * domains where few are preferred, no fewer where they are spread.
   */
  static boolean keepsTopology(Book book, Shape shape, Booking before, Booking after) {
    for (Topology.Fill fill : Topology.of(shape.topology()).fills()) {
      long was = domains(book, before, fill.level());
      long is = domains(book, after, fill.level());
      if (fill.spread() ? is < was : is > was) {
        return false;
      }
    }
    return true;
  }

  private static long domains(Book book, Booking booking, Level level) {
    return booking.slots().stream()
        .map(slot -> Objects.requireNonNull(book.node(slot.node())))
        .map(
            node ->
                level == Level.NODE
                    ? node.domain().pathOf(node.name())
                    : String.valueOf(node.domain().path(level)))
        .distinct()
        .count();
  }
}
