package io.leasehold.fleet;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Key;
import org.jspecify.annotations.Nullable;

/**
 * Who asks for a change, in which trace, and under which idempotency key.
 *
 * @param key null without one
 */
public record Origin(Actor actor, String traceId, @Nullable Key key) {

  /** The installation itself: built-in and sample data. */
  public static final Origin SYSTEM = new Origin(Actor.SYSTEM, "0".repeat(32), null);

  /** The same caller; for a second command of one request, which the key does not cover. */
  public Origin withoutKey() {
    return new Origin(actor, traceId, null);
  }
}
