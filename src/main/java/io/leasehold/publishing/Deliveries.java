package io.leasehold.publishing;

import io.leasehold.engine.Booking;
import io.leasehold.engine.Command.Report;
import io.leasehold.engine.Span;
import io.leasehold.ledger.Wanted;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Delivery.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The rows of {@code delivery}. A claim and its settlement are one statement each, with the call to
 * the cluster between them and no transaction open meanwhile.
 */
final class Deliveries {

  private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

  private static final String CLAIM =
      """
      with mine as materialized (
        select lease, generation, kind from delivery
        where cluster = :cluster and state <> 'PARKED' and due_time <= :now
        order by due_time limit :limit
        for update skip locked)
      update delivery d set due_time = :until, claim = d.claim + 1, update_time = :now
      -- By the key for each: a join might read all orders there ever were to find these few.
      from mine cross join lateral (
        select epoch, wanted from cluster_order each
        where (each.lease, each.generation, each.kind) = (mine.lease, mine.generation, mine.kind)
        limit 1) o
      where d.lease = mine.lease and d.generation = mine.generation and d.kind = mine.kind
      returning d.lease, d.generation, d.kind, d.pool, d.cluster, d.state, d.claim, d.failures,
        d.sent_time, o.epoch, o.wanted,
        exists (select from cluster_order newer
          where newer.lease = d.lease and newer.generation > d.generation) as superseded
      """;

  private static final String SETTLE =
      """
      with outcome as (
        select * from unnest(:leases::uuid[], :generations::int[], :kinds::text[], :claims::int[],
          :states::text[], :dues::timestamptz[], :failures::int[], :sents::timestamptz[],
          :faults::text[])
          as t(lease, generation, kind, claim, state, due_time, failures, sent_time, fault)),
      done as (
        delete from delivery d using outcome o
        where o.state = 'DONE' and d.lease = o.lease
          and (d.generation = o.generation and d.kind = o.kind and d.claim = o.claim
            or d.generation < o.generation and d.state = 'PARKED'))
      update delivery d
      set state = o.state, due_time = o.due_time, failures = o.failures, sent_time = o.sent_time,
        fault = o.fault, update_time = :now
      from outcome o
      where o.state <> 'DONE' and d.lease = o.lease and d.generation = o.generation
        and d.kind = o.kind and d.claim = o.claim
      """;

  private static final Wanted NOTHING =
      new Wanted(new Booking("", "", new Span(0, Span.FOREVER), List.of()), 0);

  private final JdbcClient database;

  Deliveries(JdbcClient database) {
    this.database = database;
  }

  /** The clusters that have something due. */
  List<String> dueClusters(Instant now) {
    return database
        .sql(
            """
            select slug from cluster where exists (
              select from delivery where cluster = slug and state <> 'PARKED' and due_time <= :now)
            """)
        .param("now", at(now))
        .query(String.class)
        .list();
  }

  /** Takes due orders of a cluster, oldest first, for a while. */
  List<Delivery> claim(String cluster, Instant now, Duration claim, int limit) {
    return database
        .sql(CLAIM)
        .param("cluster", cluster)
        .param("now", at(now))
        .param("until", at(now.plus(claim)))
        .param("limit", limit)
        .query(Deliveries::delivery)
        .list();
  }

  /** Writes what became of claimed orders; those that another worker has taken since are left. */
  void settle(List<Next> steps, Instant now) {
    database
        .sql(SETTLE)
        .param("leases", texts(steps, next -> next.of().lease()))
        .param("generations", numbers(steps, next -> next.of().order().generation()))
        .param("kinds", texts(steps, next -> next.of().order().kind()))
        .param("claims", numbers(steps, next -> next.of().claim()))
        .param("states", texts(steps, Next::step))
        .param("dues", texts(steps, Next::due))
        .param("failures", numbers(steps, Next::failures))
        .param("sents", texts(steps, Next::sent))
        .param("faults", texts(steps, Next::fault))
        .param("now", at(now))
        .update();
  }

