package io.leasehold.tenancy;

import io.leasehold.web.Ids;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.WireTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes keys on the connection it is given. */
final class KeyRows {

  private final JdbcClient jdbc;

  KeyRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A key to be written.
   *
   * @param principal what it acts as; null = a new one
   * @param role null = all that its owner may do in the tenant
   */
  record NewKey(
      KeyText text,
      @Nullable UUID principal,
      UUID owner,
      @Nullable String tenant,
      @Nullable String role,
      List<String> scopes,
      String name,
      Instant expireTime) {}

  ApiKeyResponse insert(NewKey key) {
    UUID id = Ids.next();
    UUID principal = key.principal() == null ? newPrincipal(key.name()) : key.principal();
    jdbc.sql(
            """
            insert into api_key (id, mark, digest, principal, owner, tenant, role, scopes, name,
                                 expire_time)
            values (:id, :mark, :digest, :principal, :owner, :tenant, :role, :scopes, :name,
                    least(:expire, clock_timestamp() + interval '365 days'))
            """)
        .param("id", id)
        .param("mark", key.text().mark())
        .param("digest", key.text().digest())
        .param("principal", principal)
        .param("owner", key.owner())
        .param("tenant", key.tenant())
        .param("role", key.role())
        .param("scopes", key.scopes().toArray(String[]::new))
        .param("name", key.name())
        .param("expire", TenantRows.offset(key.expireTime()))
        .update();
    return find(id).orElseThrow().withSecret(key.text().text());
  }

  UUID newPrincipal(String kind, String name) {
    return jdbc.sql(
            "insert into principal (id, kind, name) values (:id, :kind, :name) returning id")
        .param("id", Ids.next())
        .param("kind", kind)
        .param("name", name)
        .query(UUID.class)
        .single();
  }

  private UUID newPrincipal(String name) {
    return newPrincipal("api-key", name);
  }

  Optional<ApiKeyResponse> find(UUID id) {
    return jdbc.sql("select * from api_key where id = :id")
        .param("id", id)
        .query(KeyRows::response)
        .optional();
  }

  UUID principalOf(UUID id) {
    return jdbc.sql("select principal from api_key where id = :id")
        .param("id", id)
        .query(UUID.class)
        .single();
  }

  /** The keys of a tenant or (null) the installation; of one owner only, if one is given. */
  Page<ApiKeyResponse> list(@Nullable String tenant, @Nullable UUID owner, PageRequest page) {
    PageRequest.Position after = page.after();
    List<ApiKeyResponse> rows =
        jdbc.sql(
                """
                select * from api_key
                 where tenant is not distinct from :tenant
                   and (cast(:owner as uuid) is null or owner = :owner)
                   and (cast(:id as uuid) is null or (create_time, id) < (:time, :id))
                 order by create_time desc, id desc limit :limit
                """)
            .param("tenant", tenant)
            .param("owner", owner)
            .param("id", after == null ? null : UUID.fromString(after.id()))
            .param(
                "time", after == null ? null : TenantRows.offset(WireTime.ofMicros(after.order())))
            .param("limit", page.limit())
            .query(KeyRows::response)
            .list();
    return page.page(
        rows, k -> new PageRequest.Position(WireTime.micros(k.createTime()), k.id().toString()));
  }

  int live(String tenant) {
    return jdbc.sql(
            """
            select count(*) from api_key where tenant = :tenant
               and revoke_time is null and expire_time > clock_timestamp()
            """)
        .param("tenant", tenant)
        .query(Integer.class)
        .single();
  }

  /** What keys are judged by: the database's clock. */
  Instant now() {
    return jdbc.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
  }

  void revoke(UUID id) {
    jdbc.sql(
            """
            update api_key set revoke_time = clock_timestamp()
             where id = :id and revoke_time is null
            """)
        .param("id", id)
        .update();
  }

  void endAt(UUID id, Instant end) {
    jdbc.sql("update api_key set expire_time = least(expire_time, :end) where id = :id")
        .param("id", id)
        .param("end", TenantRows.offset(end))
        .update();
  }

  private static ApiKeyResponse response(ResultSet row, int i) throws SQLException {
    return new ApiKeyResponse(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getString("tenant"),
        row.getString("role"),
        List.of((String[]) row.getArray("scopes").getArray()),
        row.getObject("owner", UUID.class),
        row.getString("mark"),
        TenantRows.instant(row, "create_time"),
        TenantRows.instant(row, "expire_time"),
        orNull(row, "revoke_time"),
        orNull(row, "last_used_time"),
        null);
  }

  private static @Nullable Instant orNull(ResultSet row, String column) throws SQLException {
    OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }
}
