package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What is said about a cluster. Pool and adapter stay as they were registered. */
@Schema(
    name = "PutClusterRequest",
    example =
        """
        { "pool": "main", "adapter": "simulated", "description": "Racks r1 to r6" }
        """)
public record ClusterRequest(
    @NotNull @Pattern(regexp = Slug.PATTERN, message = Slug.RULE) @Schema(example = "main")
        String pool,
    @NotNull
        @Pattern(regexp = "^simulated$", message = "the adapters that exist: simulated")
        @Schema(example = "simulated")
        String adapter,
    @Schema(description = "true = nothing new is placed here; what runs stays")
        @Nullable Boolean paused,
    @Size(max = 1024) @Nullable String description) {

  boolean isPaused() {
    return Boolean.TRUE.equals(paused);
  }

  String descriptionOrNone() {
    return description == null ? "" : description;
  }

  /** Whether a cluster already is as this says. */
  boolean describes(Cluster cluster) {
    return cluster.pool().equals(pool)
        && cluster.adapter().equals(adapter)
        && cluster.paused() == isPaused()
        && cluster.description().equals(descriptionOrNone());
  }
}
