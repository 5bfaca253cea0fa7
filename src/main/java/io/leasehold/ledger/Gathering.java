package io.leasehold.ledger;

/**
 * How long a batch waits for those who will probably be back at once. Callers that were just
 * answered tend to ask again a moment later; a batch that starts without them makes them wait for
 * two commits instead of one. Never longer than a quarter of what a batch takes lately.
 */
final class Gathering {

  private static final double SMOOTH = 0.2;
  private static final int PART = 4;

  private int expected;
  private long answeredAt;
  private double cycleNanos;

  /** A batch was answered while others waited already. */
  void answered(int answered, int waiting, long took, long nanoTime) {
    expected = answered + waiting;
    answeredAt = nanoTime;
    cycleNanos = cycleNanos == 0 ? took : (1 - SMOOTH) * cycleNanos + SMOOTH * took;
  }

  /** How many are worth waiting for; who did not come back within a batch's time is not. */
  int expected(long nanoTime) {
    return nanoTime - answeredAt > cycleNanos ? 0 : expected;
  }

  long patienceNanos() {
    return (long) (cycleNanos / PART);
  }
}
