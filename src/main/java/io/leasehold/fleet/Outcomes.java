package io.leasehold.fleet;

import io.leasehold.engine.Decision;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.Problem;

/** What the ledger answered to a change of fleet or contracts, told to the caller. */
public final class Outcomes {

  private Outcomes() {}

  /** The decision that was committed (or rehearsed); every other outcome is a problem. */
  public static Outcome.Committed committed(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Committed committed -> committed;
      case Outcome.Stale stale -> throw changed();
      case Outcome.BookChanged changed -> throw changed();
      case Outcome.Undone undone -> throw new LostRace(undone.reason());
      case Outcome.KeyReused reused -> throw keyReused();
      case Outcome.KeyInFlight inFlight ->
          throw Problem.of(
                  409,
                  "key-in-flight",
                  "Key in flight",
                  "The first request with this Idempotency-Key is still being answered.")
              .retryable(1);
      case Outcome.Unavailable unavailable ->
          throw Problem.of(503, "unavailable", "Not able now", unavailable.reason())
              .retryable(unavailable.retryAfterSeconds());
      case Outcome.Broken broken ->
          throw Problem.of(
              500, "internal", "Internal error", "The change could not be written; it was undone.");
    };
  }

  /** What the change does to leases; a decision that declines is a problem. */
  public static Decision.Changed changed(Outcome.Committed committed) {
    return switch (committed.decision()) {
      case Decision.Changed changed -> changed;
      case Decision.Declined declined -> throw declined(declined);
      case Decision.Shortfalls shortfalls -> throw unexpected(shortfalls);
      case Decision.Decided decided -> throw unexpected(decided);
      case Decision.DecidedAtomic decided -> throw unexpected(decided);
      case Decision.Done done -> throw unexpected(done);
      case Decision.Reserved reserved -> throw unexpected(reserved);
      case Decision.Consolidated consolidated -> throw unexpected(consolidated);
    };
  }

  public static Problem declined(Decision.Declined declined) {
    return switch (declined.why()) {
      case NOT_FOUND -> Problem.notFound();
      case IN_USE -> Problem.of(409, "in-use", "In use", declined.detail());
      case ILLEGAL_MOVE, SHORTAGE, LIMIT, NEVER, ID_TAKEN ->
          Problem.of(409, "illegal-move", "Illegal move", declined.detail());
      case TOO_MANY -> Problem.of(429, "too-many", "Too many", declined.detail()).retryable(10);
    };
  }

  public static Problem keyReused() {
    return Problem.of(
        422,
        "key-reused",
        "Key used with another body",
        "This Idempotency-Key was used with another body; use a new key for another request.");
  }

  static Problem changed() {
    return Problem.changedMeanwhile("It was changed meanwhile; read it again.");
  }

  private static IllegalStateException unexpected(Decision decision) {
    return new IllegalStateException("not a decision on the fleet: " + decision);
  }

  /** Somebody else changed the same thing first: worth one more try on what is there now. */
  public static final class LostRace extends RuntimeException {
    LostRace(String reason) {
      super(reason, null, false, false);
    }

    public Problem asProblem() {
      return Problem.of(409, "changed-meanwhile", "Changed meanwhile", getMessage()).retryable(1);
    }
  }
}
