package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which nodes get nothing new, and by when they must be empty. */
@Schema(
    example =
        """
        { "domain": "eu-1/eu-1a/b1/r2", "reason": "new power supply" }
        """)
record DrainRequest(
    @ArraySchema(arraySchema = @Schema(description = "Either nodeIds or domain; all in one pool"))
        @Size(max = 10_000)
        @Nullable List<@NotNull UUID> nodeIds,
    @Size(max = 600)
        @Schema(
            example = "eu-1/eu-1a/b1/r2",
            description = "Path of a domain: every node below it, or the node of that path")
        @Nullable String domain,
    @Schema(example = "main", description = "Only nodes of this pool; for a domain over several")
        @Size(max = 63)
        @Nullable String pool,
    @Schema(description = "When the nodes must be empty; absent = when their leases have ended")
        @Nullable Instant deadlineTime,
    @Size(max = 1024) @Schema(example = "new power supply") @Nullable String reason) {

  NodeSelection selection() {
    return new NodeSelection(nodeIds == null ? List.of() : nodeIds, domain, pool);
  }
}
