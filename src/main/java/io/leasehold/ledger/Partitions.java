package io.leasehold.ledger;

import java.time.Duration;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables that are cut by time ({@code V7}): their partitions are made ahead and dropped when
 * old. A row without one lies in the default partition, so that no write ever fails; that is a
 * fault, and is mended at the next look. By the database's clock.
 */
final class Partitions {

  static final List<String> LOG = List.of("batch", "move");
  static final List<String> HISTORY = List.of("audit_fact", "allocation_history");

  private final JdbcClient jdbc;

  Partitions(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns how many were made. Rows of a default partition move to where they belong. */
  int prepare() {
    return jdbc.sql("select prepare_partitions()").query(Integer.class).single();
  }

  /** Returns how many were dropped: those that hold nothing younger. */
  int drop(String table, Duration keep) {
    return jdbc.sql("select drop_partitions(?, clock_timestamp() - make_interval(secs => ?))")
        .params(table, keep.toSeconds())
        .query(Integer.class)
        .single();
  }

  /** The tables that have rows without a partition of their own. */
  List<String> incomplete() {
    return jdbc.sql(
            """
            select name from (values
              ('batch', exists (select from batch_default)),
              ('move', exists (select from move_default)),
              ('audit_fact', exists (select from audit_fact_default)),
              ('allocation_history', exists (select from allocation_history_default))
            ) as t(name, incomplete) where incomplete\
            """)
        .query(String.class)
        .list();
  }
}
