package io.leasehold.contract;

import io.leasehold.engine.Contract.Entitlement;
import io.leasehold.fleet.Statements;
import io.leasehold.fleet.Times;
import io.leasehold.ledger.Actor;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Scope;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Contracts, drafts included. Whether one has expired is judged by the database's clock. */
@Repository
class ContractRepository {

  private static final TypeReference<List<Entitlement>> ENTITLEMENTS = new TypeReference<>() {};

  private static final String CONTRACT =
      """
      select c.* from (select *, case when state = 'SIGNED' and end_time <= clock_timestamp()
        then 'EXPIRED' else state end as present_state from contract) c
      """;

  private final JdbcClient jdbc;
  private final JsonMapper json;

  ContractRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  Optional<ContractRecord> find(UUID id) {
    return jdbc.sql(CONTRACT + " where c.id = :id").param("id", id).query(this::record).optional();
  }

  List<ContractRecord> page(ContractFilter filter, Scope scope, PageRequest page) {
    if (!scope.everything() && scope.roots().isEmpty()) {
      return List.of();
    }
    PageRequest.Position after = page.after();
    return jdbc.sql(
            CONTRACT
                + """
                 where (:everything or exists (select 1 from tenant_closure t
                    where t.descendant = c.tenant and t.ancestor = any (:roots)))
                  and (:tenant::text is null or exists (select 1 from tenant_closure t
                    where t.descendant = c.tenant and t.ancestor = :tenant))
                  and (:pool::text is null or c.pool = :pool)
                  and (:state::text is null or c.present_state = :state)
                  and (:afterTime::timestamptz is null
                    or (c.create_time, c.id) < (:afterTime, :afterId))
                order by c.create_time desc, c.id desc limit :limit
                """)
        .param("everything", scope.everything())
        .param("roots", scope.roots().toArray(String[]::new))
        .param("tenant", filter.tenant())
        .param("pool", filter.pool())
        .param("state", filter.state() == null ? null : filter.state().name())
        .param("afterTime", after == null ? null : Times.time(after.order()))
        .param("afterId", after == null ? null : Times.uuid(after.id()))
        .param("limit", page.limit())
        .query(this::record)
        .list();
  }

  /** The newest contract of a tenant in a pool, whatever its state. */
  Optional<ContractRecord> newest(String pool, String tenant) {
    return jdbc.sql(
            CONTRACT
                + " where c.pool = :pool and c.tenant = :tenant"
                + " order by c.create_time desc, c.id desc limit 1")
        .param("pool", pool)
        .param("tenant", tenant)
        .query(this::record)
        .optional();
  }

  /** The pools of every tenant that has a signed contract valid now or later. */
  Map<String, SortedSet<String>> poolsByTenant() {
    Map<String, SortedSet<String>> pools = new TreeMap<>();
    jdbc.sql(
            "select distinct tenant, pool from contract"
                + " where state = 'SIGNED' and end_time > clock_timestamp()")
        .query(
            row -> {
              pools
                  .computeIfAbsent(row.getString("tenant"), tenant -> new TreeSet<>())
                  .add(row.getString("pool"));
            });
    return pools;
  }

  Instant now() {
    return jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
  }

  ContractRecord add(
      Connection connection, UUID id, ContractTerms terms, Actor creator, UUID author) {
    return parameters(
            Statements.on(connection)
                .sql(
                    """
                    insert into contract (id, pool, tenant, start_time, end_time, state,
                      entitlements, authors, created_by_kind, created_by_name)
                    values (:id, :pool, :tenant, :start, :end, 'DRAFT', :entitlements::jsonb,
                      array[:author::uuid], :kind, :name)
                    returning *, state as present_state
                    """),
            terms)
        .param("id", id)
        .param("author", author)
        .param("kind", creator.kind())
        .param("name", creator.name())
        .query(this::record)
        .single();
  }

  /** Replaces a draft that is still at the revision seen; whoever does becomes an author. */
  Optional<ContractRecord> replace(
      Connection connection, UUID id, ContractTerms terms, UUID author, long seen) {
    return parameters(
            Statements.on(connection)
                .sql(
                    """
                    update contract set pool = :pool, tenant = :tenant, start_time = :start,
                      end_time = :end, entitlements = :entitlements::jsonb,
                      authors = case when :author::uuid = any (authors) then authors
                        else authors || :author::uuid end,
                      revision = revision + 1, update_time = clock_timestamp()
                    where id = :id and revision = :seen and state = 'DRAFT'
                    returning *, state as present_state
                    """),
            terms)
        .param("id", id)
        .param("author", author)
        .param("seen", seen)
        .query(this::record)
        .optional();
  }

  boolean sign(Connection connection, UUID id, Actor signer, long seen) {
    return Statements.on(connection)
            .sql(
                """
                update contract set state = 'SIGNED', signed_by_name = :signer,
                  sign_time = clock_timestamp(), revision = revision + 1,
                  update_time = clock_timestamp()
                where id = :id and revision = :seen and state = 'DRAFT'
                """)
            .param("id", id)
            .param("signer", signer.name())
            .param("seen", seen)
            .update()
        == 1;
  }

  boolean terminate(Connection connection, UUID id, Instant at, long seen) {
    return Statements.on(connection)
            .sql(
                """
                update contract set state = 'TERMINATED', terminate_time = :at,
                  revision = revision + 1, update_time = clock_timestamp()
                where id = :id and revision = :seen and state = 'SIGNED'
                """)
            .param("id", id)
            .param("at", at.atOffset(ZoneOffset.UTC))
            .param("seen", seen)
            .update()
        == 1;
  }

  private JdbcClient.StatementSpec parameters(
      JdbcClient.StatementSpec statement, ContractTerms terms) {
    return statement
        .param("pool", terms.pool())
        .param("tenant", terms.tenant())
        .param("start", terms.startTime().atOffset(ZoneOffset.UTC))
        .param("end", terms.endTime().atOffset(ZoneOffset.UTC))
        .param("entitlements", json.writeValueAsString(terms.entitlements()));
  }

  private ContractRecord record(ResultSet row, int number) throws SQLException {
    return new ContractRecord(
        row.getObject("id", UUID.class),
        row.getString("pool"),
        row.getString("tenant"),
        row.getObject("start_time", OffsetDateTime.class).toInstant(),
        row.getObject("end_time", OffsetDateTime.class).toInstant(),
        ContractState.valueOf(row.getString("present_state")),
        json.readValue(row.getString("entitlements"), ENTITLEMENTS),
        List.of((UUID[]) row.getArray("authors").getArray()),
        row.getString("created_by_kind"),
        row.getString("created_by_name"),
        row.getString("signed_by_name"),
        instant(row, "sign_time"),
        instant(row, "terminate_time"),
        row.getLong("revision"),
        row.getObject("create_time", OffsetDateTime.class).toInstant(),
        row.getObject("update_time", OffsetDateTime.class).toInstant());
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
