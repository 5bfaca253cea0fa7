package io.leasehold.ledger;

import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What is kept for a time only. Idempotency keys and counts of refusals go in slices, so that no
 * lock is held for long; the log, the audit facts and what was promised before by whole partitions.
 * Two replicas at it at once do no harm. By the database's clock.
 */
final class Retention {

  private static final int SLICE = 5_000;

  private final JdbcClient jdbc;
  private final Partitions partitions;
  private final LedgerSettings settings;

  Retention(JdbcClient jdbc, Partitions partitions, LedgerSettings settings) {
    this.jdbc = jdbc;
    this.partitions = partitions;
    this.settings = settings;
  }

  void run() {
    forget("idempotency_key", "create_time", settings.keepKeys());
    forget("denied_call", "minute", settings.keepAudit());
    jdbc.sql("select slug from pool").query(String.class).list().forEach(this::raiseLogFloor);
    Partitions.LOG.forEach(table -> partitions.drop(table, settings.keepLog()));
    Partitions.HISTORY.forEach(table -> partitions.drop(table, settings.keepAudit()));
  }

  private void forget(String table, String time, Duration keep) {
    int gone;
    do {
      gone =
          jdbc.sql(
                  """
                  delete from %1$s where ctid = any(array(
                    select ctid from %1$s
                     where %2$s < clock_timestamp() - make_interval(secs => ?)
                     limit ? for update skip locked))\
                  """
                      .formatted(table, time))
              .params(keep.toSeconds(), SLICE)
              .update();
    } while (gone == SLICE);
  }

  /**
   * Before the log is cut, so that nobody follows what is about to go. The floor's own batch stays;
   * a pool that was idle for so long has none left, and whoever stands at its revision lacks
   * nothing.
   */
  private void raiseLogFloor(String pool) {
    jdbc.sql(
            """
            update pool p set log_floor = f.revision
              from (select coalesce(
                       (select min(b.revision) from batch b where b.pool = q.slug
                         and b.at >= date_trunc('day', now() - make_interval(secs => ?), 'UTC')),
                       q.revision) as revision
                      from pool q where q.slug = ?) f
             where p.slug = ? and f.revision > p.log_floor\
            """)
        .params(settings.keepLog().toSeconds(), pool, pool)
        .update();
  }
}
