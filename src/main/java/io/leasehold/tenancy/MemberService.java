package io.leasehold.tenancy;

import io.leasehold.tenancy.Changes.Change;
import io.leasehold.tenancy.Changes.Done;
import io.leasehold.web.Access;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Ids;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.leasehold.web.WireTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Hands out roles and takes them back. Nobody gives a role to itself, or one that its own do not
 * include; a tenant of null is the installation, whose roles only a platform admin gives.
 */
@Service
class MemberService {

  private final JdbcClient jdbc;
  private final Changes changes;
  private final Access access;
  private final People people;
  private final TenancyProperties properties;

  MemberService(
      JdbcClient jdbc,
      Changes changes,
      Access access,
      People people,
      TenancyProperties properties) {
    this.jdbc = jdbc;
    this.changes = changes;
    this.access = access;
    this.people = people;
    this.properties = properties;
  }

  Page<MemberResponse> list(@Nullable String tenant, PageRequest page) {
    requireTenant(tenant);
    PageRequest.Position after = page.after();
    List<MemberResponse> rows =
        jdbc.sql(
                SELECT
                    + """
                     where m.tenant is not distinct from :tenant
                       and (cast(:id as text) is null
                            or (m.create_time, p.id::text || ' ' || m.role) < (:time, :id))
                     order by m.create_time desc, p.id::text || ' ' || m.role desc limit :limit
                    """)
            .param("tenant", tenant)
            .param("id", after == null ? null : after.id())
            .param(
                "time", after == null ? null : TenantRows.offset(WireTime.ofMicros(after.order())))
            .param("limit", page.limit())
            .query(MemberService::response)
            .list();
    return page.page(
        rows,
        m ->
            new PageRequest.Position(
                WireTime.micros(m.createTime()), m.principal() + " " + m.role()));
  }

  Done<MemberResponse> add(
      @Nullable String tenant, MemberRequest request, @Nullable IdempotencyKey key) {
    requireTenant(tenant);
    Role role = role(tenant, request.role());
    UUID self = people.behind(access.caller());
    return changes.make(
        change(tenant, "member-added").under(key),
        MemberResponse.class,
        rows -> {
          UUID principal = principal(rows, request);
          if (principal.equals(self) || principal.equals(access.caller().principal())) {
            throw notOneself();
          }
          rows.sql(
                  """
                  insert into member (tenant, principal, role) values (:tenant, :principal, :role)
                  on conflict do nothing
                  """)
              .param("tenant", tenant)
              .param("principal", principal)
              .param("role", role.slug())
              .update();
          return find(rows, tenant, principal, role.slug());
        });
  }

  static Problem notOneself() {
    return Problem.of(
        403, "not-oneself", "Forbidden", "Nobody gives a role to itself; ask another admin.");
  }

  /** Takes one role, or all of them there. */
  void remove(@Nullable String tenant, UUID principal, @Nullable String role) {
    requireTenant(tenant);
    changes.make(
        change(tenant, "member-removed"),
        Removed.class,
        rows -> {
          int removed =
              rows.sql(
                      """
                      delete from member where tenant is not distinct from :tenant
                         and principal = :principal
                         and (cast(:role as text) is null or role = :role)
                      """)
                  .param("tenant", tenant)
                  .param("principal", principal)
                  .param("role", role)
                  .update();
          if (removed == 0) {
            throw Problem.notFound();
          }
          requireAdmin(rows);
          return new Removed(removed);
        });
  }

  private record Removed(int roles) {}

  /** The last platform admin stays, unless the configuration names a group of them. */
  private void requireAdmin(JdbcClient rows) {
    boolean left =
        rows.sql("select exists (select from member where role = 'platform-admin')")
            .query(Boolean.class)
            .single();
    if (!left && properties.platformAdmins().isEmpty()) {
      throw Problem.of(
          409,
          "last-platform-admin",
          "Last platform admin",
          "This is the last platform admin; add another one first.");
    }
  }

  private void requireTenant(@Nullable String tenant) {
    if (tenant != null) {
      access.require(tenant);
    }
  }

  /** Admins of a tenant hold the widest of its roles, so whoever may write members may give any. */
  private static Role role(@Nullable String tenant, String slug) {
    return Role.of(slug)
        .filter(role -> role.isPlatform() == (tenant == null))
        .orElseThrow(
            () ->
                Problem.invalid(
                    Fault.at(
                        "/role",
                        "unknown-role",
                        tenant == null
                            ? "Roles of the installation: platform-admin, operator, auditor."
                            : "Roles of a tenant: tenant-admin, member, viewer.")));
  }

  private static UUID principal(JdbcClient rows, MemberRequest request) {
    if (request.principal() != null) {
      return known(rows, request.principal());
    }
    if ((request.issuer() == null) != (request.subject() == null)
        || request.issuer() == null && request.name() == null) {
      throw Problem.invalid(
          Fault.at(
              "",
              "who",
              "Say who: principal; or issuer and subject; or the name of a new service."));
    }
    String name = request.name() == null ? request.subject() : request.name();
    return rows.sql(
            """
            insert into principal (id, kind, name, issuer, subject)
            values (:id, :kind, :name, :issuer, :subject)
            on conflict (issuer, subject) do update set subject = excluded.subject
            returning id
            """)
        .param("id", Ids.next())
        .param("kind", request.issuer() == null ? "service" : "user")
        .param("name", name)
        .param("issuer", request.issuer())
        .param("subject", request.subject())
        .query(UUID.class)
        .single();
  }

  private static UUID known(JdbcClient rows, UUID principal) {
    return rows.sql("select id from principal where id = :id and kind in ('user', 'service')")
        .param("id", principal)
        .query(UUID.class)
        .optional()
        .orElseThrow(
            () ->
                Problem.invalid(
                    Fault.at("/principal", "unknown-principal", "There is no such person.")));
  }

  private static final String SELECT =
      """
      select p.id, p.kind, p.name, p.issuer, p.subject, m.tenant, m.role, m.create_time
        from member m join principal p on p.id = m.principal
      """;

  private static MemberResponse find(
      JdbcClient rows, @Nullable String tenant, UUID principal, String role) {
    return rows.sql(
            SELECT
                + " where m.tenant is not distinct from :tenant and p.id = :id and m.role = :role")
        .param("tenant", tenant)
        .param("id", principal)
        .param("role", role)
        .query(MemberService::response)
        .single();
  }

  private static MemberResponse response(java.sql.ResultSet row, int i)
      throws java.sql.SQLException {
    return new MemberResponse(
        row.getObject("id", UUID.class),
        row.getString("kind"),
        row.getString("name"),
        row.getString("issuer"),
        row.getString("subject"),
        row.getString("tenant"),
        row.getString("role"),
        TenantRows.instant(row, "create_time"));
  }

  private Change change(@Nullable String tenant, String cause) {
    return Change.by(access, tenant == null ? "installation" : "tenant:" + tenant, tenant, cause);
  }
}
