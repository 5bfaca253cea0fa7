package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pool as callers see it. */
@Schema(name = "Pool", description = "A scheduling domain: a set of clusters decided on together")
public record PoolResponse(
    @Schema(example = "main") String slug,
    String description,
    @Schema(description = "OPEN; RECONCILING while it decides nothing") String state,
    @Schema(description = "Revision of the pool's book, pool:revision") String book,
    @Schema(description = "What the pool has, by GPU model; for those who may read the fleet")
        @Nullable List<PoolCapacity> capacity,
    @Schema(minimum = "0", maximum = "9007199254740991") long revision,
    Instant createTime,
    Instant updateTime) {

  static PoolResponse of(Pool pool, @Nullable List<PoolCapacity> capacity) {
    return new PoolResponse(
        pool.slug(),
        pool.description(),
        pool.state(),
        pool.book(),
        capacity,
        pool.revision(),
        pool.createTime(),
        pool.updateTime());
  }

  /** As a caller sees it who may not read the fleet. */
  PoolResponse withoutCapacity() {
    return new PoolResponse(slug, description, state, book, null, revision, createTime, updateTime);
  }
}
