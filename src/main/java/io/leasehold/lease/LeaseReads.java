package io.leasehold.lease;

import io.leasehold.ledger.Key;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseRecords;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.PageRequest.Position;
import io.leasehold.web.Scope;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Reads leases. A list shows each row that stays exactly once, newest first, and nothing outside
 * the caller's scope.
 */
@Repository
class LeaseReads {

  private final LeaseRecords records;
  private final JdbcClient jdbc;

  LeaseReads(LeaseRecords records, JdbcClient jdbc) {
    this.records = records;
    this.jdbc = jdbc;
  }

  Optional<LeaseRecord> find(UUID id) {
    return records.find(id);
  }

  Optional<String> tenantOf(UUID id) {
    return jdbc.sql("select tenant from lease where id = :id")
        .param("id", id)
        .query(String.class)
        .optional();
  }

  /** What was answered under an idempotency key before. */
  Optional<List<Outcome>> answered(Key key) {
    return records.answered(key);
  }

  /** Whether one of these keys was used with another body. They have one value and fingerprint. */
  boolean isReused(List<Key> keys) {
    return !keys.isEmpty()
        && jdbc.sql(
                "select exists (select from idempotency_key where value = :value and scope in"
                    + " (:scopes) and fingerprint <> :fingerprint)")
            .param("value", keys.getFirst().value())
            .param("fingerprint", keys.getFirst().fingerprint())
            .param("scopes", keys.stream().map(Key::scope).toList())
            .query(Boolean.class)
            .single();
  }

  List<LeaseRecord> findAll(Collection<UUID> ids) {
    return ids.isEmpty() ? List.of() : records.findAll(ids);
  }

  Page<LeaseRecord> list(LeaseFilter filter, Scope scope, PageRequest page) {
    Where where = new Where();
    where.scope(scope);
    filter.addTo(where);
    Position after = page.after();
    if (after != null) {
      where.and(
          "(l.create_time, l.id) < (:afterTime, cast(:afterId as uuid))",
          Map.of("afterTime", time(after.order()), "afterId", after.id()));
    }
    List<LeaseRecord> rows =
        jdbc.sql(
                "select "
                    + LeaseRecords.COLUMNS
                    + " from lease l where "
                    + where.text()
                    + " order by l.create_time desc, l.id desc limit :limit")
            .params(where.params())
            .param("limit", page.limit())
            .query(records)
            .list();
    return page.page(
        rows, row -> new Position(row.lease().createdAt(), row.lease().id().toString()));
  }

  static OffsetDateTime time(long micros) {
    return Instant.EPOCH
        .plus(micros, java.time.temporal.ChronoUnit.MICROS)
        .atOffset(ZoneOffset.UTC);
  }

  /** Conditions that must all hold, with their parameters. */
  static final class Where {

    private final List<String> conditions = new ArrayList<>(List.of("true"));
    private final Map<String, Object> params = new HashMap<>();

    /** Outside the scope nothing exists. */
    void scope(Scope scope) {
      if (scope.everything()) {
        return;
      }
      if (scope.roots().isEmpty()) {
        conditions.add("false");
        return;
      }
      and(
          "l.tenant in (select descendant from tenant_closure where ancestor in (:scope))",
          Map.of("scope", scope.roots()));
    }

    void and(String condition, Map<String, ?> named) {
      conditions.add(condition);
      params.putAll(named);
    }

    String text() {
      return String.join(" and ", conditions);
    }

    Map<String, Object> params() {
      return params;
    }
  }
}
