package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Recomputes from the leases alone what must always hold, and says what in an image does not. */
final class Audit {

  private record Held(String what, Booking.Slot slot, Span hold) {}

  private static final Comparator<Held> BY_START =
      Comparator.comparingLong(held -> held.hold().start());

  private final Image image;
  private final TenantTree tree;
  private final List<String> faults = new ArrayList<>();

  Audit(Image image) {
    this.image = image;
    this.tree = image.tree();
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
    for (Lease lease : image.leases()) {
      if (lease.state() != LeaseState.WAITING) {
        hold("lease " + lease.id(), lease.taken(), byNode);
        hold("lease " + lease.id(), lease.leaving(), byNode);
      }
    }
    for (Image.Aside each : image.occurrences()) {
      for (Booking piece : each.undrawn()) {
        hold("occurrence " + each.occurrence().id(), piece, byNode);
      }
    }
    byNode.values().forEach(this::overlaps);
  }

  /** Of two that overlap the later one starts before the other ends. */
  private void overlaps(List<Held> onNode) {
    onNode.sort(BY_START);
    for (int i = 0; i < onNode.size(); i++) {
      Held one = onNode.get(i);
      for (int j = i + 1; j < onNode.size(); j++) {
        if (onNode.get(j).hold().start() >= one.hold().end()) {
          break;
        }
        compare(one, onNode.get(j));
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

  private void compare(Held one, Held other) {
    if (one.slot().units().overlaps(other.slot().units())) {
      faults.add(
          "I1: "
              + one.what()
              + " and "
              + other.what()
              + " hold the same units of node "
              + name(one.slot().node()));
    }
    boolean sameGpu = (one.slot().units().gpus() & other.slot().units().gpus()) != 0;
    if (sameGpu && one.slot().mode() != other.slot().mode()) {
      faults.add(
          "I1: "
              + one.what()
              + " and "
              + other.what()
              + " use a GPU of node "
              + name(one.slot().node())
              + " in two sharing modes");
    }
  }

  private String name(UUID id) {
    Node node = image.node(id);
    return node == null ? id.toString() : node.name();
  }

  /** I2: what is promised now is healthy, or its lease says that it is degraded. */
  private void promises() {
    for (Lease lease : image.leases()) {
      Booking booking = lease.booking();
      if (booking != null
          && lease.state().hasPromise()
          && lease.state() != LeaseState.PLANNED
          && !lease.degraded()
          && Soundness.isBroken(image::node, booking)) {
        faults.add("I2: lease " + lease.id() + " is on lost devices and not degraded");
      }
    }
    for (Image.Aside aside : image.occurrences()) {
      Occurrence each = aside.occurrence();
      if (!each.degraded()
          && Soundness.isBroken(image::node, Objects.requireNonNull(each.booking()))) {
        faults.add("I2: occurrence " + each.id() + " is on lost devices and not degraded");
      }
    }
  }

  /** I2: what is promised beyond what works is on record. */
  private void losses() {
    for (Move.LossSet missing : image.unrecorded()) {
      faults.add(
          "I2: broken hardware takes "
              + missing.losses()
              + " of "
              + missing.model()
              + ", and the record says "
              + image.losses(missing.model()));
    }
  }

  /** I8: what counts as used is the sum of the live leases and of what is set aside. */
  private void quotas() {
    Map<Usage.Account, Long> sums = new TreeMap<>();
    for (Lease lease : image.leases()) {
      Booking booking = lease.booking();
      Span window = lease.window();
      if (lease.state().hasPromise()
          && booking != null
          && window != null
          && lease.ask().reservation() == null) {
        long sum = 0;
        for (Charge charge : Charge.of(booking, window)) {
          sum += Fingerprint.of(charge.span(), charge.milli());
        }
        add(sum, lease.ask().tenant(), booking.model(), sums);
      }
    }
    for (Image.Aside each : image.occurrences()) {
      Occurrence occurrence = each.occurrence();
      Booking booking = Objects.requireNonNull(occurrence.booking());
      long sum = Fingerprint.of(occurrence.window(), booking.gpuMilli());
      add(sum, occurrence.tenant(), booking.model(), sums);
    }
    sums.values().removeIf(sum -> sum == 0);
    sums.forEach(
        (account, sum) -> {
          if (!sum.equals(image.usage().get(account))) {
            faults.add(
                "I8: the usage of "
                    + account.tenant()
                    + " of "
                    + account.model()
                    + " is not the sum of its leases");
          }
        });
    if (!sums.keySet().containsAll(image.usage().keySet())) {
      faults.add("I8: usage is counted for tenants without leases");
    }
  }

  private void add(long sum, String tenant, String model, Map<Usage.Account, Long> sums) {
    for (String level : tree.path(tenant)) {
      sums.merge(new Usage.Account(level, model), sum, Long::sum);
    }
  }
}
