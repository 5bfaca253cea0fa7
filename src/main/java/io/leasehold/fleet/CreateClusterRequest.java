package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** A cluster to register. */
@Schema(
    example =
        """
        { "slug": "k8s-north", "pool": "main", "adapter": "simulated" }
        """)
record CreateClusterRequest(
    @NotNull @Pattern(regexp = Slug.PATTERN, message = Slug.RULE) @Schema(example = "k8s-north")
        String slug,
    @NotNull @Pattern(regexp = Slug.PATTERN, message = Slug.RULE) @Schema(example = "main")
        String pool,
    @NotNull
        @Pattern(regexp = "^simulated$", message = "the adapters that exist: simulated")
        @Schema(example = "simulated")
        String adapter,
    @Schema(description = "true = nothing new is placed here; what runs stays")
        @Nullable Boolean paused,
    @Size(max = 1024) @Nullable String description) {

  ClusterRequest request() {
    return new ClusterRequest(pool, adapter, paused, description);
  }
}
