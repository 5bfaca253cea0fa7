package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a gang can give and go on: whole groups, or GPUs where it has none, down to the least that
 * it may start with. It gives at once, so no class that is owed notice does.
 */
final class Surplus {

  private final Book book;
  private final Lease lease;
  private final Booking booking;
  private final Shape shape;

  Surplus(Book book, Lease lease) {
    this.book = book;
    this.lease = lease;
    this.booking = Objects.requireNonNull(lease.booking());
    this.shape = lease.ask().shape();
  }

  /** Groups, or GPUs where it has none. */
  static int of(Lease lease) {
    Shape shape = lease.ask().shape();
    return shape.minCount() > 0 ? shape.size() - shape.minCount() : 0;
  }

  /** Thousandths of a GPU in one of them. */
  long each() {
    return Need.milli(shape.scaled(1), book.model(booking.model()));
  }

  /** All groups or GPUs of the lease, each by itself. */
  List<Booking.Slot> parts() {
    List<Booking.Slot> parts = new ArrayList<>();
    for (Booking.Slot slot : booking.slots()) {
      if (shape.groups() > 0) {
        parts.add(slot);
      } else {
        parts.addAll(slicing().pieceByPiece(slot));
      }
    }
    return parts;
  }

  /** So many of them, what is broken first, if it is all the same where they lie. */
  List<Booking.Slot> any(int items) {
    Parting.Parts parts = new Parting(book, shape, booking).giveBack(items, Set.of());
    return of(Objects.requireNonNull(parts).given());
  }

  /** Those on the devices of another booking. */
  List<Booking.Slot> under(Booking other) {
    return parts().stream()
        .filter(part -> other.slots().stream().anyMatch(slot -> sharesWith(part, slot)))
        .toList();
  }

  /** The lease without some of its parts; what the cluster has of them is on its way out. */
  Lease without(List<Booking.Slot> given, long now) {
    Predicate<Booking.Slot> goes = part -> given.stream().anyMatch(each -> sharesWith(part, each));
    List<Booking.Slot> kept = new ArrayList<>();
    List<Booking.Slot> leaving = new ArrayList<>();
    for (Booking.Slot slot : booking.slots()) {
      if (!goes.test(slot)) {
        kept.add(slot);
      } else if (shape.groups() > 0) {
        leaving.add(slot);
      } else {
        Parting.Parts parts = slicing().part(slot, goes);
        kept.addAll(parts.kept());
        leaving.addAll(parts.given());
      }
    }
    Ask smaller = lease.ask().with(shape.scaled(shape.size() - given.size()));
    return new Exchange(book, now)
        .ordered(lease, Draft.of(lease).ask(smaller), booking.of(kept), leaving);
  }

  private List<Booking.Slot> of(List<Booking.Slot> slots) {
    return shape.groups() > 0
        ? slots
        : slots.stream().flatMap(slot -> slicing().pieceByPiece(slot).stream()).toList();
  }

  private Slicing slicing() {
    return new Slicing(book, shape, book.model(booking.model()));
  }

  private static boolean sharesWith(Booking.Slot one, Booking.Slot other) {
    return one.node().equals(other.node()) && one.units().overlaps(other.units());
  }
}
