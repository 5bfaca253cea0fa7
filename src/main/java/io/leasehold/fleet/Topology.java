package io.leasehold.fleet;

import io.leasehold.engine.Domain;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Where a node stands; a level that is absent is missing. Same form in requests and answers. */
@Schema(name = "Topology", description = "Where a node stands, widest level first")
public record Topology(
    @Schema(example = "eu-1", pattern = InventoryRules.LABEL_PATTERN) @Nullable String region,
    @Schema(example = "eu-1a", pattern = InventoryRules.LABEL_PATTERN) @Nullable String zone,
    @Schema(example = "b1", pattern = InventoryRules.LABEL_PATTERN) @Nullable String block,
    @Schema(example = "r1", pattern = InventoryRules.LABEL_PATTERN) @Nullable String rack,
    @Schema(pattern = InventoryRules.LABEL_PATTERN) @Nullable String nvlink) {

  Domain domain() {
    return new Domain(region, zone, block, rack, nvlink);
  }

  static Topology of(Domain domain) {
    return new Topology(
        domain.region(), domain.zone(), domain.block(), domain.rack(), domain.nvlink());
  }
}
