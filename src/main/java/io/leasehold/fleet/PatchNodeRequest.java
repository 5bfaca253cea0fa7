package io.leasehold.fleet;

import io.leasehold.engine.Domain;
import io.leasehold.engine.Node;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may change about a node; a level of the topology that is {@code null} goes away. */
@Schema(
    description = "Merge patch: what is absent stays, what is null goes away",
    example =
        """
        { "topology": { "rack": "r2" } }
        """)
record PatchNodeRequest(
    @Schema(minimum = "0", maximum = "100000000", description = "0 = not known, then not checked")
        @Nullable Long cpuMilli,
    @Schema(minimum = "0", maximum = "1000000000", description = "0 = not known, then not checked")
        @Nullable Long memoryMiB,
    @Nullable Topology topology) {

  static PatchNodeRequest of(Node node) {
    return new PatchNodeRequest(node.cpuMilli(), node.memoryMiB(), Topology.of(node.domain()));
  }

  /** To be checked as an inventory's entry is. */
  InventoryEntry entry(Node node) {
    return new InventoryEntry(
        JsonPlaces.below(""),
        node.cluster(),
        node.name(),
        node.model(),
        (long) node.gpus().size(),
        cpuMilli,
        memoryMiB,
        domain(),
        null);
  }

  Node appliedTo(Node node) {
    return new Node(
        node.id(),
        node.ordinal(),
        node.cluster(),
        node.name(),
        node.model(),
        domain(),
        cpuMilli == null ? 0 : cpuMilli,
        memoryMiB == null ? 0 : memoryMiB,
        List.copyOf(node.gpus()),
        node.drainDeadline(),
        node.retired());
  }

  private Domain domain() {
    return topology == null ? Domain.NOWHERE : topology.domain();
  }
}
