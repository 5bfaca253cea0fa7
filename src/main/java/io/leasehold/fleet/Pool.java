package io.leasehold.fleet;

import java.time.Instant;

/**
 * A scheduling domain: a set of clusters that are decided on together.
 *
 * @param state OPEN, or RECONCILING while it decides nothing
 * @param book how far its log has come, {@code pool:revision}
 * @param revision of the description; 0 before there is one
 */
record Pool(
    String slug,
    String state,
    String book,
    String description,
    long revision,
    Instant createTime,
    Instant updateTime) {}
