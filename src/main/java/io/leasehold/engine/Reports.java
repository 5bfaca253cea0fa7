package io.leasehold.engine;

import io.leasehold.engine.Command.Report;
import io.leasehold.engine.Decision.Declined;

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
    if (lease.state() != LeaseState.ALLOCATED && lease.state() != LeaseState.PUBLISHING) {
      return lease;
    }
    Draft draft = Draft.of(lease).to(LeaseState.ACTIVE).active(turn.now()).parked(false);
    return turn.move(lease, draft.lease(), "active");
  }

  private Lease withdrawn(Lease lease) {
    if (lease.state() != LeaseState.ENDING) {
      return lease;
    }
    LeaseState last = lease.everActive() ? LeaseState.ENDED : LeaseState.CANCELLED;
    return turn.move(lease, Draft.of(lease).to(last).parked(false).lease(), "withdrawn");
  }

  /** What no cluster ever accepted may be bound elsewhere, a few times; then an operator looks. */
  private Lease noRoom(Lease lease) {
    if (lease.state() == LeaseState.ALLOCATED
        && lease.generation() < MOST_ORDERS
        && new Rebinding(turn).awayFromItsNodes(lease) instanceof Found.Room room) {
      Lease.Notice notice = DrainNotice.of(turn.book(), lease, room.booking());
      Draft draft = Draft.of(lease).booking(room.booking()).notice(notice).raiseGeneration();
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
