package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/** A cluster as callers see it. */
@Schema(name = "Cluster", description = "An installation that owns nodes")
public record ClusterResponse(
    @Schema(example = "k8s-east") String slug,
    @Schema(example = "main") String pool,
    @Schema(example = "simulated") String adapter,
    @Schema(description = "true = nothing new is placed here; what runs stays") boolean paused,
    @Schema(
            description =
                "true = away, or empty though in use, for too long; as if paused until it is back")
        boolean stale,
    String description,
    @Schema(minimum = "1", maximum = "9007199254740991") long revision,
    Instant createTime,
    Instant updateTime) {

  static ClusterResponse of(Cluster cluster) {
    return new ClusterResponse(
        cluster.slug(),
        cluster.pool(),
        cluster.adapter(),
        cluster.paused(),
        cluster.stale(),
        cluster.description(),
        cluster.revision(),
        cluster.createTime(),
        cluster.updateTime());
  }
}
