package io.leasehold.fleet;

import java.time.Instant;

/**
 * An installation that owns nodes.
 *
 * @param adapter how it is reached
 * @param paused nothing new is placed here; what runs stays
 */
record Cluster(
    String slug,
    String pool,
    String adapter,
    boolean paused,
    String description,
    long revision,
    Instant createTime,
    Instant updateTime) {}
