package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The teams and who is above whom. */
final class TenantTree {

  private static final int DEEPEST = 32;

  private final Table<String, Tenant> tenants;

  TenantTree(Undo undo) {
    tenants = Table.sorted(undo);
  }

  void set(Tenant tenant) {
    tenants.put(tenant.slug(), tenant);
  }

  @Nullable Tenant get(String slug) {
    return tenants.get(slug);
  }

  Collection<Tenant> all() {
    return tenants.values();
  }

  /** The tenant and all above it, itself first. A ring, which the door refuses, ends somewhere. */
  List<String> path(String slug) {
    List<String> path = new ArrayList<>(4);
    String at = slug;
    while (at != null && path.size() < DEEPEST) {
      path.add(at);
      Tenant tenant = tenants.get(at);
      at = tenant == null ? null : tenant.parent();
    }
    return path;
  }

  /** In order of slug. */
  List<String> children(String slug) {
    return tenants.values().stream()
        .filter(tenant -> slug.equals(tenant.parent()))
        .map(Tenant::slug)
        .toList();
  }

  /** In order of slug. */
  List<String> roots() {
    return tenants.values().stream()
        .filter(tenant -> tenant.parent() == null)
        .map(Tenant::slug)
        .toList();
  }
}
