package io.leasehold.engine;

import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether a tenant may have more of a model over a window: checked at every breakpoint and at every
 * level of the tree. What may not be preempted must lie inside the guarantee; the rest may borrow.
 */
final class Limits {

  /** What the limits say. */
  sealed interface Standing {

    /** Inside the guarantee at every level. */
    record Guaranteed() implements Standing {}

    /** Allowed, above the guarantee at some level. */
    record Borrowed() implements Standing {}

    /**
     * Not allowed.
     *
     * @param code guarantee, borrowing-limit or lending-limit
     * @param tenant the level at which it is too much
     * @param used what is used there at the worst instant, in thousandths
     */
    record Over(String code, String tenant, long need, long used, long limit)
        implements Standing {}
  }

  static final Standing GUARANTEED = new Standing.Guaranteed();
  static final Standing BORROWED = new Standing.Borrowed();

  private final TenantTree tree;
  private final Entitlements entitlements;
  private final Usage usage;
  private final Lending lending;

  Limits(TenantTree tree, Entitlements entitlements, Usage usage, Capacity capacity) {
    this.tree = tree;
    this.entitlements = entitlements;
    this.usage = usage;
    this.lending = new Lending(tree, entitlements, usage, capacity);
  }

  Standing check(String tenant, String model, long need, Span window, boolean preemptible) {
    if (entitlements.isEmpty()) {
      return GUARANTEED;
    }
    List<String> path = tree.path(tenant);
    NavigableSet<Long> changes = entitlements.changes(window);
    Standing worst = GUARANTEED;
    for (long from : changes) {
      Long to = changes.higher(from);
      Span part = new Span(from, to == null ? window.end() : to);
      Standing standing = level(path, model, need, part, preemptible);
      if (standing instanceof Standing.Over) {
        return standing;
      }
      worst = standing instanceof Standing.Borrowed ? standing : worst;
    }
    if (worst instanceof Standing.Borrowed && entitlements.anyLendingLimit(model)) {
      Standing.Over over = lending.over(tenant, model, need, window);
      return over == null ? worst : over;
    }
    return worst;
  }

  /** Whether the need is above the highest limit of all contracts known from now on, even unused. */
  Standing.@Nullable Over never(
      String tenant, String model, long need, long now, boolean preemptible) {
    if (entitlements.isEmpty()) {
      return null;
    }
    Standing.Over highest = null;
    for (long instant : entitlements.changes(new Span(now, Span.FOREVER))) {
      Standing.Over over = null;
      for (String level : tree.path(tenant)) {
        Entitlements.Grant grant = entitlements.at(level, model, instant);
        Long limit = limit(grant, preemptible);
        if (limit != null && need > limit && (over == null || limit < over.limit())) {
          over = new Standing.Over(code(preemptible), level, need, 0, limit);
        }
      }
      if (over == null) {
        return null;
      }
      highest = highest == null || over.limit() > highest.limit() ? over : highest;
    }
    return highest;
  }

  private Standing level(
      List<String> path, String model, long need, Span part, boolean preemptible) {
    Standing worst = GUARANTEED;
    for (String level : path) {
      Entitlements.Grant grant = entitlements.at(level, model, part.start());
      long used = usage.of(level, model).peak(part);
      if (Math.addExact(used, need) <= grant.guaranteed()) {
        continue;
      }
      Long limit = limit(grant, preemptible);
      if (limit != null && used + need > limit) {
        return new Standing.Over(code(preemptible), level, need, used, limit);
      }
      worst = BORROWED;
    }
    return worst;
  }

  private static @Nullable Long limit(Entitlements.Grant grant, boolean preemptible) {
    if (!preemptible) {
      return grant.guaranteed();
    }
    return grant.borrowing() == null
        ? null
        : Long.valueOf(Math.addExact(grant.guaranteed(), grant.borrowing()));
  }

  private static String code(boolean preemptible) {
    return preemptible ? "borrowing-limit" : "guarantee";
  }
}
