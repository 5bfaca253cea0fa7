package io.leasehold.ledger;

/**
 * How many decisions a batch may have, so that it holds the pool's lock no longer than allowed: 5
 * ms when a real-time request came within the last second, else 50 ms. Learns what a decision costs
 * from the batches before. (Database rule 15 has the figures.)
 */
final class BatchCap {

  private static final long URGENT_FOR_NANOS = 1_000_000_000L;
  private static final double SMOOTH = 0.2;
  private static final int LEAST = 4;

  private final LedgerSettings settings;
  private double nanosEach = 100_000;
  private long lastUrgent = Long.MIN_VALUE;

  BatchCap(LedgerSettings settings) {
    this.settings = settings;
  }

  /** A real-time request came. */
  void urgent(long nanoTime) {
    lastUrgent = nanoTime;
  }

  int most(long nanoTime) {
    boolean urgent = lastUrgent != Long.MIN_VALUE && nanoTime - lastUrgent < URGENT_FOR_NANOS;
    long budget = (urgent ? settings.urgentCap() : settings.cap()).toNanos();
    return (int) Math.clamp((long) (budget / nanosEach), LEAST, settings.mostInBatch());
  }

  /** A batch of so many decisions held the lock for so long. Small ones say little of the cost. */
  void held(int decisions, long nanos) {
    if (decisions >= LEAST) {
      nanosEach = (1 - SMOOTH) * nanosEach + SMOOTH * Math.max(1_000, (double) nanos / decisions);
    }
  }
}
