package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Recomputes from the leases alone what must always hold, and says what does not. */
final class Audit {

  private record Held(String what, Booking.Slot slot, Span hold) {}

  private final Book book;
  private final List<String> faults = new ArrayList<>();

  Audit(Book book) {
    this.book = book;
  }

  List<String> faults() {
    overlaps();
    promises();
    quotas();
    losses();
    return faults;
  }

  /** I1 and the sharing modes: no unit twice at an instant, one mode on a GPU at an instant. */
  private void overlaps() {
    Map<UUID, List<Held>> byNode = new HashMap<>();
    for (Lease lease : book.leases()) {
      if (lease.state() != LeaseState.WAITING) {
        hold("lease " + lease.id(), lease.taken(), byNode);
        hold("lease " + lease.id(), lease.leaving(), byNode);
      }
    }
    for (Occurrence occurrence : book.occurrences()) {
      for (Booking piece : book.undrawn(occurrence.id())) {
        hold("occurrence " + occurrence.id(), piece, byNode);
      }
    }
    for (Node node : book.nodes()) {
      List<Held> helds = byNode.getOrDefault(node.id(), List.of());
      for (int i = 0; i < helds.size(); i++) {
        for (int j = i + 1; j < helds.size(); j++) {
          compare(node, helds.get(i), helds.get(j));
        }
      }
    }
  }

  private static void hold(String what, @Nullable Booking taken, Map<UUID, List<Held>> byNode) {
    if (taken == null) {
      return;
    }
    for (Booking.Slot slot : taken.slots()) {
      byNode
          .computeIfAbsent(slot.node(), _ -> new ArrayList<>())
          .add(new Held(what, slot, held(slot, taken.hold())));
    }
  }

  /** What came to a lease later is not held before. */
  private static Span held(Booking.Slot slot, Span hold) {
    return new Span(Math.min(Math.max(hold.start(), slot.since()), hold.end() - 1), hold.end());
  }

  private void compare(Node node, Held one, Held other) {
    if (!one.hold().overlaps(other.hold())) {
      return;
    }
    if (one.slot().units().overlaps(other.slot().units())) {
      faults.add(
          "I1: "
              + one.what()
              + " and "
              + other.what()
              + " hold the same units of node "
              + node.name());
    }
    boolean sameGpu = (one.slot().units().gpus() & other.slot().units().gpus()) != 0;
    if (sameGpu && one.slot().mode() != other.slot().mode()) {
      faults.add(
          "I1: "
              + one.what()
              + " and "
              + other.what()
              + " use a GPU of node "
              + node.name()
              + " in two sharing modes");
    }
  }

  /** I2: what is promised now is healthy, or its lease says that it is degraded. */
  private void promises() {
    for (Lease lease : book.leases()) {
      Booking booking = lease.booking();
      if (booking != null
          && lease.state().hasPromise()
          && lease.state() != LeaseState.PLANNED
          && !lease.degraded()
          && Soundness.isBroken(book, booking)) {
        faults.add("I2: lease " + lease.id() + " is on lost devices and not degraded");
      }
    }
    for (Occurrence each : book.occurrences()) {
      if (!each.degraded()
          && Soundness.isBroken(book, java.util.Objects.requireNonNull(each.booking()))) {
        faults.add("I2: occurrence " + each.id() + " is on lost devices and not degraded");
      }
    }
  }

  /** I2: what is promised beyond what works is on record. */
  private void losses() {
    for (Move.LossSet missing : new Losses(book, book.now()).changes()) {
      faults.add(
          "I2: broken hardware takes "
              + missing.losses()
              + " of "
              + missing.model()
              + ", and the record says "
              + book.losses().getOrDefault(missing.model(), List.of()));
    }
  }

  /** I8: what counts as used is the sum of the live leases and of what is set aside. */
  private void quotas() {
    Map<Usage.Account, Profile> sums =
        new TreeMap<>(
            java.util.Comparator.comparing(Usage.Account::tenant)
                .thenComparing(Usage.Account::model));
    for (Lease lease : book.leases()) {
      Booking booking = lease.booking();
      Span window = lease.window();
      if (lease.state().hasPromise()
          && booking != null
          && window != null
          && lease.ask().reservation() == null) {
        for (String level : book.tree().path(lease.ask().tenant())) {
          Profile sum =
              sums.computeIfAbsent(new Usage.Account(level, booking.model()), _ -> new Profile());
          Charge.of(booking, window).forEach(each -> sum.add(each.span(), each.milli()));
        }
      }
    }
    for (Occurrence occurrence : book.occurrences()) {
      Booking booking = java.util.Objects.requireNonNull(occurrence.booking());
      for (String level : book.tree().path(occurrence.tenant())) {
        sums.computeIfAbsent(new Usage.Account(level, booking.model()), _ -> new Profile())
            .add(occurrence.window(), booking.gpuMilli());
      }
    }
    sums.forEach(
        (account, sum) -> {
          if (!sum.sameAs(book.usage().of(account.tenant(), account.model()))) {
            faults.add(
                "I8: the usage of "
                    + account.tenant()
                    + " of "
                    + account.model()
                    + " is not the sum of its leases");
          }
        });
    if (sums.size() != book.usage().accounts()) {
      faults.add("I8: usage is counted for tenants without leases");
    }
  }
}
