package io.leasehold.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings the fleet and the quotas from one version of a lease to the next: only what differs is
 * given back and taken, and it is remembered that room grew or shrank.
 */
final class Holds {

  private final Capacity capacity;
  private final Usage usage;
  private final Memory memory;

  Holds(Capacity capacity, Usage usage, Memory memory) {
    this.capacity = capacity;
    this.usage = usage;
    this.memory = memory;
  }

  /** What the next version has no more; all that it took may be taken by others. */
  void release(Lease before, Lease after) {
    Booking taken = before.taken();
    if (taken != null && !taken.equals(after.taken())) {
      capacity.give(before.id(), taken);
      memory.roomMayHaveGrown();
    }
    Booking possessed = before.possessed();
    if (possessed != null && !possessed.equals(after.possessed())) {
      capacity.dispossess(before.id(), possessed);
      memory.roomMayHaveGrown();
    }
    Booking leaving = before.leaving();
    if (leaving != null && !leaving.equals(after.leaving())) {
      capacity.give(before.id(), leaving);
      capacity.dispossess(before.id(), leaving);
      memory.roomMayHaveGrown();
    }
    if (before.state().hasPromise() && !sameUse(before, after)) {
      usage.remove(before);
      memory.roomMayHaveGrown();
    }
  }

  /** What the next version has that none before it had. */
  void claim(@Nullable Lease before, Lease after) {
    Booking taken = after.taken();
    if (taken != null && (before == null || !taken.equals(before.taken()))) {
      capacity.take(after.id(), taken);
      memory.roomShrank();
    }
    Booking possessed = after.possessed();
    if (possessed != null && (before == null || !possessed.equals(before.possessed()))) {
      capacity.possess(after.id(), possessed);
      memory.roomShrank();
    }
    Booking leaving = after.leaving();
    if (leaving != null && (before == null || !leaving.equals(before.leaving()))) {
      capacity.take(after.id(), leaving);
      capacity.possess(after.id(), leaving);
      memory.roomShrank();
    }
    if (after.state().hasPromise() && !sameUse(before, after)) {
      usage.add(after);
    }
  }

  /** Whether the quotas see no difference between two versions of a promised lease. */
  private static boolean sameUse(@Nullable Lease before, Lease after) {
    return before != null
        && before.state().hasPromise()
        && after.state().hasPromise()
        && before.ask().tenant().equals(after.ask().tenant())
        && Objects.equals(before.window(), after.window())
        && Objects.equals(before.booking(), after.booking());
  }
}
