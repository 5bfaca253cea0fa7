package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
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
    @Schema(
            description =
                "Whose promises broken hardware breaks, and by how much; absent where nothing is"
                    + " short. What is lent goes first, then borrowers, then guarantees")
        @Nullable List<BrokenPromise> brokenPromises,
    @Schema(minimum = "0", maximum = "9007199254740991") long revision,
    Instant createTime,
    Instant updateTime) {

  static PoolResponse of(Pool pool, List<PoolCapacity> capacity, List<BrokenPromise> broken) {
    return new PoolResponse(
        pool.slug(),
        pool.description(),
        pool.state(),
        pool.book(),
        capacity,
        broken.isEmpty() ? null : broken,
        pool.revision(),
        pool.createTime(),
        pool.updateTime());
  }

  /** As a caller sees it who may not read the fleet. */
  PoolResponse withoutCapacity() {
    return with(null, null);
  }

  /** As a caller sees it who may know whose some of the promises are. */
  PoolResponse withPromisesSeen(Predicate<String> sees) {
    if (brokenPromises == null) {
      return this;
    }
    List<BrokenPromise> shown = new ArrayList<>();
    Map<String, BrokenPromise> others = new TreeMap<>();
    for (BrokenPromise each : brokenPromises) {
      if (sees.test(each.tenant())) {
        shown.add(each);
      } else {
        others.merge(each.model(), each.masked(), BrokenPromise::plus);
      }
    }
    shown.addAll(others.values());
    return with(capacity, shown);
  }

  private PoolResponse with(
      @Nullable List<PoolCapacity> counts, @Nullable List<BrokenPromise> broken) {
    return new PoolResponse(
        slug, description, state, book, counts, broken, revision, createTime, updateTime);
  }
}
