package io.leasehold.engine;

import java.util.List;

/** What a search for devices came to. */
sealed interface Found {

  /** Devices for the whole hold. Not yet taken. */
  record Room(Booking booking) implements Found {}

  /**
   * No devices: surely, with the numbers that say why.
   *
   * @param kind count and shape are told apart
   * @param free pieces free over the hold in the cluster (or domain) that came closest
   * @param most the largest number of pieces of this shape that would have fitted
   * @param detail {@code 8 free, but as 4+4}
   * @param scope pool, cluster, domain or node: where it came closest
   * @param blockers leases that hold what is missing there, soonest free first; at most 16
   */
  record None(
      Kind kind,
      long free,
      long most,
      String detail,
      String scope,
      String name,
      List<java.util.UUID> blockers)
      implements Found {
    /** No devices, and nobody asked for the numbers. */
    static final None UNTOLD = new None(Kind.COUNT, 0, 0, "", "pool", "", List.of());

    enum Kind {
      /** Too few pieces. */
      COUNT,
      /** Enough pieces, but not in the shape asked for. */
      SHAPE,
      /** Enough GPUs, but CPU or memory beside them is short. */
      HOST,
      /** Fits, but a MIG layout or a sharing mode is in the way. */
      MODE
    }
  }

  /** The budget was used up: not an answer. */
  record GaveUp() implements Found {}
}
