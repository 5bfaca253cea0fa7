package io.leasehold.ledger;

import io.leasehold.engine.Decision;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What the deciders show of their work. */
final class LedgerMetrics {

  private final MeterRegistry registry;
  private final Map<String, Counter> decisions = new ConcurrentHashMap<>();
  private final DistributionSummary batchSize;
  private final Timer held;
  private final Timer lockWait;
  private final Timer commit;

  LedgerMetrics(MeterRegistry registry) {
    this.registry = registry;
    batchSize =
        DistributionSummary.builder("leasehold.batch.size")
            .description("Decisions in one commit")
            .register(registry);
    held =
        Timer.builder("leasehold.batch.held")
            .description("How long a batch held its pool's lock")
            .register(registry);
    lockWait =
        Timer.builder("leasehold.lock.wait")
            .description("Time to get a pool's lock")
            .register(registry);
    commit =
        Timer.builder("leasehold.commit")
            .description("Time to write and commit a batch")
            .register(registry);
  }

  void pool(String pool, Supplier<Number> queued, Supplier<Number> lag) {
    Gauge.builder("leasehold.queue.length", queued)
        .description("Submissions that wait for the decider")
        .tag("pool", pool)
        .register(registry);
    Gauge.builder("leasehold.revision.lag", lag)
        .description("Revisions by which the book was behind when last looked at")
        .tag("pool", pool)
        .register(registry);
  }

  void faults(String pool, Supplier<Number> faults) {
    Gauge.builder("leasehold.audit.faults", faults)
        .description("Broken laws found by the last audit")
        .tag("pool", pool)
        .register(registry);
  }

  void lockWait(long nanos) {
    lockWait.record(nanos, TimeUnit.NANOSECONDS);
  }

  void commit(long nanos) {
    commit.record(nanos, TimeUnit.NANOSECONDS);
  }

  void batch(int size, long nanos) {
    batchSize.record(size);
    held.record(nanos, TimeUnit.NANOSECONDS);
  }

  void outcome(Outcome outcome) {
    count(
        switch (outcome) {
          case Outcome.Committed committed -> verdict(committed.decision());
          case Outcome.Stale stale -> "stale";
          case Outcome.BookChanged changed -> "book-changed";
          case Outcome.KeyReused reused -> "key-reused";
          case Outcome.KeyInFlight inFlight -> "key-in-flight";
          case Outcome.Undone undone -> "undone";
          case Outcome.Unavailable unavailable -> "unavailable";
          case Outcome.Broken broken -> "broken";
        });
  }

  private static String verdict(Decision decision) {
    return switch (decision) {
      case Decision.Decided decided -> decided.answer().verdict().name().toLowerCase(Locale.ROOT);
      case Decision.DecidedAtomic atomic -> atomic.kept() ? "atomic" : "atomic-refused";
      case Decision.Done done -> "done";
      case Decision.Declined declined -> "declined";
      case Decision.Changed changed -> "changed";
      case Decision.Reserved reserved -> "reserved";
      case Decision.Shortfalls shortfalls -> "shortfall";
    };
  }

  private void count(String verdict) {
    decisions
        .computeIfAbsent(
            verdict,
            v ->
                Counter.builder("leasehold.decision")
                    .description("What became of submissions")
                    .tag("verdict", v)
                    .register(registry))
        .increment();
  }
}
