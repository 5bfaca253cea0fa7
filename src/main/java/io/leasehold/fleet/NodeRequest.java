package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node as an operator tells it; checked by {@link InventoryRules}. */
@Schema(
    name = "CreateNodeRequest",
    requiredProperties = {"name", "model", "gpuCount"},
    example =
        """
        { "name": "gpu-17", "model": "h100", "gpuCount": 8, "cpuMilli": 128000, "memoryMiB": 1048576,
          "topology": { "region": "eu-1", "zone": "eu-1a", "block": "b1", "rack": "r1" } }
        """)
public record NodeRequest(
    @Schema(example = "gpu-17", pattern = InventoryRules.NAME_PATTERN) @Nullable String name,
    @Schema(example = "h100", description = "Slug, canonical name or alias") @Nullable String model,
    @Schema(minimum = "1", maximum = "64", example = "8") @Nullable Long gpuCount,
    @Schema(minimum = "0", maximum = "100000000", description = "0 = not known, then not checked")
        @Nullable Long cpuMilli,
    @Schema(minimum = "0", maximum = "1000000000", description = "0 = not known, then not checked")
        @Nullable Long memoryMiB,
    @Nullable Topology topology,
    @ArraySchema(
            arraySchema = @Schema(description = "As the driver prints them, one for each GPU"),
            schema = @Schema(pattern = InventoryRules.UUID_PATTERN))
        @Nullable List<String> gpuUuids) {

  /**
   * @param pointer where the node stands in the body; empty = it is the body
   */
  InventoryEntry entry(String pointer, @Nullable String cluster) {
    return new InventoryEntry(
        JsonPlaces.below(pointer),
        cluster,
        name,
        model,
        gpuCount,
        cpuMilli,
        memoryMiB,
        topology == null ? null : topology.domain(),
        gpuUuids == null || gpuUuids.isEmpty() ? null : gpuUuids);
  }
}
