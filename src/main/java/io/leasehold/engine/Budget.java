package io.leasehold.engine;

/**
 * Steps of search that may still be spent. A step is one candidate looked at, never time, so the
 * same book gives the same answer on any machine (engine rule 19).
 */
final class Budget {

  private long left;

  Budget(long steps) {
    this.left = steps;
  }

  /** Takes a step; false when there is none left. */
  boolean spend() {
    return --left >= 0;
  }

  boolean spend(long steps) {
    left -= steps;
    return left >= 0;
  }

  boolean isSpent() {
    return left < 0;
  }
}
