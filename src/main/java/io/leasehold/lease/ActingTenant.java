package io.leasehold.lease;

import io.leasehold.web.Access;
import io.leasehold.web.Problem;
import io.leasehold.web.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** For which tenant a request is made: the one named, or the only one the caller may act for. */
@Component
class ActingTenant {

  private final Access access;
  private final JdbcClient jdbc;

  ActingTenant(Access access, JdbcClient jdbc) {
    this.access = access;
    this.jdbc = jdbc;
  }

  /**
   * The tenant, for which the caller has the right of the present operation.
   *
   * @param at pointer to the request in the body; empty for the whole
   */
  String actingFor(@Nullable String named, String at) {
    if (named == null || named.isEmpty()) {
      return only(access.scope(), at);
    }
    access.require(named);
    return named;
  }

  private String only(Scope scope, String at) {
    List<String> tenants =
        scope.roots().isEmpty()
            ? List.of()
            : jdbc.sql(
                    """
                    select distinct c.descendant
                    from tenant_closure c join tenant t on t.slug = c.descendant
                    where c.ancestor in (:roots) and not t.retired
                    limit 2\
                    """)
                .param("roots", scope.roots())
                .query(String.class)
                .list();
    if (tenants.size() != 1) {
      throw Problem.invalid(
          Problem.Fault.at(
              at + "/tenant", "required", "You may act for several tenants: say for which."));
    }
    return tenants.getFirst();
  }
}
