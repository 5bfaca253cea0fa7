package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The teams and who is above whom. */
final class TenantTree {

  private static final int DEEPEST = 32;
  private static final String NOBODY = "";

  private final Table<String, Tenant> tenants;
  private final Undo undo;

  /** As far as asked for; forgotten when a tenant changes. */
  private final Map<String, List<String>> paths = new HashMap<>();

  /** By parent, in order of slug; the roots under {@link #NOBODY}. Forgotten likewise. */
  private @Nullable Map<String, List<String>> below;

  TenantTree(Undo undo) {
    this.undo = undo;
    tenants = Table.sorted(undo);
  }

  void set(Tenant tenant) {
    undo.record(this::forget);
    tenants.put(tenant.slug(), tenant);
    forget();
  }

  private void forget() {
    paths.clear();
    below = null;
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
    return below().getOrDefault(slug, List.of());
  }

  /** In order of slug. */
  List<String> roots() {
    return below().getOrDefault(NOBODY, List.of());
  }

  private Map<String, List<String>> below() {
    if (below == null) {
      below =
          tenants.values().stream()
              .collect(
                  Collectors.groupingBy(
                      tenant -> Objects.requireNonNullElse(tenant.parent(), NOBODY),
                      Collectors.mapping(Tenant::slug, Collectors.toUnmodifiableList())));
    }
    return below;
  }
}
