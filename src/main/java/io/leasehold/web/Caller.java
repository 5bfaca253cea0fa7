package io.leasehold.web;

import java.util.Set;
import java.util.UUID;

/**
 * Who calls, in the current request. Authenticated; what it may is asked per operation.
 *
 * @param principal id in the table of principals
 * @param kind api-key or user
 * @param name shown in {@code createdBy}
 * @param grants present roles
 * @param only the operations that the scopes of a key leave; empty = all of the roles
 */
public record Caller(
    UUID principal, String kind, String name, Set<Grant> grants, Set<String> only) {

  public Caller {
    grants = Set.copyOf(grants);
    only = Set.copyOf(only);
  }

  /** A caller whose roles nothing narrows. */
  public Caller(UUID principal, String kind, String name, Set<Grant> grants) {
    this(principal, kind, name, grants, Set.of());
  }

  /**
   * A role in a tenant's subtree, or in the installation.
   *
   * @param role a role's slug, as the matrix knows it
   * @param tenant the root of the subtree; empty for the platform's roles
   */
  public record Grant(String role, String tenant) {}
}
