package io.leasehold.tenancy;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody is, in the installation or in a tenant and all below it. */
public enum Role {
  /** Runs the installation: tenants, roles, keys. Does not lease and does not operate the fleet. */
  PLATFORM_ADMIN(true),
  /** Runs the fleet, signs contracts. */
  OPERATOR(true),
  /** Reads everything, changes nothing. */
  AUDITOR(true),
  /** Runs a tenant: subtenants, members, keys, drafts; and leases. */
  TENANT_ADMIN(false),
  /** Leases. */
  MEMBER(false),
  /** Looks. */
  VIEWER(false);

  private final boolean platform;

  Role(boolean platform) {
    this.platform = platform;
  }

  /** Held in the installation, not in a tenant. */
  public boolean isPlatform() {
    return platform;
  }

  /** {@code tenant-admin}. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<Role> of(String slug) {
    return Arrays.stream(values()).filter(r -> r.slug().equals(slug)).findFirst();
  }

  /** Whether whoever holds this role in a tenant may hand out the other there. */
  boolean includes(Role other) {
    return !platform && !other.platform && ordinal() <= other.ordinal();
  }
}
