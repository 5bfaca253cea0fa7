package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.UUID;

/** What a drain does, or would do. */
@Schema(name = "DrainReport", description = "What a drain does, or would do")
record DrainReport(
    boolean dryRun,
    @Schema(description = "The nodes meant") List<UUID> nodeIds,
    @Schema(description = "What it does to leases") List<AffectedLease> affected) {}
