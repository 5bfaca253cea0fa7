package io.leasehold.fleet;

import java.time.Instant;

/**
 * An installation that owns nodes.
 *
 * @param adapter how it is reached
 * @param paused nothing new is placed here; what runs stays
 * @param stale it was away, or empty though in use, for too long: as if paused until it is back
 */
record Cluster(
    String slug,
    String pool,
    String adapter,
    boolean paused,
    boolean stale,
    String description,
    long revision,
    Instant createTime,
    Instant updateTime) {}
