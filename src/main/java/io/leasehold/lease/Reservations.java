package io.leasehold.lease;

import io.leasehold.engine.Occurrence;
import io.leasehold.fleet.Statements;
import io.leasehold.lease.LeaseReads.Where;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.LeaseRecords;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.PageRequest.Position;
import io.leasehold.web.Scope;
import io.leasehold.web.WireTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reservations, and their times as the ledger left them. */
@Repository
class Reservations {

  private final JdbcClient jdbc;

  Reservations(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<ReservationRecord> find(UUID id) {
    return jdbc.sql("select * from reservation where id = :id")
        .param("id", id)
        .query((row, number) -> record(row))
        .optional();
  }

  Page<ReservationRecord> list(
      List<String> tenants, List<String> pools, Scope scope, PageRequest page) {
    Where where = new Where();
    where.scope(scope);
    if (!tenants.isEmpty()) {
      where.and(
          "l.tenant in (select descendant from tenant_closure where ancestor in (:tenants))",
          Map.of("tenants", tenants));
    }
    if (!pools.isEmpty()) {
      where.and("l.pool in (:pools)", Map.of("pools", pools));
    }
    Position after = page.after();
    if (after != null) {
      where.and(
          "(l.create_time, l.id) < (:afterTime, cast(:afterId as uuid))",
          Map.of("afterTime", LeaseReads.time(after.order()), "afterId", after.id()));
    }
    List<ReservationRecord> rows =
        jdbc.sql(
                "select * from reservation l where "
                    + where.text()
                    + " order by l.create_time desc, l.id desc limit :limit")
            .params(where.params())
            .param("limit", page.limit())
            .query((row, number) -> record(row))
            .list();
    return page.page(
        rows, row -> new Position(WireTime.micros(row.createTime()), row.id().toString()));
  }

  /** Soonest first, by what they are called by. */
  Page<Occurrence> occurrences(
      UUID reservation, List<String> states, @Nullable Long endAfter, PageRequest page) {
    Where where = new Where();
    where.and("o.reservation = :reservation", Map.of("reservation", reservation));
    if (!states.isEmpty()) {
      where.and("o.state in (:states)", Map.of("states", states));
    }
    if (endAfter != null) {
      where.and("o.end_time > :endAfter", Map.of("endAfter", LeaseReads.time(endAfter)));
    }
    if (page.after() != null) {
      where.and(
          "o.original_start > :after", Map.of("after", LeaseReads.time(page.after().order())));
    }
    List<Occurrence> rows =
        jdbc.sql(
                "select body from occurrence o where "
                    + where.text()
                    + " order by o.original_start limit :limit")
            .params(where.params())
            .param("limit", page.limit())
            .query((row, number) -> occurrence(row))
            .list();
    return page.page(rows, row -> new Position(row.originalStart(), row.id().toString()));
  }

  /** By the start it is called by. */
  Optional<Occurrence> occurrence(UUID reservation, long originalStart) {
    return jdbc.sql(
            "select body from occurrence where reservation = :reservation and original_start = :at")
        .param("reservation", reservation)
        .param("at", LeaseReads.time(originalStart))
        .query((row, number) -> occurrence(row))
        .optional();
  }

  List<UUID> live(UUID reservation) {
    return jdbc.sql(
            "select id from occurrence where reservation = :reservation and live"
                + " order by original_start")
        .param("reservation", reservation)
        .query(UUID.class)
        .list();
  }

  /** Series of which times have come into sight: made until before an instant. */
  List<ReservationRecord> behind(Instant until, int most) {
    return jdbc.sql(
            """
            select * from reservation
             where recurring and cancel_time is null and made_until < :until
             order by made_until limit :most\
            """)
        .param("until", until.atOffset(ZoneOffset.UTC))
        .param("most", most)
        .query((row, number) -> record(row))
        .list();
  }

  void add(
      Connection connection,
      UUID id,
      ReservationReader.Read read,
      String request,
      boolean recurring,
      Actor creator) {
    Statements.on(connection)
        .sql(
            """
            insert into reservation (id, pool, tenant, request, recurring, made_until,
              created_by_kind, created_by_name)
            values (:id, :pool, :tenant, cast(:request as json), :recurring, :until, :kind, :name)\
            """)
        .param("id", id)
        .param("pool", read.pool())
        .param("tenant", read.tenant())
        .param("request", request)
        .param("recurring", recurring)
        .param("until", read.madeUntil().atOffset(ZoneOffset.UTC))
        .param("kind", creator.kind())
        .param("name", creator.name())
        .update();
  }

  /** False when another replica was faster, or it was cancelled. */
  boolean made(Connection connection, ReservationRecord seen, Instant until) {
    return Statements.on(connection)
            .sql(
                """
                update reservation set made_until = :until, revision = revision + 1,
                  update_time = clock_timestamp()
                 where id = :id and revision = :seen and cancel_time is null\
                """)
            .param("id", seen.id())
            .param("seen", seen.revision())
            .param("until", until.atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  boolean cancel(Connection connection, UUID id, long seen) {
    return Statements.on(connection)
            .sql(
                """
                update reservation set cancel_time = clock_timestamp(), revision = revision + 1,
                  update_time = clock_timestamp()
                 where id = :id and revision = :seen and cancel_time is null\
                """)
            .param("id", id)
            .param("seen", seen)
            .update()
        == 1;
  }

  /** Whether an occurrence still is as it was seen. */
  boolean isAt(Connection connection, UUID occurrence, long revision) {
    return Statements.on(connection)
        .sql("select exists (select from occurrence where id = :id and revision = :revision)")
        .param("id", occurrence)
        .param("revision", revision)
        .query(Boolean.class)
        .single();
  }

  private static ReservationRecord record(ResultSet row) throws SQLException {
    OffsetDateTime cancelled = row.getObject("cancel_time", OffsetDateTime.class);
    return new ReservationRecord(
        row.getObject("id", UUID.class),
        row.getString("pool"),
        row.getString("tenant"),
        row.getString("request"),
        row.getBoolean("recurring"),
        row.getObject("made_until", OffsetDateTime.class).toInstant(),
        cancelled == null ? null : cancelled.toInstant(),
        row.getString("created_by_kind"),
        row.getString("created_by_name"),
        row.getLong("revision"),
        row.getObject("create_time", OffsetDateTime.class).toInstant(),
        row.getObject("update_time", OffsetDateTime.class).toInstant());
  }

  private static Occurrence occurrence(ResultSet row) throws SQLException {
    return LeaseRecords.occurrence(row.getString("body"));
  }
}
