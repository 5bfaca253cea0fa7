package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** What an import changed, or would change. */
@Schema(name = "ImportReport", description = "What an import changed, or would change")
public record ImportReport(
    boolean dryRun,
    @Schema(minimum = "0", maximum = "10000", description = "Nodes that were not known") int added,
    @Schema(minimum = "0", maximum = "10000", description = "Nodes that differed") int changed,
    @Schema(minimum = "0", maximum = "1000000", description = "Nodes retired by prune") int removed,
    @Schema(minimum = "0", maximum = "10000", description = "Nodes known just so") int unchanged,
    @Schema(description = "What it does to leases") List<AffectedLease> affected) {

  static ImportReport of(InventoryDiff diff, NodeLedger.Run run) {
    return new ImportReport(
        run == NodeLedger.Run.DRY,
        diff.added().size(),
        diff.changed().size(),
        diff.removed().size(),
        diff.unchanged(),
        List.of());
  }

  ImportReport with(List<AffectedLease> leases) {
    return new ImportReport(dryRun, added, changed, removed, unchanged, leases);
  }
}
