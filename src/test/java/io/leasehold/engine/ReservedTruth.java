package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** What is set aside is there for who owns it, over all of its time, and for nobody else. */
final class ReservedTruth {

  private final PoolTruth truth;

  ReservedTruth(PoolTruth truth) {
    this.truth = truth;
  }

  void judge(Move.OccurrenceMoved moved, Occurrence was, long at) {
    Occurrence is = moved.after();
    String who = "occurrence " + is.id() + " ";
    if (was == null) {
      check(is.revision() == 1, who + "comes from nowhere");
      return;
    }
    check(is.revision() == was.revision() + 1, who + "does not follow");
    check(is.tenant().equals(was.tenant()) && is.lend() == was.lend(), who + "changes hands");
    boolean changed = moved.cause().equals("changed");
    check(changed || is.window().equals(was.window()), who + "is at another time");
    check(changed || is.shape().equals(was.shape()), who + "has another size");
    switch (moved.cause()) {
      case "over" -> check(was.window().end() <= at, who + "is over before its end");
      case "no-show" -> {
        check(was.noShowAt() <= at, who + "is released too soon");
        check(drawing(was).isEmpty(), who + "is released though somebody came");
      }
      case "cancelled" -> check(drawing(was).isEmpty(), who + "is taken from who draws on it");
      default -> check(is.isLive(), who + "ends by " + moved.cause());
    }
  }

  private List<Lease> drawing(Occurrence occurrence) {
    return truth.leases.values().stream()
        .filter(lease -> occurrence.reservation().equals(lease.ask().reservation()))
        .filter(lease -> lease.state().hasPromise())
        .filter(lease -> occurrence.window().contains(lease.window().start()))
        .toList();
  }

  /** Nobody else has its devices in its time; and the book knows what nobody has of it. */
  void apart(Set<UUID> touched, Book book) {
    for (Occurrence each : truth.occurrences.values()) {
      size(each);
      for (Lease lease : truth.leases.values()) {
        boolean mayHaveIt =
            !lease.state().hasPromise()
                || each.reservation().equals(lease.ask().reservation())
                || each.lend() && lease.ask().preemptible();
        truth.check(
            mayHaveIt || !meet(each.booking(), lease.booking()),
            "%s has what is set aside for others",
            lease);
        if (lease.state().hasPromise() && each.reservation().equals(lease.ask().reservation())) {
          draws(lease, each);
        }
      }
      for (Occurrence other : truth.occurrences.values()) {
        check(
            each.id().compareTo(other.id()) <= 0 || !meet(each.booking(), other.booking()),
            "occurrences " + each.id() + " and " + other.id() + " have the same devices");
      }
      undrawn(each, touched, book);
    }
  }

  private void size(Occurrence each) {
    check(
        each.degraded() || each.booking().gpuMilli() == 1_000L * each.shape().pieces(),
        "occurrence " + each.id() + " has another size than it says");
  }

  /** Who draws on it lies on it. */
  private void draws(Lease lease, Occurrence each) {
    if (each.window().contains(lease.window().start())) {
      truth.check(lease.window().end() <= each.window().end(), "%s outlasts what it is on", lease);
      Map<UUID, Long> all = gpus(each.booking());
      for (Booking.Slot slot : lease.booking().slots()) {
        truth.check(
            (slot.units().gpus() & ~all.getOrDefault(slot.node(), 0L)) == 0,
            "%s lies beside what it draws on",
            lease);
      }
    }
  }

  private static boolean meet(Booking one, Booking other) {
    if (!one.hold().overlaps(other.hold())) {
      return false;
    }
    for (Booking.Slot slot : one.slots()) {
      for (Booking.Slot each : other.slots()) {
        if (slot.node().equals(each.node()) && (slot.units().gpus() & each.units().gpus()) != 0) {
          return true;
        }
      }
    }
    return false;
  }

  private void undrawn(Occurrence each, Set<UUID> touched, Book book) {
    Map<UUID, Long> all = gpus(each.booking());
    Set<UUID> nodes = new TreeSet<>(all.keySet());
    nodes.retainAll(touched);
    for (UUID node : nodes) {
      List<Booking> holds = new ArrayList<>();
      for (Lease lease : truth.leases.values()) {
        hold(lease.taken(), node, holds);
        hold(lease.leaving(), node, holds);
      }
      Set<Long> instants = new TreeSet<>(Set.of(each.window().start()));
      for (Booking hold : holds) {
        instants.add(hold.hold().start());
        instants.add(hold.hold().end());
      }
      instants.add(book.now());
      instants.removeIf(instant -> instant < book.now() || !each.window().contains(instant));
      for (long instant : instants) {
        long ours = all.get(node);
        for (Booking hold : holds) {
          ours &= hold.hold().contains(instant) ? ~gpus(hold).getOrDefault(node, 0L) : -1L;
        }
        long theirs = 0;
        for (Booking piece : book.undrawn(each.id())) {
          theirs |= piece.hold().contains(instant) ? gpus(piece).getOrDefault(node, 0L) : 0;
        }
        check(ours == theirs, "what nobody has of occurrence " + each.id() + " is wrong");
      }
    }
  }

  /** Slot by slot, each from when it came to the lease. */
  private static void hold(Booking booking, UUID node, List<Booking> holds) {
    if (booking != null) {
      for (Booking.Slot slot : booking.slots()) {
        if (slot.node().equals(node)) {
          Span hold = booking.hold();
          long from = Math.min(Math.max(hold.start(), slot.since()), hold.end() - 1);
          holds.add(booking.of(List.of(slot)).over(new Span(from, hold.end())));
        }
      }
    }
  }

  private static Map<UUID, Long> gpus(Booking booking) {
    Map<UUID, Long> gpus = new HashMap<>();
    booking.slots().forEach(s -> gpus.merge(s.node(), s.units().gpus(), (a, b) -> a | b));
    return gpus;
  }

  private void check(boolean holds, String fault) {
    truth.check(holds, fault, null);
  }
}
