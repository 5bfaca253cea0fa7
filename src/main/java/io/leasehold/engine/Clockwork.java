package io.leasehold.engine;

import java.util.Objects;

/**
 * What time does by itself: everything due, in order of instant, ends before starts. A herd that is
 * due at one instant takes several batches, so that the others' requests come in between.
 */
final class Clockwork {

  /** What one batch looks at of what is due; the rest stays due. */
  static final int MOST = 1_000;

  private final Turn turn;
  private final Life life;

  Clockwork(Turn turn, Life life) {
    this.turn = turn;
    this.life = life;
  }

  void run() {
    Dues dues = turn.book().register().dues();
    int looked = 0;
    for (Dues.Due due = dues.first();
        due != null && due.instant() <= turn.now() && looked < MOST;
        due = dues.first()) {
      looked++;
      dues.remove(due);
      if (due.kind() == Dues.Kind.DRAINED) {
        new Inventory(turn).mustBeEmpty(due.id());
        continue;
      }
      Occurrence occurrence = turn.book().reserved().get(due.id());
      if (occurrence != null) {
        turn.book().memory().roomMayHaveGrown();
        happen(due.kind(), occurrence);
        continue;
      }
      Lease lease = turn.book().lease(due.id());
      if (due.kind() == Dues.Kind.LOOK
          && lease != null
          && lease.state().hasPromise()
          && !someMayTake()) {
        continue;
      }
      turn.book().memory().roomMayHaveGrown();
      if (due.kind() == Dues.Kind.LOOK || lease == null) {
        continue;
      }
      switch (due.kind()) {
        case END -> life.expire(lease);
        case WAIT_OVER -> life.waitIsOver(lease);
        case START -> life.start(lease);
        case LOOK, DRAINED, OVER, NO_SHOW -> {}
      }
    }
    turn.book().lookPastQuiet();
  }

  /** Whether it matters to anybody that waits that a lease has run for long enough. */
  private boolean someMayTake() {
    Book book = turn.book();
    return !book.entitlements().isEmpty()
        || book.register()
            .anyWaiting(slug -> Objects.requireNonNull(book.serviceClass(slug)).mayPreempt());
  }

  private void happen(Dues.Kind kind, Occurrence occurrence) {
    Reserving reserving = new Reserving(turn);
    switch (kind) {
      case START -> reserving.start(occurrence);
      case OVER -> reserving.over(occurrence);
      case NO_SHOW -> reserving.noShow(occurrence);
      case END, DRAINED, WAIT_OVER, LOOK -> {}
    }
  }
}
