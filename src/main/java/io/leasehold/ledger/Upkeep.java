package io.leasehold.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks after what nobody asks for: the laws, the partitions, and what is kept for a time only. */
final class Upkeep extends Routine {

  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
  private static final long RETENTION_MINUTES = 10;

  private final Ledger ledger;
  private final Auditor auditor;
  private final Retention retention;
  private final Partitions partitions;
  private final LedgerMetrics metrics;
  private final Duration auditEvery;
  private final Map<String, Integer> faults = new ConcurrentHashMap<>();
  private volatile int incomplete;

  Upkeep(
      Ledger ledger,
      Auditor auditor,
      Retention retention,
      Partitions partitions,
      LedgerMetrics metrics,
      Duration auditEvery) {
    super("upkeep");
    this.ledger = ledger;
    this.auditor = auditor;
    this.retention = retention;
    this.partitions = partitions;
    this.metrics = metrics;
    this.auditEvery = auditEvery;
    metrics.incompletePartitions(() -> incomplete);
  }

  @Override
  protected void plan(ScheduledExecutorService executor) {
    long audit = auditEvery.toMillis();
    executor.scheduleWithFixedDelay(
        safely("audit", this::audit), audit, audit, TimeUnit.MILLISECONDS);
    executor.scheduleWithFixedDelay(
        safely("partitions", this::preparePartitions), 0, RETENTION_MINUTES, TimeUnit.MINUTES);
    executor.scheduleWithFixedDelay(
        safely("retention", retention::run), 1, RETENTION_MINUTES, TimeUnit.MINUTES);
  }

  private void preparePartitions() {
    try {
      int made = partitions.prepare();
      LOG.debug("{} partitions made", made);
    } finally {
      List<String> tables = partitions.incomplete();
      incomplete = tables.size();
      tables.forEach(table -> LOG.error("{} has rows without a partition of their own", table));
    }
  }

  private void audit() {
    for (String pool : ledger.pools()) {
      List<String> found = auditor.audit(pool);
      if (faults.put(pool, found.size()) == null) {
        metrics.faults(pool, () -> faults.get(pool));
      }
      found.forEach(fault -> LOG.error("audit of pool {}: {}", pool, fault));
    }
  }
}
