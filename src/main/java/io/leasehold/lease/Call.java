package io.leasehold.lease;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Key;
import io.leasehold.ledger.LeaseRecord;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a change is wanted: by whom, once or rehearsed, on which revision, and how patiently.
 *
 * @param key null without an {@code Idempotency-Key}
 * @param ifRevision of {@code If-Match}; null = any
 * @param patience how long to wait for the lease to become active; zero = not at all
 */
record Call(
    Actor actor,
    String traceId,
    @Nullable Key key,
    boolean dryRun,
    @Nullable Long ifRevision,
    Duration patience) {

  /** On the revision that was seen, unless the caller insists on one. */
  Call onSeen(LeaseRecord seen) {
    return ifRevision != null
        ? this
        : new Call(actor, traceId, key, dryRun, seen.lease().revision(), patience);
  }
}
