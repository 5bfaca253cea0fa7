package io.leasehold.publishing;

import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.PageRequest.Position;
import io.leasehold.web.WireTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Parked orders that no newer order of their lease has made moot. */
@Repository
class ParkedOrders {

  private static final String COLUMNS =
      """
      select lease, generation, kind, pool, cluster, state, failures, fault, create_time, update_time
      from delivery d
      """;

  private final JdbcClient database;

  ParkedOrders(JdbcClient database) {
    this.database = database;
  }

  Page<ParkedOrder> page(@Nullable String cluster, PageRequest page) {
    Position after = page.after();
    return page.page(
        database
            .sql(
                COLUMNS
                    + """
                    where state = 'PARKED'
                      and (:cluster::text is null or cluster = :cluster)
                      and (:id::uuid is null or (create_time, lease) < (instant(:time), :id::uuid))
                      and not exists (select from cluster_order newer
                        where newer.lease = d.lease and newer.generation > d.generation)
                    order by create_time desc, lease desc limit :limit
                    """)
            .param("cluster", cluster)
            .param("id", after == null ? null : after.id())
            .param("time", after == null ? null : after.order())
            .param("limit", page.limit())
            .query(ParkedOrders::order)
            .list(),
        order -> new Position(WireTime.micros(order.createTime()), order.lease().toString()));
  }

  /** Due at once, its failures forgotten, if it is parked; as it is otherwise. */
  static Optional<ParkedOrder> retry(JdbcClient ledgers, UUID lease, int generation, Kind kind) {
    ledgers
        .sql(
            """
            update delivery set state = 'DUE', failures = 0, due_time = clock_timestamp(),
              update_time = clock_timestamp()
            where lease = :lease and generation = :generation and kind = :kind and state = 'PARKED'
            """)
        .param("lease", lease)
        .param("generation", generation)
        .param("kind", kind.name())
        .update();
    return ledgers
        .sql(COLUMNS + "where lease = :lease and generation = :generation and kind = :kind")
        .param("lease", lease)
        .param("generation", generation)
        .param("kind", kind.name())
        .query(ParkedOrders::order)
        .optional();
  }

  /** The pool of an order, parked or not. */
  Optional<String> pool(UUID lease, int generation, Kind kind) {
    return database
        .sql(
            """
            select pool from cluster_order
            where lease = :lease and generation = :generation and kind = :kind
            """)
        .param("lease", lease)
        .param("generation", generation)
        .param("kind", kind.name())
        .query(String.class)
        .optional();
  }

  /** Nothing is left to do for the order; false if it is not parked. */
  static boolean abandon(JdbcClient ledgers, UUID lease, int generation, Kind kind) {
    return ledgers
            .sql(
                """
                delete from delivery
                where lease = :lease and generation = :generation and kind = :kind
                  and state = 'PARKED'
                """)
            .param("lease", lease)
            .param("generation", generation)
            .param("kind", kind.name())
            .update()
        == 1;
  }

  private static ParkedOrder order(ResultSet row, int number) throws SQLException {
    return new ParkedOrder(
        row.getObject("lease", UUID.class),
        row.getInt("generation"),
        row.getString("kind"),
        row.getString("pool"),
        row.getString("cluster"),
        row.getString("state"),
        row.getInt("failures"),
        row.getString("fault"),
        row.getObject("create_time", OffsetDateTime.class).toInstant(),
        row.getObject("update_time", OffsetDateTime.class).toInstant());
  }
}
