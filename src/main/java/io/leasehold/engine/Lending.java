package io.leasehold.engine;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what tenants do not lend out of the hands of others. The part of a guarantee above the
 * lending limit is never seen by the parent; only usage beyond it counts there (the quota tree of
 * Kueue, {@code resource_node.go}). Above the roots stands the healthy fleet.
 */
final class Lending {

  /** What a level shows to the one above: its quota and usage without what stays local. */
  private record Seen(long quota, long used) {}

  private final TenantTree tree;
  private final Entitlements entitlements;
  private final Usage usage;
  private final Capacity capacity;

  Lending(TenantTree tree, Entitlements entitlements, Usage usage, Capacity capacity) {
    this.tree = tree;
    this.entitlements = entitlements;
    this.usage = usage;
    this.capacity = capacity;
  }

  /** The first level and instant at which the need would eat what somebody does not lend. */
  Limits.Standing.@Nullable Over over(String tenant, String model, long need, Span window) {
    NavigableSet<Long> instants = new TreeSet<>(entitlements.changes(window));
    for (Tenant each : tree.all()) {
      instants.addAll(usage.of(each.slug(), model).changes(window));
    }
    for (long instant : instants) {
      Limits.Standing.Over over = overAt(tenant, model, need, instant);
      if (over != null) {
        return over;
      }
    }
    return null;
  }

  private Limits.Standing.@Nullable Over overAt(
      String tenant, String model, long need, long instant) {
    long left = need;
    for (String level : tree.path(tenant)) {
      Seen inside = inside(level, model, instant);
      long local = local(level, model, instant, inside);
      long before = Math.max(0, inside.used() - local);
      left = Math.max(0, inside.used() + left - local) - before;
      if (left == 0) {
        return null;
      }
    }
    long quota = capacity.healthyGpus(model) * Units.PER_GPU;
    long used = 0;
    for (String root : tree.roots()) {
      long hidden = hidden(root, model, instant);
      quota -= hidden;
      used += usage.of(root, model).at(instant) - absorbed(root, model, instant);
    }
    return used + left <= quota
        ? null
        : new Limits.Standing.Over("lending-limit", tenant, left, used, Math.max(0, quota));
  }

  /** Quota and usage of a level as they stand inside it, without what its children keep local. */
  private Seen inside(String level, String model, long instant) {
    long quota = entitlements.at(level, model, instant).guaranteed();
    long used = usage.of(level, model).at(instant);
    for (String child : tree.children(level)) {
      quota -= hidden(child, model, instant);
      used -= absorbed(child, model, instant);
    }
    return new Seen(quota, used);
  }

  private long local(String level, String model, long instant, Seen inside) {
    Long lending = entitlements.at(level, model, instant).lending();
    return lending == null ? 0 : Math.max(0, inside.quota() - lending);
  }

  /** The part of a level's guarantee that the level above never sees. */
  private long hidden(String level, String model, long instant) {
    Seen inside = inside(level, model, instant);
    long deeper = entitlements.at(level, model, instant).guaranteed() - inside.quota();
    return deeper + local(level, model, instant, inside);
  }

  /** The part of a level's usage that its own hidden guarantee carries. */
  private long absorbed(String level, String model, long instant) {
    Seen inside = inside(level, model, instant);
    long deeper = usage.of(level, model).at(instant) - inside.used();
    return deeper + Math.min(inside.used(), local(level, model, instant, inside));
  }
}
