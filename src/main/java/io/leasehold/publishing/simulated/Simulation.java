package io.leasehold.publishing.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The latencies and faults of a simulated cluster. What happens to an order at an instant is a
 * function of the seed, the order and the instant.
 *
 * @param publishLatency from the order until it is usable
 * @param withdrawLatency from the order until nothing is left
 * @param failMilli of 1,000 deliveries, how many are answered "later"
 * @param loseAnswerMilli of 1,000 calls that took effect, how many have no answer
 * @param flapEvery away and back in turn for so long each; null = steady
 * @param away answers nothing
 * @param saysZero shows nothing of what it has
 * @param busyNodeIds nodes on which there is never room
 */
record Simulation(
    @Nullable Duration publishLatency,
    @Nullable Duration withdrawLatency,
    int failMilli,
    int loseAnswerMilli,
    @Nullable Duration flapEvery,
    boolean away,
    boolean saysZero,
    @Nullable Set<UUID> busyNodeIds,
    long seed) {

  static final Simulation PLAIN =
      new Simulation(Duration.ZERO, Duration.ZERO, 0, 0, null, false, false, Set.of(), 0);

  private static final int ALL = 1000;

  /** What is absent is plain. */
  Simulation {
    publishLatency = publishLatency == null ? Duration.ZERO : publishLatency;
    withdrawLatency = withdrawLatency == null ? Duration.ZERO : withdrawLatency;
    busyNodeIds = busyNodeIds == null ? Set.of() : Set.copyOf(busyNodeIds);
  }

  boolean isAway(Instant now) {
    return away || flapEvery != null && now.toEpochMilli() / flapEvery.toMillis() % 2 == 1;
  }

  boolean fails(UUID lease, int generation, Instant now) {
    return chance(failMilli, lease.hashCode() * 31L + generation, now);
  }

  boolean losesAnswer(UUID first, Instant now) {
    return chance(loseAnswerMilli, ~first.hashCode(), now);
  }

  private boolean chance(int milli, long what, Instant now) {
    return milli > 0
        && new SplittableRandom(seed ^ what * 0x9E3779B97F4A7C15L ^ now.toEpochMilli()).nextInt(ALL)
            < milli;
  }
}
