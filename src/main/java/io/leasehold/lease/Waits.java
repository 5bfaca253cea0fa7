package io.leasehold.lease;

import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.Ledger;
import io.leasehold.web.Problem;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Callers who wait for a lease to change; a tenant has a bounded number of them in this replica.
 */
@Component
class Waits {

  static final int MOST_PER_TENANT = 200;

  private final Ledger ledger;
  private final ConcurrentHashMap<String, Semaphore> places = new ConcurrentHashMap<>();

  @Autowired
  Waits(Ledger ledger) {
    this.ledger = ledger;
  }

  /** The lease once it is as hoped for, or as it stands when the time is over. */
  LeaseRecord until(LeaseRecord seen, Duration atMost, Predicate<LeaseRecord> hoped) {
    if (atMost.isZero() || hoped.test(seen)) {
      return seen;
    }
    String tenant = seen.lease().ask().tenant();
    Semaphore place = places.computeIfAbsent(tenant, key -> new Semaphore(MOST_PER_TENANT));
    if (!place.tryAcquire()) {
      throw Problem.of(
              429,
              "too-many-waits",
              "Too many waits",
              tenant + " has " + MOST_PER_TENANT + " requests waiting here already.")
          .retryable(5);
    }
    try {
      return follow(seen, System.nanoTime() + atMost.toNanos(), hoped);
    } finally {
      place.release();
    }
  }

  private LeaseRecord follow(LeaseRecord seen, long deadline, Predicate<LeaseRecord> hoped) {
    LeaseRecord latest = seen;
    while (!hoped.test(latest)) {
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      if (left.isNegative() || left.isZero()) {
        return latest;
      }
      try {
        latest = ledger.nextChange(latest.lease().id(), latest.lease().revision(), left).join();
      } catch (CompletionException | CancellationException timeIsOver) {
        return latest;
      }
    }
    return latest;
  }
}
