package io.leasehold.engine;

import org.jspecify.annotations.Nullable;

/**
 * How a request is treated. Durations in microseconds.
 *
 * @param priority larger goes first
 * @param minimumRun how long a lease runs before it may be preempted
 * @param prepare what a hold adds before the window
 * @param grace what an ending lease gets to wind down
 * @param withdrawAllowance how long the cluster may take to confirm a withdrawal
 * @param agingAfter A of engine rule 9: after this the oldest of a kind owns an earmark
 * @param longestDuration limit of a lease's whole length
 * @param horizon how far ahead a start may lie
 * @param notice how long before its end a lease is told that it is preempted
 * @param disruption how often and when its leases may be preempted; null = whenever
 */
public record ServiceClass(
    String slug,
    int priority,
    boolean mayPreempt,
    boolean mayBePreempted,
    boolean mayBeOpenEnded,
    long minimumRun,
    long prepare,
    long grace,
    long withdrawAllowance,
    long agingAfter,
    long longestDuration,
    long horizon,
    long notice,
    @Nullable Disruption disruption) {

  /** Preempted without notice, however often. */
  public ServiceClass(
      String slug,
      int priority,
      boolean mayPreempt,
      boolean mayBePreempted,
      boolean mayBeOpenEnded,
      long minimumRun,
      long prepare,
      long grace,
      long withdrawAllowance,
      long agingAfter,
      long longestDuration,
      long horizon) {
    this(
        slug,
        priority,
        mayPreempt,
        mayBePreempted,
        mayBeOpenEnded,
        minimumRun,
        prepare,
        grace,
        withdrawAllowance,
        agingAfter,
        longestDuration,
        horizon,
        0,
        null);
  }

  /** From its end until its devices are free. */
  long windDown() {
    return grace + withdrawAllowance;
  }
}
