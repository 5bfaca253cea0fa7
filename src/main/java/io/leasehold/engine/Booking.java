package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The very devices of a lease.
 *
 * @param hold the window with preparation before and withdrawal after: what planning and the
 *     database's constraint use. Quota uses the lease's window
 */
public record Booking(String cluster, String model, Span hold, List<Slot> slots) {

  public Booking {
    slots = List.copyOf(slots);
  }

  /** Thousandths of GPUs over all slots: what quota counts. */
  public long gpuMilli() {
    long sum = 0;
    for (Slot slot : slots) {
      sum += slot.units().size();
    }
    return sum;
  }

  /**
   * What one group (or the lease, without groups) has on one node.
   *
   * @param group 0 without groups
   * @param instances the MIG instances; empty in the other modes
   * @param since when it came to the lease, where that is later than the start of the hold; else 0
   */
  public record Slot(
      int group,
      UUID node,
      Mode mode,
      Units units,
      List<Instance> instances,
      long cpuMilli,
      long memoryMiB,
      long since) {

    public Slot {
      instances = List.copyOf(instances);
    }

    /** Held from the start. */
    public Slot(
        int group,
        UUID node,
        Mode mode,
        Units units,
        List<Instance> instances,
        long cpuMilli,
        long memoryMiB) {
      this(group, node, mode, units, instances, cpuMilli, memoryMiB, 0);
    }

    /** Together with another part of the same group on the same node. */
    public Slot with(Slot other) {
      List<Instance> both = new ArrayList<>(instances);
      both.addAll(other.instances);
      return new Slot(
          group,
          node,
          mode,
          units.and(other.units),
          both,
          cpuMilli + other.cpuMilli,
          memoryMiB + other.memoryMiB,
          since);
    }

    /** The same for another group, or from another instant on. */
    Slot with(int otherGroup, long from) {
      return new Slot(otherGroup, node, mode, units, instances, cpuMilli, memoryMiB, from);
    }
  }

  /** A MIG instance: profile and first memory slice on a GPU of the node. */
  public record Instance(int gpu, String profile, int start, int size) {}

  /** The same devices over another hold. */
  public Booking over(Span newHold) {
    return new Booking(cluster, model, newHold, slots);
  }

  /** Other devices in the same cluster, over the same hold. */
  Booking of(List<Slot> others) {
    return new Booking(cluster, model, hold, others);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Booking b
        && hold.equals(b.hold)
        && slots.equals(b.slots)
        && model.equals(b.model)
        && cluster.equals(b.cluster);
  }

  @Override
  public int hashCode() {
    return slots.hashCode();
  }
}
