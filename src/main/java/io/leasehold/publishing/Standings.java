package io.leasehold.publishing;

import static io.leasehold.publishing.Deliveries.at;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The rows of {@code cluster_standing}, and whether admissions are paused accordingly. */
final class Standings {

  private final JdbcClient database;

  Standings(JdbcClient database) {
    this.database = database;
  }

  /** Sound where nothing was written. */
  Standing of(String cluster) {
    return database
        .sql("select stale, otherwise_since from cluster_standing where cluster = :cluster")
        .param("cluster", cluster)
        .query(Standings::standing)
        .optional()
        .orElse(Standing.SOUND);
  }

  void write(String cluster, Standing standing, Instant now) {
    Instant since = standing.otherwiseSince();
    database
        .sql(
            """
            insert into cluster_standing (cluster, stale, otherwise_since, update_time)
            values (:cluster, :stale, :since::timestamptz, :now)
            on conflict (cluster) do update set stale = excluded.stale,
              otherwise_since = excluded.otherwise_since, update_time = excluded.update_time
            """)
        .param("cluster", cluster)
        .param("stale", standing.stale())
        .param("since", since == null ? null : since.toString())
        .param("now", at(now))
        .update();
  }

  /**
   * Whether a cluster gets anything new.
   *
   * @param byOperator an operator wants it paused
   * @param paused it is
   */
  record Pause(boolean byOperator, boolean paused) {}

  Pause pause(Clusters.Registered cluster) {
    return database
        .sql(
            """
            select c.paused as by_operator, coalesce((f.body->>'paused')::boolean, false) as paused
            from cluster c
            left join fact f on f.pool = c.pool and f.kind = 'cluster' and f.key = c.slug
            where c.slug = :cluster
            """)
        .param("cluster", cluster.slug())
        .query(Pause.class)
        .single();
  }

  /** The operator's wish, read in the ledger's transaction. */
  static boolean isPausedByOperator(Connection ledgers, String cluster) {
    return JdbcClient.create(new SingleConnectionDataSource(ledgers, true))
        .sql("select paused from cluster where slug = :cluster")
        .param("cluster", cluster)
        .query(Boolean.class)
        .single();
  }

  private static Standing standing(ResultSet row, int number) throws SQLException {
    OffsetDateTime since = row.getObject("otherwise_since", OffsetDateTime.class);
    return new Standing(row.getBoolean("stale"), since == null ? null : since.toInstant());
  }
}
