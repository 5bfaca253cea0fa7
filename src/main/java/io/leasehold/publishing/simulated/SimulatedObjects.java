package io.leasehold.publishing.simulated;

import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder;
import io.leasehold.publishing.ClusterOrder.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What one simulated cluster has. The fence is compared in the statement that changes the object,
 * so no older order takes effect after a newer one, whoever sends them when.
 */
final class SimulatedObjects {

  /** How long a withdrawn object's fence is remembered. */
  private static final String MEMORY = "15 minutes";

  private static final String APPLY =
      """
      insert into simulated_object as o (cluster, lease, epoch, generation, wanted, ready_time)
      select :cluster, lease, epoch, generation, wanted,
        case wanted when 'PUBLISH' then :usable else :now end
      from unnest(:leases::uuid[], :epochs::int[], :generations::int[], :kinds::text[])
        as t(lease, epoch, generation, wanted)
      on conflict (cluster, lease) do update set
        epoch = excluded.epoch, generation = excluded.generation, wanted = excluded.wanted,
        ready_time = case
          when o.wanted = excluded.wanted
            and (o.wanted = 'WITHDRAW' or o.generation = excluded.generation) then o.ready_time
          when excluded.wanted = 'WITHDRAW' then :gone
          else :usable end
      where o.ours
        and (excluded.epoch, excluded.generation) >= (o.epoch, o.generation)
        and not (o.generation = excluded.generation and o.wanted > excluded.wanted)
      returning lease
      """;

  private final JdbcClient database;
  private final String cluster;

  SimulatedObjects(JdbcClient database, String cluster) {
    this.database = database;
    this.cluster = cluster;
  }

  /**
   * Applies orders, each of another lease.
   *
   * @return the leases whose order took effect, or had before
   */
  Set<UUID> apply(List<ClusterOrder> orders, Instant now, Simulation simulation) {
    return new HashSet<>(
        database
            .sql(APPLY)
            .param("cluster", cluster)
            .param("leases", texts(orders, ClusterOrder::lease))
            .param("epochs", numbers(orders, ClusterOrder::epoch))
            .param("generations", numbers(orders, ClusterOrder::generation))
            .param("kinds", texts(orders, ClusterOrder::kind))
            .param("now", at(now))
            .param("usable", at(now.plus(simulation.publishLatency())))
            .param("gone", at(now.plus(simulation.withdrawLatency())))
            .query(UUID.class)
            .list());
  }

  /** Of these, the leases under whose name somebody else's object lies. */
  Set<UUID> foreign(Collection<UUID> leases) {
    return new HashSet<>(
        database
            .sql(
                """
                select lease from simulated_object
                where cluster = :cluster and lease = any(:leases::uuid[]) and not ours
                """)
            .param("cluster", cluster)
            .param("leases", texts(leases, lease -> lease))
            .query(UUID.class)
            .list());
  }

  List<Sighting> look(Collection<UUID> leases, Instant now) {
    return database
        .sql(
            """
            select o.lease, o.epoch, o.generation, o.wanted, o.ready_time
            from unnest(:leases::uuid[]) as looked_at(lease)
            -- By the key for each, whatever the planner knows of a table that grew a moment ago.
            cross join lateral (
              select * from simulated_object each
              where each.cluster = :cluster and each.lease = looked_at.lease and each.ours limit 1) o
            """)
        .param("cluster", cluster)
        .param("leases", texts(leases, lease -> lease))
        .query(sighting(now))
        .list();
  }

  List<Sighting> lookAtAll(Instant now) {
    forget(now);
    return database
        .sql(
            """
            select lease, epoch, generation, wanted, ready_time from simulated_object
            where cluster = :cluster and ours and (wanted = 'PUBLISH' or ready_time > :now)
            """)
        .param("cluster", cluster)
        .param("now", at(now))
        .query(sighting(now))
        .list();
  }

  private void forget(Instant now) {
    database
        .sql(
            """
            delete from simulated_object
            where cluster = :cluster and wanted = 'WITHDRAW'
              and ready_time < :now - cast(:memory as interval)
            """)
        .param("cluster", cluster)
        .param("now", at(now))
        .param("memory", MEMORY)
        .update();
  }

  private static RowMapper<Sighting> sighting(Instant now) {
    return (row, number) ->
        new Sighting(
            row.getObject("lease", UUID.class),
            row.getInt("epoch"),
            row.getInt("generation"),
            presence(row, now));
  }

  private static Presence presence(ResultSet row, Instant now) throws SQLException {
    boolean ready = !row.getObject("ready_time", OffsetDateTime.class).toInstant().isAfter(now);
    return switch (Kind.valueOf(row.getString("wanted"))) {
      case PUBLISH -> ready ? Presence.USABLE : Presence.PENDING;
      case WITHDRAW -> ready ? Presence.ABSENT : Presence.LEAVING;
    };
  }

  private static <T> String[] texts(Collection<T> all, Function<T, Object> part) {
    return all.stream().map(part).map(Object::toString).toArray(String[]::new);
  }

  private static <T> Integer[] numbers(Collection<T> all, Function<T, Integer> part) {
    return all.stream().map(part).toArray(Integer[]::new);
  }

  private static OffsetDateTime at(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
