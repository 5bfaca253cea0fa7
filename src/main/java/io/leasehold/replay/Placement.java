package io.leasehold.replay;

import org.jspecify.annotations.Nullable;

/** A policy that decides where a request lies, one by one, without knowing what comes. */
interface Placement {

  /** Where it may lie now; null = nowhere. What it says is taken before the next is asked for. */
  Racks.@Nullable Spot place(int id, Request request);

  /** A request that was placed is over. */
  default void end(int id) {}

  /** Bytes of memory for each request that is placed; NaN where that is not told. */
  default double bytesPerLease() {
    return Double.NaN;
  }
}
