package io.leasehold.publishing;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits double with each failure up to a bound; jitter spreads them over the upper half. */
record Backoff(Duration first, Duration atMost, RandomGenerator random) {

  private static final int DOUBLINGS = 30;

  Duration after(int failures) {
    long full =
        Math.min(
            atMost.toMillis(),
            Math.multiplyExact(first.toMillis(), 1L << Math.clamp(failures, 0, DOUBLINGS)));
    return Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
  }
}
