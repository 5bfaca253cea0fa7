package io.leasehold.engine;

import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whether the devices of a booking are as good as they were when it was made. */
final class Soundness {

  private Soundness() {}

  /** All there, healthy and not draining: good for what has not begun. */
  static boolean isSound(Book book, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      Node node = book.node(slot.node());
      if (node == null || node.retired() || !outlives(node, booking)) {
        return false;
      }
      if (touches(node, slot, Health.SUSPECT, Health.BROKEN, Health.RETIRED)) {
        return false;
      }
    }
    return true;
  }

  /** Something it runs on is broken or gone. */
  static boolean isBroken(Book book, Booking booking) {
    return isBroken(book::node, booking);
  }

  static boolean isBroken(Function<UUID, @Nullable Node> nodes, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      Node node = nodes.apply(slot.node());
      if (node == null || node.retired() || touches(node, slot, Health.BROKEN, Health.RETIRED)) {
        return true;
      }
    }
    return false;
  }

  /** One of its nodes must be empty by now. */
  static boolean isOverdue(Book book, Booking booking, long now) {
    for (Booking.Slot slot : booking.slots()) {
      Node node = book.node(slot.node());
      if (node != null && node.drainDeadline() != null && node.drainDeadline() <= now) {
        return true;
      }
    }
    return false;
  }

  /** Some of its devices are in another condition than they were on one of the nodes before. */
  static boolean hasChanged(Book book, Booking booking, Map<UUID, Node> before) {
    for (Booking.Slot slot : booking.slots()) {
      Node old = before.get(slot.node());
      Node node = book.node(slot.node());
      if (old == null || node == null) {
        continue;
      }
      for (int k = 0; k < Math.min(old.gpus().size(), node.gpus().size()); k++) {
        boolean used = (slot.units().gpus() >>> k & 1) == 1;
        if (used && old.gpus().get(k).health() != node.gpus().get(k).health()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Nodes or devices are gone for good. */
  static boolean isGone(Book book, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      Node node = book.node(slot.node());
      if (node == null
          || node.retired()
          || !node.model().equals(booking.model())
          || touches(node, slot, Health.RETIRED)) {
        return true;
      }
    }
    return false;
  }

  /** It is over before any of its nodes must be empty. */
  static boolean outlivesDrain(Book book, Booking booking) {
    for (Booking.Slot slot : booking.slots()) {
      Node node = book.node(slot.node());
      if (node != null && !outlives(node, booking)) {
        return false;
      }
    }
    return true;
  }

  private static boolean outlives(Node node, Booking booking) {
    return node.drainDeadline() == null || booking.hold().end() <= node.drainDeadline();
  }

  private static boolean touches(Node node, Booking.Slot slot, Health... bad) {
    long gpus = slot.units().gpus();
    for (int k = 0; k < Node.MOST_GPUS; k++) {
      if ((gpus >>> k & 1) == 1) {
        if (k >= node.gpus().size()
            || java.util.List.of(bad).contains(node.gpus().get(k).health())) {
          return true;
        }
      }
    }
    return false;
  }
}
