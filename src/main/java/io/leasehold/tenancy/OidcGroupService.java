package io.leasehold.tenancy;

import io.leasehold.tenancy.Changes.Change;
import io.leasehold.tenancy.Changes.Done;
import io.leasehold.tenancy.OidcGroupController.OidcGroupRequest;
import io.leasehold.tenancy.OidcGroupController.OidcGroupResponse;
import io.leasehold.web.Access;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Ids;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.leasehold.web.WireTime;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Maps (issuer, group) to (tenant, role). Platform admins are mapped by configuration only. */
@Service
class OidcGroupService {

  private final JdbcClient jdbc;
  private final Changes changes;
  private final Access access;
  private final Tenants tenants;
  private final People people;

  OidcGroupService(
      JdbcClient jdbc, Changes changes, Access access, Tenants tenants, People people) {
    this.jdbc = jdbc;
    this.changes = changes;
    this.access = access;
    this.tenants = tenants;
    this.people = people;
  }

  Page<OidcGroupResponse> list(PageRequest page) {
    PageRequest.Position after = page.after();
    List<OidcGroupResponse> rows =
        jdbc.sql(
                """
                select * from oidc_group
                 where cast(:id as uuid) is null or (create_time, id) < (:time, :id)
                 order by create_time desc, id desc limit :limit
                """)
            .param("id", after == null ? null : UUID.fromString(after.id()))
            .param(
                "time", after == null ? null : TenantRows.offset(WireTime.ofMicros(after.order())))
            .param("limit", page.limit())
            .query(OidcGroupService::response)
            .list();
    return page.page(
        rows, g -> new PageRequest.Position(WireTime.micros(g.createTime()), g.id().toString()));
  }

  Done<OidcGroupResponse> create(OidcGroupRequest request, @Nullable IdempotencyKey key) {
    Role role = role(request);
    if (request.tenant() != null && !tenants.exists(request.tenant())) {
      throw Problem.invalid(
          Fault.at("/tenant", "unknown-tenant", "There is no tenant " + request.tenant() + "."));
    }
    requireNotOwn(request);
    return changes.make(
        change("oidc-group-mapped", request.tenant()).under(key),
        OidcGroupResponse.class,
        rows ->
            rows.sql(
                    """
                    insert into oidc_group (id, issuer, name, tenant, role)
                    values (:id, :issuer, :name, :tenant, :role)
                    on conflict (issuer, name, tenant, role) do update set role = excluded.role
                    returning *
                    """)
                .param("id", Ids.next())
                .param("issuer", request.issuer())
                .param("name", request.group())
                .param("tenant", request.tenant())
                .param("role", role.slug())
                .query(OidcGroupService::response)
                .single());
  }

  /** Nobody gives a role to a group that it is in itself. */
  private void requireNotOwn(OidcGroupRequest request) {
    boolean own =
        jdbc.sql(
                """
                select exists (select from principal
                 where id = :self and issuer = :issuer and :name = any(groups))
                """)
            .param("self", people.behind(access.caller()))
            .param("issuer", request.issuer())
            .param("name", request.group())
            .query(Boolean.class)
            .single();
    if (own) {
      throw MemberService.notOneself();
    }
  }

  void delete(UUID id) {
    changes.make(
        change("oidc-group-unmapped", null),
        Integer.class,
        rows -> {
          int deleted = rows.sql("delete from oidc_group where id = :id").param("id", id).update();
          if (deleted == 0) {
            throw Problem.notFound();
          }
          return deleted;
        });
  }

  private static Role role(OidcGroupRequest request) {
    return Role.of(request.role())
        .filter(role -> role != Role.PLATFORM_ADMIN)
        .filter(role -> role.isPlatform() == (request.tenant() == null))
        .orElseThrow(
            () ->
                Problem.invalid(
                    Fault.at(
                        "/role",
                        "unknown-role",
                        "With a tenant: tenant-admin, member, viewer; without: operator,"
                            + " auditor.")));
  }

  private Change change(String cause, @Nullable String tenant) {
    return Change.by(access, "oidc-groups", tenant, cause);
  }

  private static OidcGroupResponse response(ResultSet row, int i) throws SQLException {
    return new OidcGroupResponse(
        row.getObject("id", UUID.class),
        row.getString("issuer"),
        row.getString("name"),
        row.getString("tenant"),
        row.getString("role"),
        TenantRows.instant(row, "create_time"));
  }
}
