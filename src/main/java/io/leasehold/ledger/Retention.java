package io.leasehold.ledger;

import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What is kept for a time only: idempotency keys, and the log that replicas follow. Deletes in
 * slices, so that no lock is held for long; two replicas at it at once do no harm. By the
 * database's clock.
 */
final class Retention {

  private static final int SLICE = 5_000;

  private final JdbcClient jdbc;
  private final LedgerSettings settings;

  Retention(JdbcClient jdbc, LedgerSettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
  }

  void run() {
    forgetKeys();
    List<String> pools = jdbc.sql("select slug from pool").query(String.class).list();
    pools.forEach(this::cutLog);
  }

  private void forgetKeys() {
    int gone;
    do {
      gone =
          jdbc.sql(
                  """
                  delete from idempotency_key where ctid = any(array(
                    select ctid from idempotency_key
                     where create_time < clock_timestamp() - make_interval(secs => ?)
                     limit ? for update skip locked))\
                  """)
              .params(seconds(settings.keepKeys()), SLICE)
              .update();
    } while (gone == SLICE);
  }

  /** First the floor, so that nobody follows what is about to go; the floor's own batch stays. */
  private void cutLog(String pool) {
    jdbc.sql(
            """
            update pool p set log_floor = b.revision
              from (select max(revision) as revision from batch
                     where pool = ? and at < clock_timestamp() - make_interval(secs => ?)) b
             where p.slug = ? and b.revision > p.log_floor\
            """)
        .params(pool, seconds(settings.keepLog()), pool)
        .update();
    cut("move", pool);
    cut("batch", pool);
  }

  private void cut(String table, String pool) {
    int gone;
    do {
      gone =
          jdbc.sql(
                  """
                  delete from %1$s where ctid = any(array(
                    select t.ctid from %1$s t join pool p on p.slug = t.pool
                     where t.pool = ? and t.revision < p.log_floor
                     limit ? for update of t skip locked))\
                  """
                      .formatted(table))
              .params(pool, SLICE)
              .update();
    } while (gone == SLICE);
  }

  private static long seconds(Duration duration) {
    return duration.toSeconds();
  }
}
