package io.leasehold.ledger;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Span;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the deciders show of their work. */
final class LedgerMetrics {

  private static final Duration[] WAITS = {
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10),
    Duration.ofHours(1),
    Duration.ofHours(6),
    Duration.ofDays(1),
    Duration.ofDays(7)
  };

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

  void incompletePartitions(Supplier<Number> tables) {
    Gauge.builder("leasehold.partition.incomplete", tables)
        .description("Tables with rows that found no partition of their own")
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

  /**
   * How long a lease waited from the start it asked for until it was allocated: at that move, which
   * a lease makes once, and in the replica that committed it. What happens to its devices later,
   * and a restart, count nothing again.
   */
  void allocated(String pool, @Nullable Lease before, Lease after, long now) {
    if (generation(before) == 0 && after.generation() > 0) {
      Timer.builder("leasehold.lease.wait")
          .description("Time from the start a lease asked for until it was allocated")
          .tags("pool", pool, "class", after.ask().serviceClass())
          .serviceLevelObjectives(WAITS)
          .register(registry)
          .record(Math.max(0, now - wanted(after)), TimeUnit.MICROSECONDS);
    }
  }

  private static long wanted(Lease lease) {
    return switch (lease.ask().when()) {
      case Ask.When.Now _, Ask.When.NowUntil _ -> lease.createdAt();
      case Ask.When.At(Span span) -> Math.max(lease.createdAt(), span.start());
      case Ask.When.Within(Span span, long _) -> Math.max(lease.createdAt(), span.start());
    };
  }

  private static int generation(@Nullable Lease lease) {
    return lease == null ? 0 : lease.generation();
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
      case Decision.Consolidated consolidated -> "consolidated";
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
