package io.leasehold.fleet;

import io.leasehold.web.Problem.Fault;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An inventory in JSON. */
@Schema(
    example =
        """
        { "nodes": [
          { "cluster": "k8s-east", "name": "gpu-18", "model": "h100", "gpuCount": 8,
            "topology": { "region": "eu-1", "zone": "eu-1a", "block": "b1", "rack": "r1" } } ] }
        """)
public record ImportRequest(
    @ArraySchema(minItems = 0, maxItems = InventoryRules.MOST_NODES)
        @Nullable List<ImportNode> nodes) {

  /** The same checks as for CSV follow; see {@link InventoryRules}. */
  Inventory.Unchecked inventory() {
    List<InventoryEntry> entries = new ArrayList<>();
    List<Fault> faults = new ArrayList<>();
    List<ImportNode> given = nodes == null ? List.of() : nodes;
    if (given.size() > InventoryRules.MOST_NODES) {
      faults.add(
          Fault.at(
              "/nodes", "too-many", "at most " + InventoryRules.MOST_NODES + " nodes at once"));
      return new Inventory.Unchecked(List.of(), faults);
    }
    for (int i = 0; i < given.size(); i++) {
      ImportNode node = given.get(i);
      if (node == null) {
        faults.add(Fault.at("/nodes/" + i, "required", "a node is required here"));
      } else {
        entries.add(node.entry("/nodes/" + i));
      }
    }
    return new Inventory.Unchecked(entries, faults);
  }

  /** A node of an inventory. */
  @Schema(requiredProperties = {"name", "model", "gpuCount"})
  public record ImportNode(
      @Schema(example = "k8s-east", description = "Unless ?cluster= is given")
          @Nullable String cluster,
      @Schema(example = "gpu-18", pattern = InventoryRules.NAME_PATTERN) @Nullable String name,
      @Schema(example = "h100", description = "Slug, canonical name or alias")
          @Nullable String model,
      @Schema(minimum = "1", maximum = "64", example = "8") @Nullable Long gpuCount,
      @Schema(minimum = "0", maximum = "100000000") @Nullable Long cpuMilli,
      @Schema(minimum = "0", maximum = "1000000000") @Nullable Long memoryMiB,
      @Nullable Topology topology,
      @ArraySchema(schema = @Schema(pattern = InventoryRules.UUID_PATTERN))
          @Nullable List<String> gpuUuids) {

    private InventoryEntry entry(String pointer) {
      return new NodeRequest(name, model, gpuCount, cpuMilli, memoryMiB, topology, gpuUuids)
          .entry(pointer, cluster);
    }
  }
}
