package io.leasehold.lease;

import io.leasehold.ledger.LeaseRecord;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.PageRequest.Position;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads what moved a lease, and by whom, from the audit facts. */
@Repository
class History {

  private final JdbcClient jdbc;

  History(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private record Row(Position position, HistoryResponse.Entry entry) {}

  HistoryResponse of(LeaseRecord lease, PageRequest page) {
    Position after = page.after() == null ? new Position(Long.MAX_VALUE, "0") : page.after();
    List<Row> rows =
        jdbc.sql(
                """
                select f.revision, f.ord, f.at, f.lease_revision, f.from_state, f.to_state, f.cause,
                       f.trace_id, f.actor, p.kind, p.name
                from audit_fact f left join principal p on p.id = f.actor
                where f.pool = :pool and f.lease = :lease and f.to_state is not null
                  and f.at >= :created
                  and (f.revision, f.ord) < (:revision, :ord)
                order by f.revision desc, f.ord desc
                limit :limit\
                """)
            .param("pool", lease.pool())
            .param("lease", lease.lease().id())
            .param("created", Wire.instant(lease.lease().createdAt()).atOffset(ZoneOffset.UTC))
            .param("revision", after.order())
            .param("ord", Integer.parseInt(after.id()))
            .param("limit", page.limit())
            .query((row, number) -> row(row))
            .list();
    Page<Row> shown = page.page(rows, Row::position);
    return new HistoryResponse(
        shown.items().stream().map(Row::entry).toList(), shown.nextPageToken());
  }

  private static Row row(ResultSet row) throws SQLException {
    return new Row(
        new Position(row.getLong("revision"), Integer.toString(row.getInt("ord"))),
        new HistoryResponse.Entry(
            row.getObject("at", OffsetDateTime.class).toInstant(),
            row.getLong("lease_revision"),
            row.getString("from_state"),
            row.getString("to_state"),
            row.getString("cause"),
            actor(row),
            row.getString("trace_id")));
  }

  /** A name may have been erased. */
  private static LeaseResponse.Creator actor(ResultSet row) throws SQLException {
    String kind = row.getString("kind");
    String name = row.getString("name");
    return new LeaseResponse.Creator(
        kind == null ? "user" : kind, name == null ? row.getString("actor") : name);
  }
}