  /** What is open by cluster, for the gauges; clusters with nothing open have a row of zeros. */
  List<DeliveryMetrics.Backlog> backlogs(Instant now) {
    return database
        .sql(
            """
            select slug as cluster,
              count(lease) filter (where state <> 'PARKED') as open,
              coalesce(extract(epoch from cast(:now as timestamptz)
                - min(d.create_time) filter (where state <> 'PARKED')), 0) as oldest_seconds,
              count(lease) filter (where state = 'PARKED') as parked,
              exists (select from cluster_standing s where s.cluster = slug and s.stale) as stale
            from cluster left join delivery d on d.cluster = slug
            group by slug
            """)
        .param("now", at(now))
        .query(DeliveryMetrics.Backlog.class)
        .list();
  }

  /** Makes orders due again, whatever was known of them; only the newest order of a lease. */
  int again(List<UUID> leases, Instant now) {
    return database
        .sql(
            """
            insert into delivery
              (lease, generation, kind, pool, cluster, due_time, create_time, update_time)
            select distinct on (lease) lease, generation, kind, pool, cluster, :now, :now, :now
            from cluster_order where lease = any(:leases::uuid[])
            order by lease, generation desc
            on conflict (lease, generation, kind) do nothing
            """)
        .param("now", at(now))
        .param("leases", leases.stream().map(UUID::toString).toArray(String[]::new))
        .update();
  }

  /** Parked orders whose news were taken: nothing is left to do. */
  void forget(List<Report> told) {
    database
        .sql(
            """
            delete from delivery d using unnest(:leases::uuid[], :generations::int[])
              as t(lease, generation)
            where d.state = 'PARKED' and d.lease = t.lease and d.generation = t.generation
            """)
        .param("leases", told.stream().map(r -> r.lease().toString()).toArray(String[]::new))
        .param("generations", told.stream().map(Report::generation).toArray(Integer[]::new))
        .update();
  }

  /** A few leases that the cluster has shown usable. */
  List<UUID> someActive(String pool, String cluster, int limit) {
    return database
        .sql(
            """
            select id from lease
            where pool = :pool and cluster = :cluster and state = 'ACTIVE' limit :limit
            """)
        .param("pool", pool)
        .param("cluster", cluster)
        .param("limit", limit)
        .query(UUID.class)
        .list();
  }

  int countActive(List<UUID> leases) {
    return database
        .sql("select count(*) from lease where id = any(:leases::uuid[]) and state = 'ACTIVE'")
        .param("leases", leases.stream().map(UUID::toString).toArray(String[]::new))
        .query(Integer.class)
        .single();
  }

  private static Delivery delivery(ResultSet row, int number) throws SQLException {
    Optional<Wanted> readable = wanted(row);
    Wanted want = readable.orElse(NOTHING);
    OffsetDateTime sent = row.getObject("sent_time", OffsetDateTime.class);
    ClusterOrder order =
        new ClusterOrder(
            row.getObject("lease", UUID.class),
            row.getInt("generation"),
            row.getInt("epoch"),
            Kind.valueOf(row.getString("kind")),
            row.getString("cluster"),
            want.booking(),
            want.graceSeconds());
    return new Delivery(
        order,
        row.getString("pool"),
        State.valueOf(row.getString("state")),
        row.getInt("claim"),
        row.getInt("failures"),
        sent == null ? null : sent.toInstant(),
        row.getBoolean("superseded"),
        readable.isPresent());
  }

  /** A row that can not be read must not keep the others from being claimed. */
  private static Optional<Wanted> wanted(ResultSet row) throws SQLException {
    String text = row.getString("wanted");
    try {
      return Optional.of(Wanted.from(text));
    } catch (RuntimeException unreadable) {
      LOG.error(
          "Order of lease {} can not be read: {}", row.getString("lease"), unreadable.toString());
      return Optional.empty();
    }
  }

  private static String[] texts(List<Next> steps, Function<Next, @Nullable Object> part) {
    return steps.stream()
        .map(part)
        .map(value -> value == null ? null : value.toString())
        .toArray(String[]::new);
  }

  private static Integer[] numbers(List<Next> steps, Function<Next, Integer> part) {
    return steps.stream().map(part).toArray(Integer[]::new);
  }

  static OffsetDateTime at(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
