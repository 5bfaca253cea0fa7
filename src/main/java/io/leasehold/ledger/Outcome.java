package io.leasehold.ledger;

import io.leasehold.engine.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a submission. */
public sealed interface Outcome {

  /**
   * Decided and committed (or, in a dry run, decided and undone).
   *
   * @param leases the leases the command was about, as they now stand, in the order of the command
   * @param bookRevision the pool's revision of the decision
   * @param replayed the same idempotency key had been answered before: this is that answer
   */
  record Committed(Decision decision, List<LeaseRecord> leases, long bookRevision, boolean replayed)
      implements Outcome {}

  /** The lease is at another revision than the caller saw. */
  record Stale(@Nullable LeaseRecord current) implements Outcome {}

  /** The pool moved on since the answer the caller saw; the decision is what it would be now. */
  record BookChanged(Decision fresh, List<LeaseRecord> leases, long bookRevision)
      implements Outcome {}

  /** The key was used with another body. */
  record KeyReused() implements Outcome {}

  /** The first request with this key is still being answered here. */
  record KeyInFlight() implements Outcome {}

  /** The rider found its row changed. */
  record Undone(String reason) implements Outcome {}

  /** Not able now: database away, pool reconciling, stopping. Nothing was changed, or not known. */
  record Unavailable(String reason, int retryAfterSeconds) implements Outcome {}

  /** This command alone broke the write; it was parked and logged with the trace id. */
  record Broken(String reason) implements Outcome {}
}
