package io.leasehold.engine;

import io.leasehold.engine.Command.Report;
import io.leasehold.engine.Decision.Declined;
import java.util.List;
import java.util.Objects;

/** What clusters say. News of an older generation, or said twice, changes nothing. */
final class Reports {

  /** Publish orders for a lease that finds no room, each on other nodes than the one before. */
  static final int MOST_ORDERS = 4;

  private final Turn turn;

  Reports(Turn turn) {
    this.turn = turn;
  }

  Decision take(Report report) {
    Lease lease = turn.book().lease(report.lease());
    if (lease == null) {
      return new Declined(Declined.Why.NOT_FOUND, "no live lease " + report.lease(), null);
    }
    if (report.generation() != lease.generation()) {
      return new Decision.Done(lease);
    }
    return new Decision.Done(
        switch (report.what()) {
          case ACCEPTED -> accepted(lease);
          case USABLE -> usable(lease);
          case WITHDRAWN -> withdrawn(lease);
          case NO_ROOM -> noRoom(lease);
          case PARKED -> parked(lease);
        });
  }

  private Lease accepted(Lease lease) {
    if (lease.state() != LeaseState.ALLOCATED) {
      return lease;
    }
    Draft draft = Draft.of(lease).to(LeaseState.PUBLISHING).parked(false);
    return turn.move(lease, draft.lease(), "accepted");
  }

  private Lease usable(Lease lease) {
    if (lease.state() == LeaseState.ACTIVE) {
      return confirmed(lease);
    }
    if (lease.state() != LeaseState.ALLOCATED && lease.state() != LeaseState.PUBLISHING) {
      return lease;
    }
    Draft draft = Draft.of(lease).to(LeaseState.ACTIVE).active(turn.now()).parked(false);
    return turn.move(lease, settled(lease, draft), "active");
  }

  /** The devices of an active lease are in the cluster as they were changed. */
  private Lease confirmed(Lease lease) {
    Lease.Change change = lease.change();
    return change == null || !change.ordered()
        ? lease
        : turn.move(lease, settled(lease, Draft.of(lease).parked(false)), "confirmed");
  }

  /** What was given back is gone; what waits for spares goes on to. */
  private Lease settled(Lease lease, Draft draft) {
    Lease.Change change = lease.change();
    if (change == null) {
      return draft.lease();
    }
    boolean waits = !change.replacing().isEmpty();
    Booking booking = Objects.requireNonNull(lease.booking());
    return draft
        .change(waits ? new Lease.Change(false, null, change.replacing()) : null)
        .degraded(
            waits
                || Soundness.isBroken(turn.book(), booking)
                || Soundness.isOverdue(turn.book(), booking, turn.now()))
        .lease();
  }

  private Lease withdrawn(Lease lease) {
    if (lease.state() != LeaseState.ENDING) {
      return lease;
    }
    LeaseState last = lease.everActive() ? LeaseState.ENDED : LeaseState.CANCELLED;
    return turn.move(
        lease, Draft.of(lease).to(last).change(null).parked(false).lease(), "withdrawn");
  }

  /**
   * What no cluster ever accepted may be bound elsewhere, a few times; then an operator looks. It
   * waits for nothing in the place of nodes that it has left.
   */
  private Lease noRoom(Lease lease) {
    if (lease.state() == LeaseState.ALLOCATED
        && lease.generation() < MOST_ORDERS
        && new Rebinding(turn).awayFromItsNodes(lease) instanceof Found.Room room) {
      Lease.Notice notice = DrainNotice.of(turn.book(), lease, room.booking());
      Draft draft = Draft.of(lease).booking(room.booking()).notice(notice).raiseGeneration();
      if (lease.change() != null) {
        draft.change(new Lease.Change(true, lease.leaving(), List.of()));
      }
      return turn.move(lease, draft.lease(), "rebound");
    }
    return parked(lease);
  }

  private Lease parked(Lease lease) {
    if (lease.parked() || !lease.state().hasPossession()) {
      return lease;
    }
    return turn.move(lease, Draft.of(lease).parked(true).lease(), "parked");
  }
}
