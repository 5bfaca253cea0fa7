package io.leasehold.ledger;

import io.leasehold.engine.Move;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Tells those who wait for a lease that it moved, whichever replica moved it. */
final class ChangeFeed {

  private final LeaseRecords records;
  private final Executor executor;
  private final Map<UUID, Set<Waiter>> waiters = new ConcurrentHashMap<>();

  ChangeFeed(LeaseRecords records, Executor executor) {
    this.records = records;
    this.executor = executor;
  }

  private record Waiter(UUID lease, long seen, CompletableFuture<LeaseRecord> future) {}

  /** Registers first and looks then, so that no move falls between. */
  CompletableFuture<LeaseRecord> next(UUID lease, long seen, Duration atMost) {
    CompletableFuture<LeaseRecord> future = new CompletableFuture<>();
    Waiter waiter = new Waiter(lease, seen, future);
    waiters.compute(
        lease,
        (id, there) -> {
          Set<Waiter> all = there == null ? ConcurrentHashMap.newKeySet() : there;
          all.add(waiter);
          return all;
        });
    future.whenComplete((record, failure) -> remove(waiter));
    future.orTimeout(atMost.toMillis(), TimeUnit.MILLISECONDS);
    executor.execute(() -> look(waiter));
    return future;
  }

  private void remove(Waiter waiter) {
    waiters.computeIfPresent(
        waiter.lease(),
        (id, there) -> {
          there.remove(waiter);
          return there.isEmpty() ? null : there;
        });
  }

  /** Committed moves; returns at once. */
  void moved(Collection<Move> moves) {
    if (waiters.isEmpty()) {
      return;
    }
    for (Move move : moves) {
      if (move instanceof Move.LeaseMoved moved) {
        for (Waiter waiter : waiters.getOrDefault(moved.after().id(), Set.of())) {
          executor.execute(() -> look(waiter));
        }
      }
    }
  }

  /** The book was loaded anew: anything may have moved. */
  void anythingMoved() {
    waiters.values().forEach(all -> all.forEach(w -> executor.execute(() -> look(w))));
  }

  private void look(Waiter waiter) {
    try {
      records
          .find(waiter.lease())
          .filter(record -> record.lease().revision() > waiter.seen())
          .ifPresent(waiter.future()::complete);
    } catch (RuntimeException e) {
      // The database is away: the next move looks again, and the time-out ends the wait.
    }
  }
}
