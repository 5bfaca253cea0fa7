package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes of a cluster are listed. What is given must be there and equal: a node without a zone
 * is in no zone.
 */
record NodeFilter(
    @Nullable GpuModel model,
    @Nullable String name,
    @Nullable String region,
    @Nullable String zone,
    @Nullable String block,
    @Nullable String rack,
    @Nullable String nvlink,
    @Nullable Boolean draining,
    @Nullable Boolean retired) {}
