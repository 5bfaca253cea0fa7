package io.leasehold.publishing;

import static io.leasehold.publishing.Deliveries.at;

import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Delivery.State;
import io.leasehold.publishing.Drift.Wanted;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the reconciler reads, and its own two tables: whose turn it is, and the breaker's count. */
final class Comparisons {

  private static final Duration BREAKER_SPAN = Duration.ofMinutes(10);

  private final JdbcClient database;

  Comparisons(JdbcClient database) {
    this.database = database;
  }

  /** True for one replica each time the cluster is due. */
  boolean take(String cluster, Instant now, Duration every) {
    return database
            .sql(
                """
                insert into comparison (cluster, due_time) values (:cluster, :next)
                on conflict (cluster) do update set due_time = excluded.due_time
                where comparison.due_time <= :now
                """)
            .param("cluster", cluster)
            .param("now", at(now))
            .param("next", at(now.plus(every)))
            .update()
        == 1;
  }

  /** The next one no later than this. */
  void hurry(String cluster, Instant due) {
    database
        .sql(
            """
            update comparison set due_time = :due where cluster = :cluster and due_time > :due
            """)
        .param("cluster", cluster)
        .param("due", at(due))
        .update();
  }

  /** The newest orders of the live leases that a cluster has, or should have, in its hands. */
  Map<UUID, Wanted> wanted(Clusters.Registered cluster) {
    return database
        .sql(
            """
            select l.id as lease, o.epoch, o.generation, o.kind, d.state as delivery,
              l.state = 'ACTIVE' as active
            from lease l
            cross join lateral (
              select * from cluster_order o where o.lease = l.id
              order by o.generation desc limit 1) o
            left join delivery d using (lease, generation, kind)
            where l.pool = :pool and l.cluster = :cluster
              and l.state in ('ALLOCATED', 'PUBLISHING', 'ACTIVE', 'ENDING')
            """)
        .param("pool", cluster.pool())
        .param("cluster", cluster.slug())
        .query(Comparisons::wanted)
        .list()
        .stream()
        .collect(Collectors.toMap(Wanted::lease, Function.identity()));
  }

  /** Which of these leases an end has ordered out of the cluster. */
  Set<UUID> orderedOut(String cluster, Collection<UUID> leases) {
    return Set.copyOf(
        database
            .sql(
                """
                select lease from (
                  select distinct on (lease) lease, kind from cluster_order
                  where cluster = :cluster and lease = any(:leases::uuid[])
                  order by lease, generation desc) newest
                where kind = 'WITHDRAW'
                """)
            .param("cluster", cluster)
            .param("leases", leases.stream().map(UUID::toString).toArray(String[]::new))
            .query(UUID.class)
            .list());
  }

  int poolEpoch(String pool) {
    return database
        .sql("select epoch from pool where slug = :pool")
        .param("pool", pool)
        .query(Integer.class)
        .single();
  }

  /** Withdrawals that no end ordered, in the breaker's span. */
  int orphansWithdrawn(String cluster, Instant now) {
    return database
        .sql("select count(*) from orphan_withdrawal where cluster = :cluster and at > :since")
        .param("cluster", cluster)
        .param("since", at(now.minus(BREAKER_SPAN)))
        .query(Integer.class)
        .single();
  }

  /** Counts them before they are withdrawn, so that a crash can not make room for more. */
  void countOrphans(String cluster, List<Sighting> orphans, Instant now) {
    database
        .sql(
            """
            with past as (
              delete from orphan_withdrawal where cluster = :cluster and at <= :since)
            insert into orphan_withdrawal (cluster, lease, at)
            select :cluster, lease, :now from unnest(:leases::uuid[]) lease
            """)
        .param("cluster", cluster)
        .param("since", at(now.minus(BREAKER_SPAN)))
        .param("now", at(now))
        .param("leases", orphans.stream().map(o -> o.lease().toString()).toArray(String[]::new))
        .update();
  }

  private static Wanted wanted(ResultSet row, int number) throws SQLException {
    String delivery = row.getString("delivery");
    return new Wanted(
        row.getObject("lease", UUID.class),
        row.getInt("epoch"),
        row.getInt("generation"),
        Kind.valueOf(row.getString("kind")),
        delivery == null ? null : State.valueOf(delivery),
        row.getBoolean("active"));
  }
}
