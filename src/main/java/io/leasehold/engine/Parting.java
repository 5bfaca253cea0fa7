package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which devices a lease gives back: what is broken first, then whole nodes or groups, and only at
 * the last a part of a node. In a fixed order, so that every copy of the book chooses alike.
 */
final class Parting {

  private final Book book;
  private final Shape shape;
  private final Booking booking;
  private final @Nullable GpuModel model;

  /** What stays and what goes. */
  record Parts(List<Booking.Slot> kept, List<Booking.Slot> given) {}

  Parting(Book book, Shape shape, Booking booking) {
    this.book = book;
    this.shape = shape;
    this.booking = booking;
    this.model = book.model(booking.model());
  }

  /** Gives back so many groups or pieces; null where too much of the rest is to be kept. */
  @Nullable Parts giveBack(int items, Set<UUID> keepNodes) {
    List<Booking.Slot> free =
        new ArrayList<>(
            booking.slots().stream().filter(slot -> !keepNodes.contains(slot.node())).toList());
    free.sort(Comparator.comparing(this::isSound).thenComparing(slot -> -slot.group()));
    List<Booking.Slot> given = new ArrayList<>();
    List<Booking.Slot> kept = new ArrayList<>(booking.slots());
    int left = items;
    while (left > 0) {
      Booking.Slot next = next(free, left);
      if (next == null) {
        return null;
      }
      free.remove(next);
      int at = kept.indexOf(next);
      int size = items(next);
      if (size <= left) {
        kept.remove(at);
        given.add(next);
      } else {
        Parts parts = new Slicing(book, shape, model).part(next, size - left);
        kept.set(at, parts.kept().getFirst());
        given.addAll(parts.given());
      }
      left -= Math.min(size, left);
    }
    return new Parts(kept, given);
  }

  /** A broken one; else the largest that goes whole; else the smallest, in part. */
  private Booking.@Nullable Slot next(List<Booking.Slot> free, int left) {
    Booking.Slot whole = null;
    Booking.Slot least = null;
    for (Booking.Slot slot : free) {
      if (!isSound(slot)) {
        return slot;
      }
      if (items(slot) <= left && (whole == null || items(slot) > items(whole))) {
        whole = slot;
      }
      if (least == null || items(slot) < items(least)) {
        least = slot;
      }
    }
    return whole != null ? whole : least;
  }

  private int items(Booking.Slot slot) {
    return shape.groups() > 0 ? 1 : Slicing.pieces(slot, shape, model);
  }

  private boolean isSound(Booking.Slot slot) {
    return Soundness.isSound(book, booking.of(List.of(slot)));
  }
}
