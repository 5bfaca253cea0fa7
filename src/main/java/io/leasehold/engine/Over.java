package io.leasehold.engine;

/**
 * The time a search looks at: half-open, {@code [start, end)}.
 *
 * @param due the hold starts now or has started: what a cluster still possesses is not free at its
 *     start
 * @param empty nothing is held and broken GPUs work: the fleet as it could ever be
 */
record Over(long start, long end, boolean due, boolean empty) {

  static Over of(Span hold, long now) {
    return new Over(hold.start(), hold.end(), hold.start() <= now, false);
  }

  static Over emptyFleet() {
    return new Over(0, Span.FOREVER, false, true);
  }
}
