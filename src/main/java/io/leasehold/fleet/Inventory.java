package io.leasehold.fleet;

import io.leasehold.engine.Domain;
import io.leasehold.engine.GpuModel;
import io.leasehold.web.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes that somebody says there are, checked: every one stands in a cluster of one pool. */
record Inventory(@Nullable String pool, List<Wanted> nodes) {

  Inventory {
    nodes = List.copyOf(nodes);
  }

  /** A node as it shall be; null = as it is known already. */
  record Wanted(
      InventoryEntry.Locator at,
      String cluster,
      String name,
      GpuModel model,
      int gpuCount,
      @Nullable Long cpuMilli,
      @Nullable Long memoryMiB,
      @Nullable Domain domain,
      @Nullable List<String> gpuUuids) {}

  /** What was read, with the faults found while reading. */
  record Unchecked(List<InventoryEntry> entries, List<Problem.Fault> faults) {}
}
