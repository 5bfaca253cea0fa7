package io.leasehold.ledger;

import io.leasehold.engine.Occurrence;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Leases as committed; for reading only. */
public final class LeaseRecords implements RowMapper<LeaseRecord> {

  /** What {@link #from} needs of table {@code lease}, named {@code l} in the query. */
  public static final String COLUMNS =
      """
      l.id, l.pool, l.state, l.revision, l.ask, l.status, l.text, l.answer,
      l.book_revision, l.created_by, l.created_by_kind, l.created_by_name,
      micros(l.update_time) as updated_at\
      """;

  private final JdbcClient jdbc;

  LeaseRecords(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public Optional<LeaseRecord> find(UUID id) {
    return jdbc.sql("select " + COLUMNS + " from lease l where l.id = ?")
        .param(id)
        .query(this)
        .optional();
  }

  /** In no order; those that do not exist are left out. */
  public List<LeaseRecord> findAll(Collection<UUID> ids) {
    return stored(ids).stream().map(StoredLease::record).toList();
  }

  List<StoredLease> stored(Collection<UUID> ids) {
    return jdbc.sql("select " + COLUMNS + " from lease l where l.id = any(?::uuid[])")
        .param(ids.toArray(UUID[]::new))
        .query((row, number) -> StoredLease.from(row))
        .list();
  }

  /** What was answered under a key before; empty if nothing is kept for it with this body. */
  public Optional<List<Outcome>> answered(Key key) {
    return jdbc.sql(
            "select reply from idempotency_key"
                + " where scope = ? and value = ? and fingerprint = ? and reply is not null")
        .param(key.scope())
        .param(key.value())
        .param(key.fingerprint())
        .query(String.class)
        .optional()
        .map(Attempt::replay);
  }

  /** An occurrence as it is stored in {@code occurrence.body}. */
  public static Occurrence occurrence(String body) {
    return Json.read(body, Occurrence.class);
  }

  /** One row that has {@link #COLUMNS}. */
  public static LeaseRecord from(ResultSet row) throws SQLException {
    return StoredLease.from(row).record();
  }

  @Override
  public LeaseRecord mapRow(ResultSet row, int number) throws SQLException {
    return from(row);
  }
}
