package io.leasehold.engine;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * What changes of the fleet do to what is set aside: it is bound to other devices for the same
 * window, as planned leases are (engine rule 15). Where leases are on it, or nothing else is free,
 * it is degraded until its devices are back; its start never moves.
 */
final class Sparing {

  private final Turn turn;
  private final Book book;

  Sparing(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
  }

  /** Nodes have changed. */
  void settle(Collection<Node> nodes) {
    for (Occurrence each : on(nodes)) {
      Booking booking = Objects.requireNonNull(each.booking());
      boolean sound = Soundness.isSound(book, booking);
      if (!sound && isIdle(each) && rebind(each)) {
        continue;
      }
      boolean degraded = !sound && Soundness.isBroken(book, booking);
      if (degraded != each.degraded()) {
        move(each.degraded(degraded), degraded ? "degraded" : "healed");
      }
    }
  }

  /** Occurrences on devices that are gone for good. */
  List<UUID> gone(Collection<Node> nodes) {
    return on(nodes).stream()
        .filter(each -> Soundness.isGone(book, Objects.requireNonNull(each.booking())))
        .map(Occurrence::id)
        .toList();
  }

  private Set<Occurrence> on(Collection<Node> nodes) {
    Set<Occurrence> on = new LinkedHashSet<>();
    nodes.forEach(node -> on.addAll(book.reserved().onNode(node.id())));
    return on;
  }

  /** No lease has anything of it. */
  private boolean isIdle(Occurrence occurrence) {
    List<Booking> undrawn = book.undrawn(occurrence.id());
    Booking all = Objects.requireNonNull(occurrence.booking());
    return undrawn.size() == 1
        && undrawn.getFirst().hold().equals(occurrence.window())
        && undrawn.getFirst().gpuMilli() == all.gpuMilli();
  }

  private boolean rebind(Occurrence occurrence) {
    Booking booking = Objects.requireNonNull(occurrence.booking());
    if (occurrence.window().end() <= turn.now()) {
      return false;
    }
    int mark = book.mark();
    book.reserved().lift(occurrence);
    Found found =
        new SetAside(turn).place(occurrence.shape(), booking.model(), occurrence.window());
    book.undo(mark);
    if (!(found instanceof Found.Room room)) {
      return false;
    }
    Booking elsewhere = room.booking().over(occurrence.window());
    move(occurrence.rebound(elsewhere), "rebound");
    return true;
  }

  private void move(Occurrence after, String cause) {
    turn.move(new Move.OccurrenceMoved(after, cause));
  }
}
