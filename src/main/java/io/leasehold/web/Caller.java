package io.leasehold.web;

import java.util.Set;
import java.util.UUID;

/**
 * Who calls, in the current request. Authenticated; what it may is asked per operation.
 *
 * @param principal id in the table of principals
 * @param kind api-key or user
 * @param name shown in {@code createdBy}
 * @param grants present roles, already narrowed by the scopes of a key
 */
public record Caller(UUID principal, String kind, String name, Set<Grant> grants) {

  public Caller {
    grants = Set.copyOf(grants);
  }

  /**
   * A role in a tenant's subtree, or in the installation.
   *
   * @param role a role's slug, as the matrix knows it
   * @param tenant the root of the subtree; empty for the platform's roles
   */
  public record Grant(String role, String tenant) {}
}
