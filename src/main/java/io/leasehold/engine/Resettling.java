package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Places one request on one model over one hold as if some parts of leases were elsewhere, and
 * finds those a place: all of them, none on what the request then has. Changes nothing.
 */
final class Resettling {

  private final Book book;
  private final Capacity capacity;
  private final long now;
  private final Exchange exchange;
  private final Ask ask;
  private final String model;
  private final Span hold;
  private final Budget budget;

  /** All that a lease has on one node. */
  record Part(Lease lease, UUID node, long milli) {}

  /** A lease whose parts on some nodes lie elsewhere. */
  record Moved(Lease lease, Parting.Parts parts, Booking others, Booking after) {
    long milli() {
      return parts.given().stream().mapToLong(slot -> slot.units().size()).sum();
    }
  }

  /** Where the request lies once these have moved. */
  record Cleared(Booking booking, List<Moved> moves, List<Part> parts) {

    static final Comparator<Cleared> CHEAPEST =
        Comparator.comparingInt((Cleared each) -> each.moves.size())
            .thenComparingLong(each -> each.moves.stream().mapToLong(Moved::milli).sum());
  }

  Resettling(Turn turn, Ask ask, String model, Span hold, Budget budget) {
    this.book = turn.book();
    this.capacity = book.capacity();
    this.now = turn.now();
    this.exchange = new Exchange(turn);
    this.ask = ask;
    this.model = model;
    this.hold = hold;
    this.budget = budget;
  }

  /** Whether the request has room where these are not, wherever they then go. */
  boolean fitsWithout(Collection<Part> lifted) {
    int mark = book.mark();
    lifted.forEach(this::lift);
    Found found = capacity.placeUntold(ask.shape(), model, hold, now, budget);
    book.undo(mark);
    return found instanceof Found.Room;
  }

  /** Moves those of these parts that are in the way; null where one would have no place. */
  @Nullable Cleared without(Collection<Part> lifted) {
    int mark = book.mark();
    lifted.forEach(this::lift);
    Found found = capacity.placeUntold(ask.shape(), model, hold, now, budget);
    Cleared cleared = null;
    if (found instanceof Found.Room room) {
      capacity.take(ask.lease(), room.booking());
      cleared = settled(room.booking(), lifted);
    }
    book.undo(mark);
    return cleared;
  }

  /** It keeps what the cluster has in its hands until that is surely gone. */
  private void lift(Part part) {
    Booking slots = slots(part);
    capacity.give(part.lease().id(), slots);
    if (part.lease().state().hasPossession()) {
      capacity.take(part.lease().id(), slots.over(leaving(part.lease())));
    }
  }

  private void putBack(Part part) {
    Booking slots = slots(part);
    if (part.lease().state().hasPossession()) {
      capacity.give(part.lease().id(), slots.over(leaving(part.lease())));
    }
    capacity.take(part.lease().id(), slots);
  }

  private Booking slots(Part part) {
    Booking booking = Objects.requireNonNull(part.lease().booking());
    return booking.of(exchange.parted(part.lease(), Set.of(part.node())).given());
  }

  /** Until when what it gives back may still be in the cluster's hands. */
  private Span leaving(Lease lease) {
    return exchange.leavingUntil(lease);
  }

  private @Nullable Cleared settled(Booking request, Collection<Part> lifted) {
    Map<Lease, Set<UUID>> homeless = new LinkedHashMap<>();
    List<Part> moved = new ArrayList<>();
    for (Part part : lifted) {
      Booking slots = slots(part);
      if (capacity.inTheWay(part.lease().id(), slots, slots.hold()).isEmpty()) {
        putBack(part);
      } else {
        homeless.computeIfAbsent(part.lease(), _ -> new LinkedHashSet<>()).add(part.node());
        moved.add(part);
      }
    }
    List<Moved> moves = new ArrayList<>();
    for (Map.Entry<Lease, Set<UUID>> each : inOrder(homeless)) {
      Moved elsewhere =
          moves.size() < Consolidation.MOST_MOVES
              ? elsewhere(each.getKey(), List.copyOf(each.getValue()))
              : null;
      if (elsewhere == null) {
        return null;
      }
      capacity.take(elsewhere.lease().id(), elsewhere.others());
      moves.add(elsewhere);
    }
    return new Cleared(request, moves, moved);
  }

  /** The largest first, which has the fewest places to go to; then by arrival. */
  private static List<Map.Entry<Lease, Set<UUID>>> inOrder(Map<Lease, Set<UUID>> homeless) {
    List<Map.Entry<Lease, Set<UUID>>> order = new ArrayList<>(homeless.entrySet());
    order.sort(
        Comparator.comparingInt((Map.Entry<Lease, Set<UUID>> each) -> -milli(each))
            .thenComparing(each -> each.getKey().sequence()));
    return order;
  }

  private static int milli(Map.Entry<Lease, Set<UUID>> each) {
    return Objects.requireNonNull(each.getKey().booking()).slots().stream()
        .filter(slot -> each.getValue().contains(slot.node()))
        .mapToInt(slot -> slot.units().size())
        .sum();
  }

  /** On no more nodes than it has now. */
  private @Nullable Moved elsewhere(Lease lease, List<UUID> nodes) {
    Booking before = Objects.requireNonNull(lease.booking());
    Parting.Parts parts = exchange.parted(lease, new HashSet<>(nodes));
    Found found = exchange.beside(lease, exchange.part(lease, nodes), before.of(parts.kept()));
    if (!(found instanceof Found.Room room)) {
      return null;
    }
    Booking after = exchange.joined(lease, parts, room.booking());
    return after.gpuMilli() == before.gpuMilli()
            && nodes(after) <= nodes(before)
            && Rebinding.keepsTopology(book, lease.ask().shape(), before, after)
        ? new Moved(lease, parts, room.booking(), after)
        : null;
  }

  private static long nodes(Booking booking) {
    return booking.slots().stream().map(Booking.Slot::node).distinct().count();
  }
}
