package io.leasehold.tenancy;

import static io.leasehold.tenancy.RoleMatrix.Reach.ALL;
import static io.leasehold.tenancy.RoleMatrix.Reach.MASKED;
import static io.leasehold.tenancy.RoleMatrix.Reach.NONE;
import static io.leasehold.tenancy.RoleMatrix.Reach.NOTED;
import static io.leasehold.tenancy.RoleMatrix.Reach.SUBTREE;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Who may do what: one row for each operation, one column for each role. An operation that has no
 * row does not exist; {@code ALL} in every column means any authenticated caller, roles or not.
 */
final class RoleMatrix {

  /** How far a role reaches with an operation. */
  enum Reach {
    NONE,
    /** The subtree of the tenant in which the role is held. */
    SUBTREE,
    /** The subtree in full, all else as amounts only. */
    MASKED,
    /** Everything. */
    ALL,
    /** Everything, and the audit says that it was done. */
    NOTED
  }

  private static final Map<String, Map<Role, Reach>> ROWS = new LinkedHashMap<>();

  static {
    row("fleet-write", NONE, ALL, NONE, NONE, NONE, NONE);
    row("node-drain", NONE, ALL, NONE, NONE, NONE, NONE);
    row("fleet-import", NONE, ALL, NONE, NONE, NONE, NONE);
    row("fleet-read", ALL, ALL, MASKED, MASKED, MASKED, ALL);
    row("tenant-root-write", ALL, NONE, NONE, NONE, NONE, NONE);
    row("oidc-map-write", ALL, NONE, NONE, NONE, NONE, NONE);
    row("platform-role-write", ALL, NONE, NONE, NONE, NONE, NONE);
    row("tenant-write", ALL, NONE, SUBTREE, NONE, NONE, NONE);
    row("tenant-read", ALL, ALL, SUBTREE, SUBTREE, SUBTREE, ALL);
    row("member-write", ALL, NONE, SUBTREE, NONE, NONE, NONE);
    row("member-read", ALL, NONE, SUBTREE, SUBTREE, NONE, ALL);
    row("key-write", ALL, NONE, SUBTREE, SUBTREE, NONE, NONE);
    row("key-read", ALL, NONE, SUBTREE, SUBTREE, NONE, ALL);
    row("class-write", NONE, ALL, NONE, NONE, NONE, NONE);
    row("contract-draft", NONE, ALL, SUBTREE, NONE, NONE, NONE);
    row("contract-sign", NONE, ALL, NONE, NONE, NONE, NONE);
    row("contract-terminate", NONE, ALL, NONE, NONE, NONE, NONE);
    row("contract-read", ALL, ALL, SUBTREE, SUBTREE, SUBTREE, ALL);
    row("reservation-write", NONE, ALL, SUBTREE, NONE, NONE, NONE);
    row("reservation-read", ALL, ALL, SUBTREE, SUBTREE, SUBTREE, ALL);
    row("lease-create", NONE, NONE, SUBTREE, SUBTREE, NONE, NONE);
    row("lease-change", NONE, NONE, SUBTREE, SUBTREE, NONE, NONE);
    row("lease-revoke", NONE, ALL, NONE, NONE, NONE, NONE);
    row("lease-consolidate", NONE, ALL, NONE, NONE, NONE, NONE);
    row("lease-read", NOTED, ALL, SUBTREE, SUBTREE, SUBTREE, ALL);
    row("event-read", NOTED, ALL, SUBTREE, SUBTREE, SUBTREE, ALL);
    row("queue-read", ALL, ALL, MASKED, MASKED, MASKED, ALL);
    row("availability-read", ALL, ALL, MASKED, MASKED, MASKED, ALL);
    row("usage-read", ALL, ALL, SUBTREE, SUBTREE, SUBTREE, ALL);
    row("audit-read", ALL, NONE, SUBTREE, NONE, NONE, ALL);
    row("webhook-write", NONE, ALL, SUBTREE, NONE, NONE, NONE);
    row("order-write", NONE, ALL, NONE, NONE, NONE, NONE);
    row("order-read", NONE, ALL, NONE, NONE, NONE, NONE);
    any("class-read");
    any("model-read");
    any("pool-read");
    any("whoami");
  }

  private RoleMatrix() {}

  /** What the role reaches with the operation. */
  static Reach reach(Role role, String operation) {
    return ROWS.getOrDefault(operation, Map.of()).getOrDefault(role, NONE);
  }

  /** Whether any authenticated caller may do it, without a role. */
  static boolean isForAnyone(String operation) {
    Map<Role, Reach> row = ROWS.get(operation);
    return row != null && row.values().stream().allMatch(r -> r == ALL);
  }

  static Set<String> operations() {
    return Collections.unmodifiableSet(ROWS.keySet());
  }

  private static void row(
      String operation,
      Reach platformAdmin,
      Reach operator,
      Reach tenantAdmin,
      Reach member,
      Reach viewer,
      Reach auditor) {
    Map<Role, Reach> row = new java.util.EnumMap<>(Role.class);
    row.put(Role.PLATFORM_ADMIN, platformAdmin);
    row.put(Role.OPERATOR, operator);
    row.put(Role.TENANT_ADMIN, tenantAdmin);
    row.put(Role.MEMBER, member);
    row.put(Role.VIEWER, viewer);
    row.put(Role.AUDITOR, auditor);
    ROWS.put(operation, row);
  }

  private static void any(String operation) {
    row(operation, ALL, ALL, ALL, ALL, ALL, ALL);
  }
}
