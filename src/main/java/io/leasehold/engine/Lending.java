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

  /**
   * A level at an instant.
   *
   * @param quota of its guarantee what its children do not keep local
   * @param used of its usage what that of its children does not carry
   * @param local of its quota what stays in it
   * @param hidden of its guarantee what the level above never sees
   * @param absorbed of its usage what its hidden guarantee carries
   */
  private record Seen(long quota, long used, long local, long hidden, long absorbed) {}

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
      Seen seen = seen(level, model, instant);
      long before = Math.max(0, seen.used() - seen.local());
      left = Math.max(0, seen.used() + left - seen.local()) - before;
      if (left == 0) {
        return null;
      }
    }
    long quota = capacity.healthyGpus(model) * Units.PER_GPU;
    long used = 0;
    for (String root : tree.roots()) {
      Seen seen = seen(root, model, instant);
      quota -= seen.hidden();
      used += usage.of(root, model).at(instant) - seen.absorbed();
    }
    return used + left <= quota
        ? null
        : new Limits.Standing.Over("lending-limit", tenant, left, used, Math.max(0, quota));
  }

  private Seen seen(String level, String model, long instant) {
    Entitlements.Grant grant = entitlements.at(level, model, instant);
    long usedInAll = usage.of(level, model).at(instant);
    long quota = grant.guaranteed();
    long used = usedInAll;
    for (String child : tree.children(level)) {
      Seen below = seen(child, model, instant);
      quota -= below.hidden();
      used -= below.absorbed();
    }
    long local = grant.lending() == null ? 0 : Math.max(0, quota - grant.lending());
    long hidden = grant.guaranteed() - quota + local;
    long absorbed = usedInAll - used + Math.min(used, local);
    return new Seen(quota, used, local, hidden, absorbed);
  }
}
