package io.leasehold.publishing;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An order that a worker has claimed.
 *
 * @param order what the cluster shall make true
 * @param state DUE: to be delivered; SENT: accepted, to be looked at
 * @param claim tells whether the row is still this worker's
 * @param sentTime when the cluster accepted it
 * @param superseded there is a newer order for the lease: this one is moot
 * @param readable false: what the row says to publish makes no sense, and {@code order} is empty
 */
record Delivery(
    ClusterOrder order,
    String pool,
    State state,
    int claim,
    int failures,
    @Nullable Instant sentTime,
    boolean superseded,
    boolean readable) {

  UUID lease() {
    return order.lease();
  }

  enum State {
    DUE,
    SENT,
    PARKED
  }
}
