package io.leasehold.engine;

import java.util.List;
import java.util.UUID;

/**
 * What a plan moves of one lease: all that it has on some nodes, to others of the same cluster.
 *
 * @param fromNodes in order
 * @param toNodes in order; none of {@code fromNodes}
 * @param gpuMilli thousandths of GPUs that move
 */
public record Relocation(
    UUID lease, String tenant, List<UUID> fromNodes, List<UUID> toNodes, long gpuMilli) {

  public Relocation {
    fromNodes = List.copyOf(fromNodes);
    toNodes = List.copyOf(toNodes);
  }

  /** Whether both move the same lease between the same nodes. */
  boolean isAs(Relocation other) {
    return lease.equals(other.lease)
        && fromNodes.equals(other.fromNodes)
        && toNodes.equals(other.toNodes);
  }
}
