package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A lease as it stands after a move. Of the ask only what a verb changes does: its size, its
 * tenant. Times in microseconds.
 *
 * @param sequence order of arrival in the pool; kept when a lease goes back to waiting
 * @param revision raised by each move of this lease, from 1
 * @param generation of what is published; raised when what the cluster must make true changes, so
 *     that an older order can not take effect after a newer one
 * @param window the start and end the tenant has (or is promised, or expects); null while WAITING
 *     without a known start
 * @param booking the devices; kept through ENDING, where they are possession without promise
 * @param earmark start and devices that nothing of lower precedence may delay; WAITING only
 * @param withdrawDue until when an ENDING lease's devices count as taken; null before ENDING
 * @param everActive decides between ENDED and CANCELLED
 * @param endCause released, expired, revoked, node-lost, cancelled, wait-expired, ...; null before
 * @param delayedBy the lease whose possession a due PLANNED lease waits for
 * @param parked the order that should make the cluster agree is parked until an operator looks
 * @param retryBudget search steps granted to the next attempt; 0 = the usual (engine rule 19)
 * @param notice what will end it or change it before its window does; null = nothing known
 * @param change of its devices, on its way into the cluster; null = none
 */
public record Lease(
    Ask ask,
    long sequence,
    long revision,
    int generation,
    LeaseState state,
    @Nullable Span window,
    @Nullable Booking booking,
    @Nullable Earmark earmark,
    @Nullable Long withdrawDue,
    long createdAt,
    @Nullable Long activeAt,
    @Nullable Long endedAt,
    boolean everActive,
    boolean degraded,
    @Nullable String endCause,
    @Nullable UUID delayedBy,
    boolean parked,
    long retryBudget,
    @Nullable Notice notice,
    @Nullable Change change) {

  /** Nothing of its devices is being changed. */
  public Lease(
      Ask ask,
      long sequence,
      long revision,
      int generation,
      LeaseState state,
      @Nullable Span window,
      @Nullable Booking booking,
      @Nullable Earmark earmark,
      @Nullable Long withdrawDue,
      long createdAt,
      @Nullable Long activeAt,
      @Nullable Long endedAt,
      boolean everActive,
      boolean degraded,
      @Nullable String endCause,
      @Nullable UUID delayedBy,
      boolean parked,
      long retryBudget,
      @Nullable Notice notice) {
    this(
        ask,
        sequence,
        revision,
        generation,
        state,
        window,
        booking,
        earmark,
        withdrawDue,
        createdAt,
        activeAt,
        endedAt,
        everActive,
        degraded,
        endCause,
        delayedBy,
        parked,
        retryBudget,
        notice,
        null);
  }

  public UUID id() {
    return ask.lease();
  }

  /** What is taken of the fleet over time: a promise, the tail of an end, or an earmark. */
  @Nullable Booking taken() {
    return earmark != null && state == LeaseState.WAITING
        ? earmark.booking()
        : state.hasPromise() || state == LeaseState.ENDING ? booking : null;
  }

  /** The same without its earmark: how it stands while earmarks are given out anew. */
  Lease withoutEarmark() {
    return new Lease(
        ask,
        sequence,
        revision,
        generation,
        state,
        window,
        booking,
        null,
        withdrawDue,
        createdAt,
        activeAt,
        endedAt,
        everActive,
        degraded,
        endCause,
        delayedBy,
        parked,
        retryBudget,
        notice,
        change);
  }

  /** What a cluster has, or may have, in its hands; beside that, what is {@link #leaving}. */
  @Nullable Booking possessed() {
    return state.hasPossession() ? booking : null;
  }

  /**
   * What was given back and is still in the cluster's hands; its hold says until when it may be.
   */
  public @Nullable Booking leaving() {
    return change != null && state.hasPossession() ? change.leaving() : null;
  }

  /**
   * An earmark: the start that nothing of lower precedence may delay.
   *
   * @param rank among the earmarks, 0 first; kept until it starts
   * @param cause {@code head-of-queue} or {@code aged}; once it was moved later, why: {@code
   *     displaced} by who comes first, {@code hardware-lost}, {@code overrun}
   */
  public record Earmark(long start, Booking booking, int rank, String cause) {}

  /**
   * What is about to happen to a lease against its will.
   *
   * @param cause preempted, drained
   * @param effectiveAt microseconds
   * @param by the lease that it makes room for; null = none
   * @param until the end that it had before; null = it has it still
   */
  public record Notice(String cause, long effectiveAt, @Nullable UUID by, @Nullable Long until) {

    /** For nobody in particular; its end stays. */
    public Notice(String cause, long effectiveAt) {
      this(cause, effectiveAt, null, null);
    }
  }

  /**
   * How far a change of a lease's devices has come.
   *
   * @param ordered the cluster has not confirmed the present generation yet
   * @param leaving devices given back that the cluster still has in its hands; null = none
   * @param replacing nodes that wait for others to take their place
   */
  public record Change(boolean ordered, @Nullable Booking leaving, List<UUID> replacing) {

    public Change {
      replacing = List.copyOf(replacing);
    }
  }
}
