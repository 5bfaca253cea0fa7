package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The teams and who is above whom. */
final class TenantTree {

  private static final int DEEPEST = 32;

  private final Table<String, Tenant> tenants;
  private final Undo undo;

  /** As far as asked for; forgotten when a tenant changes. */
  private final Map<String, List<String>> paths = new HashMap<>();

  TenantTree(Undo undo) {
    this.undo = undo;
    tenants = Table.sorted(undo);
  }

  void set(Tenant tenant) {
    undo.record(paths::clear);
    tenants.put(tenant.slug(), tenant);
    paths.clear();
  }

  @Nullable Tenant get(String slug) {
    return tenants.get(slug);
  }

  Collection<Tenant> all() {
    return tenants.values();
  }

  /** The tenant and all above it, itself first. A ring, which the door refuses, ends somewhere. */
  List<String> path(String slug) {
    List<String> known = paths.get(slug);
    if (known == null) {
      known = List.copyOf(climb(slug));
      paths.put(slug, known);
    }
    return known;
  }

  private List<String> climb(String slug) {
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
