package io.leasehold.tenancy;

import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Scope;
import io.leasehold.web.WireTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads and writes tenants on the connection it is given; the closure follows the parent. */
final class TenantRows {

  private final JdbcClient jdbc;

  TenantRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Optional<TenantResponse> find(String slug) {
    return jdbc.sql("select * from tenant where slug = :slug")
        .param("slug", slug)
        .query((row, i) -> response(row, identities(List.of(slug)).getOrDefault(slug, List.of())))
        .optional();
  }

  Page<TenantResponse> list(Scope scope, @Nullable String parent, PageRequest page) {
    PageRequest.Position after = page.after();
    List<TenantResponse> bare =
        jdbc.sql(
                """
                select * from tenant t
                 where (:everything or exists (select from tenant_closure c
                         where c.descendant = t.slug and c.ancestor = any(:roots)))
                   and (cast(:parent as text) is null or t.parent = :parent)
                   and (cast(:slug as text) is null
                        or (t.create_time, t.slug) < (:time, :slug))
                 order by t.create_time desc, t.slug desc limit :limit
                """)
            .param("everything", scope.everything())
            .param("roots", scope.roots().toArray(String[]::new))
            .param("parent", parent)
            .param("slug", after == null ? null : after.id())
            .param("time", after == null ? null : offset(WireTime.ofMicros(after.order())))
            .param("limit", page.limit())
            .query((row, i) -> response(row, List.of()))
            .list();
    Map<String, List<TenantIdentity>> identities =
        identities(bare.stream().map(TenantResponse::slug).toList());
    List<TenantResponse> rows = new ArrayList<>();
    for (TenantResponse t : bare) {
      rows.add(
          new TenantResponse(
              t.slug(),
              t.parent(),
              t.name(),
              t.state(),
              identities.getOrDefault(t.slug(), List.of()),
              t.revision(),
              t.createTime(),
              t.updateTime()));
    }
    return page.page(
        rows, t -> new PageRequest.Position(WireTime.micros(t.createTime()), t.slug()));
  }

  void insert(TenantRequest request) {
    jdbc.sql("insert into tenant (slug, parent, name) values (:slug, :parent, :name)")
        .param("slug", request.slug())
        .param("parent", request.parent())
        .param("name", request.name())
        .update();
    jdbc.sql(
            """
            insert into tenant_closure (ancestor, descendant)
            select ancestor, :slug from tenant_closure where descendant = :parent
            union select :slug, :slug
            """)
        .param("slug", request.slug())
        .param("parent", request.parent())
        .update();
    setIdentities(request.slug(), request.identities());
  }

  void update(String slug, @Nullable String name, List<TenantIdentity> identities) {
    jdbc.sql("update tenant set name = :name where slug = :slug")
        .param("name", name)
        .param("slug", slug)
        .update();
    setIdentities(slug, identities);
    touch(slug);
  }

  /** Hangs the tenant with all below it under another parent, or makes it a root. */
  void move(String slug, @Nullable String parent) {
    jdbc.sql("update tenant set parent = :parent where slug = :slug")
        .param("parent", parent)
        .param("slug", slug)
        .update();
    jdbc.sql(
            """
            delete from tenant_closure
             where descendant in (select descendant from tenant_closure where ancestor = :slug)
               and ancestor in (select ancestor from tenant_closure
                                 where descendant = :slug and ancestor <> :slug)
            """)
        .param("slug", slug)
        .update();
    jdbc.sql(
            """
            insert into tenant_closure (ancestor, descendant)
            select above.ancestor, below.descendant
              from tenant_closure above, tenant_closure below
             where above.descendant = :parent and below.ancestor = :slug
            """)
        .param("parent", parent)
        .param("slug", slug)
        .update();
    touch(slug);
  }

  void retire(String slug) {
    jdbc.sql("update tenant set retired = true where slug = :slug").param("slug", slug).update();
    touch(slug);
  }

  boolean isAncestor(String ancestor, String descendant) {
    return jdbc.sql(
            "select exists (select from tenant_closure where ancestor = :a and descendant = :d)")
        .param("a", ancestor)
        .param("d", descendant)
        .query(Boolean.class)
        .single();
  }

  boolean hasLiveChildren(String slug) {
    return jdbc.sql("select exists (select from tenant where parent = :slug and not retired)")
        .param("slug", slug)
        .query(Boolean.class)
        .single();
  }

  boolean hasLiveLeases(String slug) {
    return jdbc.sql(
            """
            select exists (select from lease
             where live
               and tenant in (select descendant from tenant_closure where ancestor = :slug))
            """)
        .param("slug", slug)
        .query(Boolean.class)
        .single();
  }

  private void touch(String slug) {
    jdbc.sql(
            """
            update tenant set revision = revision + 1, update_time = clock_timestamp()
             where slug = :slug
            """)
        .param("slug", slug)
        .update();
  }

  private void setIdentities(@Nullable String slug, List<TenantIdentity> identities) {
    jdbc.sql("delete from tenant_identity where tenant = :slug").param("slug", slug).update();
    identities.forEach(
        identity ->
            jdbc.sql("insert into tenant_identity values (:slug, :cluster, :kind, :value)")
                .param("slug", slug)
                .param("cluster", identity.cluster())
                .param("kind", identity.kind())
                .param("value", identity.value())
                .update());
  }

  private Map<String, List<TenantIdentity>> identities(List<String> slugs) {
    record Row(String tenant, TenantIdentity identity) {}
    return jdbc
        .sql(
            """
            select * from tenant_identity where tenant = any(:slugs) order by cluster, kind
            """)
        .param("slugs", slugs.toArray(String[]::new))
        .query(
            (row, i) ->
                new Row(
                    row.getString("tenant"),
                    new TenantIdentity(
                        row.getString("cluster"), row.getString("kind"), row.getString("value"))))
        .list()
        .stream()
        .collect(
            Collectors.groupingBy(
                Row::tenant, Collectors.mapping(Row::identity, Collectors.toList())));
  }

  private static TenantResponse response(ResultSet row, List<TenantIdentity> identities)
      throws SQLException {
    return new TenantResponse(
        row.getString("slug"),
        row.getString("parent"),
        row.getString("name"),
        row.getBoolean("retired") ? "RETIRED" : "ACTIVE",
        identities,
        row.getLong("revision"),
        instant(row, "create_time"),
        instant(row, "update_time"));
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static OffsetDateTime offset(Instant instant) {
    return instant.atOffset(java.time.ZoneOffset.UTC);
  }
}
