package io.leasehold.tenancy;

import io.leasehold.web.Caller;
import io.leasehold.web.Rights;
import io.leasehold.web.Scope;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.stereotype.Component;

/** Reads the matrix for a caller: what all its roles together reach. */
@Component
final class RoleRights implements Rights {

  private static final String READ_TENANT = "tenant-read";

  private final Tenants tenants;

  RoleRights(Tenants tenants) {
    this.tenants = tenants;
  }

  @Override
  public Set<String> operations() {
    return RoleMatrix.operations();
  }

  @Override
  public Scope scope(Caller caller, String operation) {
    if (!caller.only().isEmpty() && !caller.only().contains(operation)) {
      return RoleMatrix.isForAnyone(operation) ? Scope.EVERYTHING : Scope.NOTHING;
    }
    return reached(caller, operation);
  }

  private static Scope reached(Caller caller, String operation) {
    boolean masked = false;
    TreeSet<String> roots = new TreeSet<>();
    if (RoleMatrix.isForAnyone(operation)) {
      return Scope.EVERYTHING;
    }
    for (Caller.Grant grant : caller.grants()) {
      Role role = Role.of(grant.role()).orElseThrow();
      switch (RoleMatrix.reach(role, operation)) {
        case ALL, NOTED -> {
          return Scope.EVERYTHING;
        }
        case MASKED -> {
          roots.add(grant.tenant());
          masked = true;
        }
        case SUBTREE -> roots.add(grant.tenant());
        case NONE -> {}
      }
    }
    return new Scope(false, roots, masked);
  }

  /** Noted is what no other role of the caller would reach unnoticed. */
  @Override
  public boolean isNoted(Caller caller, String operation) {
    boolean noted = false;
    for (Caller.Grant grant : caller.grants()) {
      switch (RoleMatrix.reach(Role.of(grant.role()).orElseThrow(), operation)) {
        case ALL -> {
          return false;
        }
        case NOTED -> noted = true;
        case SUBTREE, MASKED, NONE -> {}
      }
    }
    return noted;
  }

  @Override
  public boolean covers(Scope scope, String tenant) {
    return scope.everything()
        || tenants.selfAndAncestors(tenant).stream().anyMatch(scope.roots()::contains);
  }

  /** A key's scopes narrow what it does, not what it may know of. */
  @Override
  public boolean isVisible(Caller caller, String tenant) {
    return tenants.exists(tenant) && covers(reached(caller, READ_TENANT), tenant);
  }
}
