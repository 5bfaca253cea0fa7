package io.leasehold.audit;

import io.leasehold.audit.AuditFactResponse.AuditActor;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.PageRequest.Position;
import io.leasehold.web.Scope;
import io.leasehold.web.WireTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Reads the record within a scope. Facts without a tenant are the installation's: only who may read
 * everything sees them.
 */
@Repository
class AuditFacts {

  private final JdbcClient jdbc;

  AuditFacts(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Empty lists and null = not filtered by it. {@code end} is not included. */
  record Filter(
      List<UUID> actors,
      List<String> tenants,
      List<UUID> leases,
      @Nullable Instant start,
      @Nullable Instant end) {}

  private record Row(AuditFactResponse fact, Position position) {}

  Page<AuditFactResponse> list(Scope scope, Filter filter, PageRequest page) {
    Key after = Key.of(page.after());
    List<Row> rows =
        jdbc.sql(
                """
                select a.*, p.kind, p.name
                  from audit_fact a left join principal p on p.id = a.actor
                 where (:everything or exists (select from tenant_closure c
                         where c.descendant = a.tenant and c.ancestor = any(:roots)))
                   and (:anyTenant or exists (select from tenant_closure c
                         where c.descendant = a.tenant and c.ancestor = any(:tenants)))
                   and (:anyActor or a.actor = any(:actors))
                   and (:anyLease or a.lease = any(:leases))
                   and a.at >= coalesce(cast(:start as timestamptz), '-infinity')
                   and a.at < coalesce(cast(:end as timestamptz), 'infinity')
                   and (cast(:time as timestamptz) is null
                        or (a.at, a.pool, a.revision, a.ord) < (:time, :pool, :revision, :ord))
                 order by a.at desc, a.pool desc, a.revision desc, a.ord desc limit :limit
                """)
            .param("everything", scope.everything())
            .param("roots", scope.roots().toArray(String[]::new))
            .param("anyTenant", filter.tenants().isEmpty())
            .param("tenants", filter.tenants().toArray(String[]::new))
            .param("anyActor", filter.actors().isEmpty())
            .param("actors", filter.actors().toArray(UUID[]::new))
            .param("anyLease", filter.leases().isEmpty())
            .param("leases", filter.leases().toArray(UUID[]::new))
            .param("start", offset(filter.start()))
            .param("end", offset(filter.end()))
            .param("time", offset(after.time()))
            .param("pool", after.pool())
            .param("revision", after.revision())
            .param("ord", after.ord())
            .param("limit", page.limit())
            .query(AuditFacts::row)
            .list();
    Page<Row> found = page.page(rows, Row::position);
    return new Page<>(found.items().stream().map(Row::fact).toList(), found.nextPageToken());
  }

  /** A tenant's admins see what the keys of their subtree were refused. */
  Page<RefusalResponse> refusals(Scope scope, PageRequest page) {
    Position after = page.after();
    List<RefusalResponse> rows =
        jdbc.sql(
                """
                select d.minute, d.principal, p.name, d.operation, d.status, d.count
                  from denied_call d left join principal p on p.id = d.principal
                 where (:everything or exists (
                         select from api_key k join tenant_closure c on c.descendant = k.tenant
                          where k.principal = d.principal and c.ancestor = any(:roots)))
                   and (cast(:minute as timestamptz) is null
                        or (d.minute, d.principal::text || d.operation || d.status)
                           < (:minute, :id))
                 order by d.minute desc, d.principal::text || d.operation || d.status desc
                 limit :limit
                """)
            .param("everything", scope.everything())
            .param("roots", scope.roots().toArray(String[]::new))
            .param("minute", after == null ? null : offset(WireTime.ofMicros(after.order())))
            .param("id", after == null ? null : after.id())
            .param("limit", page.limit())
            .query(
                (row, i) ->
                    new RefusalResponse(
                        instant(row, "minute"),
                        row.getObject("principal", UUID.class),
                        row.getString("name"),
                        row.getString("operation"),
                        row.getInt("status"),
                        row.getLong("count")))
            .list();
    return page.page(
        rows,
        r ->
            new Position(
                WireTime.micros(r.minuteTime()), r.principal() + r.operation() + r.status()));
  }

  /** Where a fact stands, in the token of a page. */
  private record Key(@Nullable Instant time, @Nullable String pool, long revision, int ord) {

    static Key of(@Nullable Position position) {
      if (position == null) {
        return new Key(null, null, 0, 0);
      }
      String[] parts = position.id().split(":");
      return new Key(
          WireTime.ofMicros(position.order()),
          parts[0],
          Long.parseLong(parts[1]),
          Integer.parseInt(parts[2]));
    }
  }

  private static Row row(ResultSet row, int i) throws SQLException {
    Instant time = instant(row, "at");
    String pool = row.getString("pool");
    long revision = row.getLong("revision");
    int ord = row.getInt("ord");
    long leaseRevision = row.getLong("lease_revision");
    AuditFactResponse fact =
        new AuditFactResponse(
            time,
            new AuditActor(
                row.getObject("actor", UUID.class), row.getString("kind"), row.getString("name")),
            row.getString("subject"),
            row.getString("tenant"),
            row.getObject("lease", UUID.class),
            leaseRevision == 0 ? null : leaseRevision,
            row.getString("from_state"),
            row.getString("to_state"),
            row.getString("cause"),
            row.getString("trace_id"),
            pool + ":" + revision);
    return new Row(fact, new Position(WireTime.micros(time), pool + ":" + revision + ":" + ord));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static @Nullable OffsetDateTime offset(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }
}
