package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Other nodes in the place of named ones; what a lease has elsewhere stays where it is. While there
 * is no spare it waits for one, degraded; what was promised already comes before what waits in its
 * class.
 */
final class Replacement {

  private final Turn turn;
  private final Book book;
  private final Exchange exchange;
  private final Yielding yielding;

  Replacement(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.exchange = new Exchange(turn);
    this.yielding = new Yielding(turn);
  }

  Decision replace(Lease lease, List<UUID> nodes) {
    if (!lease.state().hasPromise()) {
      return Refusals.illegal(lease, "has no nodes that could be replaced");
    }
    if (lease.ask().reservation() != null) {
      return Refusals.illegal(lease, "draws on a reservation: ask for another lease on it");
    }
    Set<UUID> held = on(lease.booking());
    Set<UUID> gone = on(lease.leaving());
    List<UUID> wanted = new ArrayList<>();
    for (UUID node : new java.util.TreeSet<>(nodes)) {
      if (held.contains(node)) {
        wanted.add(node);
      } else if (!gone.contains(node)) {
        return Refusals.illegal(lease, "has nothing on node " + node);
      }
    }
    if (wanted.isEmpty()) {
      return new Decision.Done(lease);
    }
    return switch (others(lease, wanted)) {
      case Found.Room room -> new Decision.Done(exchanged(lease, wanted, room.booking()));
      case Found.None none -> waitsOrNot(lease, wanted, missing(lease, wanted, none));
      case Found.GaveUp _ -> waitsOrNot(lease, wanted, spent());
    };
  }

  /** Room may have come: those that wait for spares, in order of precedence. */
  void retry() {
    for (Lease lease : Precedence.inOrder(book.register().replacing(), book)) {
      List<UUID> wanted = Objects.requireNonNull(lease.change()).replacing();
      if (others(lease, wanted) instanceof Found.Room room) {
        exchanged(lease, wanted, room.booking());
      }
    }
  }

  /** What it waits for, told anew. */
  Answer answer(Lease lease) {
    List<UUID> wanted = Objects.requireNonNull(lease.change()).replacing();
    return others(lease, wanted) instanceof Found.None none
        ? waiting(missing(lease, wanted, none))
        : waiting(spent());
  }

  private Found others(Lease lease, List<UUID> nodes) {
    Booking booking = Objects.requireNonNull(lease.booking());
    List<Booking.Slot> kept =
        booking.slots().stream().filter(slot -> !nodes.contains(slot.node())).toList();
    int mark = book.mark();
    yielding.lift(priority(lease) + 1);
    Found found = exchange.beside(lease, exchange.part(lease, nodes), booking.of(kept));
    book.undo(mark);
    return found;
  }

  private Lease exchanged(Lease lease, List<UUID> nodes, Booking others) {
    for (UUID id : book.capacity().inTheWay(lease.id(), others, others.hold())) {
      yielding.displace(id);
    }
    Parting.Parts parts = exchange.parted(lease, nodes);
    Draft draft = Draft.of(lease);
    if (lease.state().hasPossession()) {
      draft.degraded(true);
    }
    Lease.Change change = lease.change();
    boolean waited = change != null && !change.replacing().isEmpty();
    Booking joined = exchange.joined(lease, parts, others);
    Lease after =
        turn.move(lease, exchange.ordered(lease, draft, joined, parts.given()), "replaced");
    if (waited) {
      turn.answer(
          after.id(),
          new Answers(book, new Search(book, turn.now()), turn.now()).booked(after, true));
    }
    return after;
  }

  private Decision waitsOrNot(Lease lease, List<UUID> nodes, Attempt.Short missing) {
    if (lease.state() == LeaseState.PLANNED) {
      return Refusals.shortage(missing, List.of(), turn.now());
    }
    Lease.Change change = lease.change();
    Set<UUID> all = new java.util.TreeSet<>(nodes);
    boolean known = change != null && change.replacing().containsAll(all);
    if (change != null) {
      all.addAll(change.replacing());
    }
    Lease.Change waits =
        new Lease.Change(change != null && change.ordered(), lease.leaving(), new ArrayList<>(all));
    Lease after =
        known
            ? lease
            : turn.move(
                lease, Draft.of(lease).degraded(true).change(waits).lease(), "waits-for-spare");
    Answer answer = waiting(missing);
    turn.answer(after.id(), answer);
    return new Decision.Decided(after, answer);
  }

  private Attempt.Short missing(Lease lease, List<UUID> nodes, Found.None none) {
    Search.Misses misses = new Search.Misses(book);
    misses.none(none, Objects.requireNonNull(lease.booking()).model(), exchange.part(lease, nodes));
    return misses.asShort();
  }

  private static Attempt.Short spent() {
    return new Attempt.Short(List.of(Reasons.budget(Search.STEPS, 0)), List.of(), false, 0);
  }

  private Answer waiting(Attempt.Short missing) {
    List<Answer.Reason> reasons = new ArrayList<>();
    reasons.add(Reasons.plain("no-spare", "no other nodes are free for it; it waits for them"));
    reasons.addAll(missing.reasons());
    return new Answer(
        Verdict.WAITING, null, turn.now(), null, true, reasons, missing.blockers(), List.of());
  }

  private int priority(Lease lease) {
    return book.terms(lease).serviceClass().priority();
  }

  private static Set<UUID> on(@Nullable Booking booking) {
    Set<UUID> nodes = new HashSet<>();
    if (booking != null) {
      booking.slots().forEach(slot -> nodes.add(slot.node()));
    }
    return nodes;
  }
}
