package io.leasehold.tenancy;

import io.leasehold.web.Caller.Grant;
import io.leasehold.web.Scope;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The present roles of somebody: as a member, and by the groups last seen in a token. */
@Component
final class Grants {

  private final JdbcClient jdbc;
  private final Tenants tenants;
  private final TenancyProperties properties;

  Grants(JdbcClient jdbc, Tenants tenants, TenancyProperties properties) {
    this.jdbc = jdbc;
    this.tenants = tenants;
    this.properties = properties;
  }

  /** Roles in retired tenants do not count. */
  Set<Grant> of(UUID principal, @Nullable String issuer, Collection<String> groups) {
    List<Grant> held =
        jdbc.sql(
                """
                select role, tenant from member where principal = :principal
                union
                select role, tenant from oidc_group
                 where issuer = :issuer and name = any(:groups)
                """)
            .param("principal", principal)
            .param("issuer", issuer)
            .param("groups", groups.toArray(String[]::new))
            .query(
                (row, i) ->
                    new Grant(
                        row.getString("role"),
                        row.getString("tenant") == null ? "" : row.getString("tenant")))
            .list();
    Set<Grant> present = new HashSet<>(held);
    boolean admin =
        properties.platformAdmins().stream()
            .anyMatch(g -> g.issuer().equals(issuer) && groups.contains(g.group()));
    if (admin) {
      present.add(new Grant(Role.PLATFORM_ADMIN.slug(), ""));
    }
    return present.stream()
        .filter(g -> g.tenant().isEmpty() || !tenants.isRetired(g.tenant()))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether the tenant lies in the scope. */
  boolean covers(Scope scope, String tenant) {
    return scope.everything()
        || tenants.selfAndAncestors(tenant).stream().anyMatch(scope.roots()::contains);
  }

  /** Whether these roles allow to act as, or to hand out, the role there. */
  boolean include(Set<Grant> held, Role role, @Nullable String tenant) {
    if (tenant == null) {
      return held.contains(new Grant(role.slug(), ""));
    }
    List<String> path = tenants.selfAndAncestors(tenant);
    return held.stream()
        .filter(g -> path.contains(g.tenant()))
        .anyMatch(g -> Role.of(g.role()).orElseThrow().includes(role));
  }
}
