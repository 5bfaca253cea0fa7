package io.leasehold.tenancy;

import static io.leasehold.tenancy.RoleMatrix.Reach.ALL;
import static io.leasehold.tenancy.RoleMatrix.Reach.MASKED;
import static io.leasehold.tenancy.RoleMatrix.Reach.NONE;
import static io.leasehold.tenancy.RoleMatrix.Reach.NOTED;
import static io.leasehold.tenancy.RoleMatrix.Reach.SUBTREE;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tenancy.RoleMatrix.Reach;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The matrix of the security rules, written down a second time. */
class RoleMatrixTest {

  private static final List<Role> COLUMNS =
      List.of(
          Role.PLATFORM_ADMIN,
          Role.OPERATOR,
          Role.TENANT_ADMIN,
          Role.MEMBER,
          Role.VIEWER,
          Role.AUDITOR);

  private static final Map<String, List<Reach>> RULES =
      Map.ofEntries(
          Map.entry("fleet-write", List.of(NONE, ALL, NONE, NONE, NONE, NONE)),
          Map.entry("node-drain", List.of(NONE, ALL, NONE, NONE, NONE, NONE)),
          Map.entry("fleet-import", List.of(NONE, ALL, NONE, NONE, NONE, NONE)),
          Map.entry("fleet-read", List.of(ALL, ALL, MASKED, MASKED, MASKED, ALL)),
          Map.entry("tenant-root-write", List.of(ALL, NONE, NONE, NONE, NONE, NONE)),
          Map.entry("oidc-map-write", List.of(ALL, NONE, NONE, NONE, NONE, NONE)),
          Map.entry("platform-role-write", List.of(ALL, NONE, NONE, NONE, NONE, NONE)),
          Map.entry("tenant-write", List.of(ALL, NONE, SUBTREE, NONE, NONE, NONE)),
          Map.entry("member-write", List.of(ALL, NONE, SUBTREE, NONE, NONE, NONE)),
          Map.entry("key-write", List.of(ALL, NONE, SUBTREE, SUBTREE, NONE, NONE)),
          Map.entry("class-write", List.of(NONE, ALL, NONE, NONE, NONE, NONE)),
          Map.entry("contract-draft", List.of(NONE, ALL, SUBTREE, NONE, NONE, NONE)),
          Map.entry("contract-sign", List.of(NONE, ALL, NONE, NONE, NONE, NONE)),
          Map.entry("contract-terminate", List.of(NONE, ALL, NONE, NONE, NONE, NONE)),
          Map.entry("reservation-write", List.of(NONE, ALL, SUBTREE, NONE, NONE, NONE)),
          Map.entry("lease-create", List.of(NONE, NONE, SUBTREE, SUBTREE, NONE, NONE)),
          Map.entry("lease-change", List.of(NONE, NONE, SUBTREE, SUBTREE, NONE, NONE)),
          Map.entry("lease-revoke", List.of(NONE, ALL, NONE, NONE, NONE, NONE)),
          Map.entry("lease-read", List.of(NOTED, ALL, SUBTREE, SUBTREE, SUBTREE, ALL)),
          Map.entry("event-read", List.of(NOTED, ALL, SUBTREE, SUBTREE, SUBTREE, ALL)),
          Map.entry("availability-read", List.of(ALL, ALL, MASKED, MASKED, MASKED, ALL)),
          Map.entry("queue-read", List.of(ALL, ALL, MASKED, MASKED, MASKED, ALL)),
          Map.entry("usage-read", List.of(ALL, ALL, SUBTREE, SUBTREE, SUBTREE, ALL)),
          Map.entry("audit-read", List.of(ALL, NONE, SUBTREE, NONE, NONE, ALL)),
          Map.entry("webhook-write", List.of(NONE, ALL, SUBTREE, NONE, NONE, NONE)),
          Map.entry("order-write", List.of(NONE, ALL, NONE, NONE, NONE, NONE)));

  @Test
  void saysWhatTheRulesSay() {
    RULES.forEach(
        (operation, reaches) -> {
          for (int i = 0; i < COLUMNS.size(); i++) {
            assertThat(RoleMatrix.reach(COLUMNS.get(i), operation))
                .as(operation + " for " + COLUMNS.get(i))
                .isEqualTo(reaches.get(i));
          }
        });
  }

  @Test
  void anUnknownOperationIsNobodys() {
    for (Role role : Role.values()) {
      assertThat(RoleMatrix.reach(role, "nothing")).isEqualTo(NONE);
    }
    assertThat(RoleMatrix.isForAnyone("nothing")).isFalse();
    assertThat(RoleMatrix.isForAnyone("whoami")).isTrue();
    assertThat(RoleMatrix.isForAnyone("lease-read")).isFalse();
  }

  @Test
  void aRoleOfATenantReachesNeverEverything() {
    for (String operation : RoleMatrix.operations()) {
      if (!RoleMatrix.isForAnyone(operation)) {
        for (Role role : List.of(Role.TENANT_ADMIN, Role.MEMBER, Role.VIEWER)) {
          assertThat(RoleMatrix.reach(role, operation)).as(operation).isNotIn(ALL, NOTED);
        }
      }
    }
  }

  @Test
  void rolesIncludeWhatLiesBelowThemInATenantOnly() {
    assertThat(Role.TENANT_ADMIN.includes(Role.TENANT_ADMIN)).isTrue();
    assertThat(Role.TENANT_ADMIN.includes(Role.VIEWER)).isTrue();
    assertThat(Role.MEMBER.includes(Role.TENANT_ADMIN)).isFalse();
    assertThat(Role.VIEWER.includes(Role.MEMBER)).isFalse();
    assertThat(Role.PLATFORM_ADMIN.includes(Role.MEMBER)).isFalse();
    assertThat(Role.TENANT_ADMIN.includes(Role.OPERATOR)).isFalse();
  }
}
