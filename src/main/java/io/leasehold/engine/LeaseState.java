package io.leasehold.engine;

import java.util.EnumSet;
import java.util.Set;

/**
 * Where a lease is in its life. Only {@link #mayBecome} moves are legal; final states are final.
 */
public enum LeaseState {
  /** Asked for and not yet decided: exists in dry runs only. */
  REQUESTED,
  /** Will fit, not yet; nothing is booked. */
  WAITING,
  /** Booked for a later start: a promise on devices, which may be bound elsewhere. */
  PLANNED,
  /** Booked from now: promise, possession and publish order stand. */
  ALLOCATED,
  /** The adapter accepted the publish order. */
  PUBLISHING,
  /** Usable in the cluster. */
  ACTIVE,
  /** Being withdrawn: the promise is history, the devices are still in the cluster's hands. */
  ENDING,
  /** Over; the capacity is back. Final. */
  ENDED,
  /** Can never be, is over a limit, or may not wait (any longer). Final. */
  REFUSED,
  /** Taken back before it was ever active. Final. */
  CANCELLED;

  public Set<LeaseState> mayBecome() {
    return switch (this) {
      case REQUESTED -> EnumSet.of(WAITING, PLANNED, ALLOCATED, REFUSED);
      case WAITING -> EnumSet.of(PLANNED, ALLOCATED, REFUSED, CANCELLED);
      case PLANNED -> EnumSet.of(WAITING, ALLOCATED, CANCELLED, ENDED);
      case ALLOCATED -> EnumSet.of(PUBLISHING, ACTIVE, ENDING);
      case PUBLISHING -> EnumSet.of(ACTIVE, ENDING);
      case ACTIVE -> EnumSet.of(ENDING);
      case ENDING -> EnumSet.of(ENDED, CANCELLED);
      case ENDED, REFUSED, CANCELLED -> EnumSet.noneOf(LeaseState.class);
    };
  }

  public boolean mayBecome(LeaseState next) {
    return mayBecome().contains(next);
  }

  public boolean isFinal() {
    return mayBecome().isEmpty();
  }

  /** Devices are promised: rows in {@code allocation}. */
  public boolean hasPromise() {
    return this == PLANNED || this == ALLOCATED || this == PUBLISHING || this == ACTIVE;
  }

  /** A cluster has, or may have, the devices in its hands: rows in {@code occupancy}. */
  public boolean hasPossession() {
    return this == ALLOCATED || this == PUBLISHING || this == ACTIVE || this == ENDING;
  }
}
