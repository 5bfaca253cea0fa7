package io.leasehold.engine;

/**
 * A dominant share: borrowed / (lendable x weight), compared exactly in 128 bits. Borrowed counts
 * {@link History#WEIGHT} times, as its history does. With weight 0 and something borrowed it is
 * beyond every other; two such are compared without their weights.
 */
record Share(long borrowed, long lendable, long weight) implements Comparable<Share> {

  Share {
    if (borrowed < 0 || weight < 0) {
      throw new IllegalArgumentException("share of " + borrowed + " with weight " + weight);
    }
    lendable = Math.max(1, lendable);
  }

  @Override
  public int compareTo(Share other) {
    boolean infinite = isInfinite();
    if (infinite != other.isInfinite()) {
      return infinite ? 1 : -1;
    }
    return infinite
        ? compare(borrowed, other.lendable, other.borrowed, lendable)
        : compare(borrowed, other.divisor(), other.borrowed, divisor());
  }

  /** Shares that differ by less than a sixteenth of what can be lent are about equal. */
  long band() {
    return isInfinite() ? Long.MAX_VALUE : borrowed / (History.WEIGHT / 16) / divisor();
  }

  private boolean isInfinite() {
    return weight == 0 && borrowed > 0;
  }

  private long divisor() {
    return Math.multiplyExact(lendable, Math.max(1, weight));
  }

  /** Compares a x b with c x d; none is negative. */
  private static int compare(long a, long b, long c, long d) {
    int high = Long.compare(Math.multiplyHigh(a, b), Math.multiplyHigh(c, d));
    return high != 0 ? high : Long.compareUnsigned(a * b, c * d);
  }
}
