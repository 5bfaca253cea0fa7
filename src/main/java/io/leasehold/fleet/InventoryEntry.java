package io.leasehold.fleet;

import io.leasehold.engine.Domain;
import io.leasehold.web.Problem.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as an inventory tells it, not yet checked.
 *
 * @param at where its fields stand in what was sent
 * @param cluster null = the one that the whole inventory is for
 * @param cpuMilli null = as it is known already
 * @param memoryMiB null = as it is known already
 * @param domain the whole place; null = as it is known already
 * @param gpuUuids by index; null = as they are known already
 */
record InventoryEntry(
    Locator at,
    @Nullable String cluster,
    @Nullable String name,
    @Nullable String model,
    @Nullable Long gpuCount,
    @Nullable Long cpuMilli,
    @Nullable Long memoryMiB,
    @Nullable Domain domain,
    @Nullable List<String> gpuUuids) {

  /** Where a field stands: a pointer in JSON, line and column in CSV. */
  @FunctionalInterface
  interface Locator {
    Fault fault(String field, String code, String detail);
  }
}
