package io.leasehold.fleet;

import io.leasehold.engine.Node;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A node as its row has it.
 *
 * @param drainReason why it drains; null when it does not, or nobody said
 */
record NodeRecord(
    Node node,
    String pool,
    @Nullable String drainReason,
    long revision,
    Instant createTime,
    Instant updateTime) {}
