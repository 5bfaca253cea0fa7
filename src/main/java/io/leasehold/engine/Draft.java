package io.leasehold.engine;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The next version of a lease. Its state changes only by a legal move; its revision rises by one.
 */
final class Draft {

  private final Lease before;
  private Ask ask;
  private LeaseState state;
  private int generation;
  private @Nullable Span window;
  private @Nullable Booking booking;
  private Lease.@Nullable Earmark earmark;
  private @Nullable Long withdrawDue;
  private @Nullable Long activeAt;
  private @Nullable Long endedAt;
  private boolean everActive;
  private boolean degraded;
  private @Nullable String endCause;
  private @Nullable UUID delayedBy;
  private boolean parked;
  private long retryBudget;
  private Lease.@Nullable Notice notice;
  private Lease.@Nullable Change change;

  private Draft(Lease before) {
    this.before = before;
    ask = before.ask();
    state = before.state();
    generation = before.generation();
    window = before.window();
    booking = before.booking();
    earmark = before.earmark();
    withdrawDue = before.withdrawDue();
    activeAt = before.activeAt();
    endedAt = before.endedAt();
    everActive = before.everActive();
    degraded = before.degraded();
    endCause = before.endCause();
    delayedBy = before.delayedBy();
    parked = before.parked();
    retryBudget = before.retryBudget();
    notice = before.notice();
    change = before.change();
  }

  static Draft of(Lease before) {
    return new Draft(before);
  }

  /** A request that is not decided yet; it is in no book. */
  static Lease requested(Ask ask, long sequence, long now) {
    return new Lease(
        ask,
        sequence,
        0,
        0,
        LeaseState.REQUESTED,
        null,
        null,
        null,
        null,
        now,
        null,
        null,
        false,
        false,
        null,
        null,
        false,
        0,
        null);
  }

  Draft to(LeaseState next) {
    if (!before.state().mayBecome(next)) {
      throw new IllegalStateException(
          "lease " + before.id() + ": " + before.state() + " may not become " + next);
    }
    state = next;
    return this;
  }

  /** Back in line: it holds nothing, so nobody is in its way and nothing is taken from it. */
  Draft toLine() {
    return to(LeaseState.WAITING).booking(null).window(null).delayedBy(null).notice(null);
  }

  Draft raiseGeneration() {
    generation++;
    parked = false;
    return this;
  }

  Draft window(@Nullable Span value) {
    window = value;
    return this;
  }

  Draft booking(@Nullable Booking value) {
    booking = value;
    return this;
  }

  Draft earmark(Lease.@Nullable Earmark value) {
    earmark = value;
    return this;
  }

  Draft withdrawDue(long value) {
    withdrawDue = value;
    return this;
  }

  Draft active(long at) {
    activeAt = at;
    everActive = true;
    return this;
  }

  Draft ended(long at, String cause) {
    endedAt = at;
    endCause = cause;
    return this;
  }

  Draft degraded(boolean value) {
    degraded = value;
    return this;
  }

  Draft delayedBy(@Nullable UUID value) {
    delayedBy = value;
    return this;
  }

  Draft parked(boolean value) {
    parked = value;
    return this;
  }

  Draft notice(Lease.@Nullable Notice value) {
    notice = value;
    return this;
  }

  Draft ask(Ask value) {
    ask = value;
    return this;
  }

  Draft change(Lease.@Nullable Change value) {
    change = value;
    return this;
  }

  Draft retryBudget(long value) {
    retryBudget = value;
    return this;
  }

  Lease lease() {
    return new Lease(
        ask,
        before.sequence(),
        before.revision() + 1,
        generation,
        state,
        window,
        booking,
        earmark,
        withdrawDue,
        before.createdAt(),
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
}
