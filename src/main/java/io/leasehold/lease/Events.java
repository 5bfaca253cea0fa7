package io.leasehold.lease;

import io.leasehold.lease.EventPosition.Point;
import io.leasehold.ledger.LedgerSettings;
import io.leasehold.web.Problem;
import io.leasehold.web.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * What happened to leases and to occurrences of reservations, from the audit facts. A reader who
 * goes on from the position given sees each event of his scope exactly once; a fact that is
 * committed late lies behind no position.
 */
@Repository
class Events {

  private final JdbcClient jdbc;
  private final Duration retention;

  Events(JdbcClient jdbc, LedgerSettings settings) {
    this.jdbc = jdbc;
    this.retention = settings.keepLog();
  }

  /**
   * Which events are wanted; empty lists mean all.
   *
   * @param tenants with their subtrees
   * @param leases or {@code reservations}: what is about any of them; both empty means all
   */
  record Wanted(List<String> tenants, List<UUID> leases, List<UUID> reservations) {}

  /** The position of now: everything up to here is committed. */
  String head() {
    return EventPosition.of(heads()).encoded();
  }

  /** How far each pool's log has come. */
  Map<String, Long> heads() {
    Map<String, Long> heads = new TreeMap<>();
    jdbc.sql("select slug, revision from pool where slug <> '-'")
        .query((row, number) -> Map.entry(row.getString("slug"), row.getLong("revision")))
        .list()
        .forEach(head -> heads.put(head.getKey(), head.getValue()));
    return heads;
  }

  /** Up to so many events after a position. */
  EventPage after(EventPosition position, Wanted wanted, Scope scope, int limit) {
    return after(position, heads(), wanted, scope, limit);
  }

  /**
   * @param heads how far the logs are read; later facts are left for the next time
   */
  EventPage after(
      EventPosition position, Map<String, Long> heads, Wanted wanted, Scope scope, int limit) {
    EventPosition reached = position;
    List<EventResponse> items = new ArrayList<>();
    for (Map.Entry<String, Long> head : heads.entrySet()) {
      String pool = head.getKey();
      Point from = position.in(pool);
      if (from.revision() > head.getValue()) {
        continue;
      }
      List<Fact> facts = facts(pool, from, head.getValue(), wanted, scope, limit - items.size());
      for (Fact fact : facts) {
        reached = reached.with(pool, fact.point());
        items.add(fact.shown(pool, reached.encoded()));
      }
      if (items.size() < limit) {
        reached = reached.with(pool, Point.through(head.getValue()));
      }
    }
    return new EventPage(items, reached.encoded());
  }

  /** Refuses a position whose next events are no longer kept, or that this log never reached. */
  void requireKept(EventPosition position) {
    Map<String, Long> heads = heads();
    position
        .points()
        .forEach(
            (pool, point) -> {
              if (point.revision() > heads.getOrDefault(pool, 0L)) {
                throw expired();
              }
              boolean gone =
                  jdbc.sql(
                          """
                          select coalesce((
                            select at < clock_timestamp() - make_interval(secs => :seconds)
                            from audit_fact
                            where pool = :pool and (revision, ord) > (:revision, :ord)
                            order by revision, ord limit 1), false)\
                          """)
                      .param("seconds", (double) retention.toSeconds())
                      .param("pool", pool)
                      .param("revision", point.revision())
                      .param("ord", point.ord())
                      .query(Boolean.class)
                      .single();
              if (gone) {
                throw expired();
              }
            });
  }

  private static Problem expired() {
    return Problem.of(
        410,
        "position-expired",
        "Position expired",
        "The events after this position are no longer kept; list the leases and go on from the"
            + " eventPosition of that list.");
  }

  private List<Fact> facts(
      String pool, Point from, long head, Wanted wanted, Scope scope, int limit) {
    if (limit <= 0 || from.revision() == head && from.ord() == Integer.MAX_VALUE) {
      return List.of();
    }
    LeaseReads.Where where = new LeaseReads.Where();
    where.and(
        "l.pool = :pool and (l.revision, l.ord) > (:revision, :ord) and l.revision <= :head",
        Map.of("pool", pool, "revision", from.revision(), "ord", from.ord(), "head", head));
    where.and(
        "l.to_state is not null and (l.lease is not null or l.subject like 'occurrence:%')",
        Map.of());
    // Older ones are not kept as events: a partition that holds nothing else is not looked into.
    where.and(
        "l.at >= now() - make_interval(secs => :seconds) - interval '1 day'",
        Map.of("seconds", (double) retention.toSeconds()));
    where.scope(scope);
    if (!wanted.tenants().isEmpty()) {
      where.and(
          "l.tenant in (select descendant from tenant_closure where ancestor in (:tenants))",
          Map.of("tenants", wanted.tenants()));
    }
    if (!wanted.leases().isEmpty() || !wanted.reservations().isEmpty()) {
      where.and(
          """
          (l.lease = any(:leases)
           or l.subject in (select 'occurrence:' || o.id from occurrence o
                             where o.reservation = any(:reservations)))\
          """,
          Map.of(
              "leases", wanted.leases().toArray(UUID[]::new),
              "reservations", wanted.reservations().toArray(UUID[]::new)));
    }
    return jdbc.sql(
            """
            select f.*, o.reservation, o.original_start
              from (select l.revision, l.ord, l.at, l.tenant, l.lease, l.lease_revision,
                           l.from_state, l.to_state, l.cause, l.subject
                      from audit_fact l where %s
                     order by l.revision, l.ord limit :limit) f
              left join occurrence o on o.id =
                   case when f.lease is null then substring(f.subject from 12)::uuid end
             order by f.revision, f.ord\
            """
                .formatted(where.text()))
        .params(where.params())
        .param("limit", limit)
        .query((row, number) -> Fact.of(row))
        .list();
  }

  private record Fact(
      Point point,
      Instant at,
      @Nullable String tenant,
      @Nullable UUID lease,
      @Nullable Long leaseRevision,
      @Nullable UUID reservation,
      @Nullable Instant originalStart,
      @Nullable String fromState,
      String toState,
      String cause) {

    static Fact of(ResultSet row) throws SQLException {
      OffsetDateTime start = row.getObject("original_start", OffsetDateTime.class);
      return new Fact(
          new Point(row.getLong("revision"), row.getInt("ord")),
          row.getObject("at", OffsetDateTime.class).toInstant(),
          row.getString("tenant"),
          row.getObject("lease", UUID.class),
          row.getObject("lease_revision", Long.class),
          row.getObject("reservation", UUID.class),
          start == null ? null : start.toInstant(),
          row.getString("from_state"),
          row.getString("to_state"),
          row.getString("cause"));
    }

    EventResponse shown(String pool, String position) {
      return new EventResponse(
          position,
          at,
          pool,
          tenant,
          lease,
          leaseRevision,
          reservation,
          originalStart,
          fromState,
          toState,
          cause);
    }
  }
}
