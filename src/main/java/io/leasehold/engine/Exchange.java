package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
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
    this(turn.book(), turn.now());
  }

  Exchange(Book book, long now) {
    this.book = book;
    this.now = now;
  }

  /**
   * Devices for more of a lease over what is left of its hold, beside what it keeps: of the same
   * reservation, if it draws on one.
   */
  Found beside(Lease lease, Shape more, Booking kept) {
    Span hold = Objects.requireNonNull(lease.booking()).hold();
    Span left = new Span(Math.min(Math.max(now, hold.start()), hold.end() - 1), hold.end());
    if (lease.ask().reservation() != null) {
      return new Drawing(book, now).beside(lease, more, kept, left);
    }
    return book.capacity().beside(more, kept, left, now, new Budget(Search.STEPS));
  }

  /** As much as a lease has on these nodes, and elsewhere. */
  Shape part(Lease lease, List<UUID> nodes) {
    Shape shape = lease.ask().shape();
    Booking booking = Objects.requireNonNull(lease.booking());
    GpuModel model = book.model(booking.model());
    int items =
        booking.slots().stream()
            .filter(slot -> nodes.contains(slot.node()))
            .mapToInt(slot -> shape.groups() > 0 ? 1 : Slicing.pieces(slot, shape, model))
            .sum();
    return shape.scaled(items).avoiding(nodes);
  }

  /** What a lease has on these nodes; and what it has elsewhere. */
  Parting.Parts parted(Lease lease, Collection<UUID> nodes) {
    List<Booking.Slot> kept = new ArrayList<>();
    List<Booking.Slot> given = new ArrayList<>();
    Objects.requireNonNull(lease.booking())
        .slots()
        .forEach(slot -> (nodes.contains(slot.node()) ? given : kept).add(slot));
    return new Parting.Parts(kept, given);
  }

  /** What is kept together with what comes in the place of the rest, group by group. */
  Booking joined(Lease lease, Parting.Parts parts, Booking others) {
    List<Booking.Slot> slots = new ArrayList<>(parts.kept());
    for (int i = 0; i < others.slots().size(); i++) {
      int group = lease.ask().shape().groups() > 0 ? parts.given().get(i).group() : 0;
      slots.add(others.slots().get(i).with(group, since(lease)));
    }
    return with(lease, slots, others);
  }

  /** What a lease has then, held for as long as what comes to it can be. */
  static Booking with(Lease lease, List<Booking.Slot> slots, Booking added) {
    Booking booking = Objects.requireNonNull(lease.booking());
    return booking.of(slots).over(new Span(booking.hold().start(), added.hold().end()));
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
          .change(new Lease.Change(true, leaving(lease, given), wait(lease, booking)));
    }
    return draft.lease();
  }

  /** Nodes that still wait for others in their place: those on which it has something still. */
  private static List<UUID> wait(Lease lease, Booking booking) {
    Lease.Change change = lease.change();
    return change == null
        ? List.of()
        : change.replacing().stream()
            .filter(node -> booking.slots().stream().anyMatch(slot -> slot.node().equals(node)))
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
    return booking.of(slots).over(before == null ? leavingUntil(lease) : together(lease, before));
  }

  /** As long as a withdrawal may take, if what left before was promised to nobody until then. */
  private Span together(Lease lease, Booking before) {
    Span hold = leavingUntil(lease);
    long end = before.hold().end();
    return end >= hold.end()
            || book.capacity().inTheWay(lease.id(), before, new Span(end, hold.end())).isEmpty()
        ? hold
        : before.hold();
  }

  /** From the start of its hold for as long as a withdrawal that begins now may take. */
  Span leavingUntil(Lease lease) {
    Span hold = Objects.requireNonNull(lease.booking()).hold();
    long due = Math.min(book.terms(lease).holdEnd(now), hold.end());
    return new Span(hold.start(), Math.max(due, hold.start() + 1));
  }
}
