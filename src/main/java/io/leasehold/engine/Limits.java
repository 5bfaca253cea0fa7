package io.leasehold.engine;

import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether a tenant may have more of a model over a window: checked at every breakpoint and at every
 * level of the tree. What may not be preempted must lie inside the guarantee; the rest may borrow.
 */
final class Limits {

  /** What the limits say, in short. */
  enum Kind {
    GUARANTEED,
    BORROWED,
    OVER
  }

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
    record Over(String code, String tenant, long need, long used, long limit) implements Standing {}
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
    if (window.end() == Span.FOREVER) {
      return check(tenant, model, need, known(path, window.start()), preemptible);
    }
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

  /** Whether it would be inside the guarantee at every level, if no hard limit were in the way. */
  boolean isCarried(String tenant, String model, long need, Span window) {
    List<String> path = tree.path(tenant);
    NavigableSet<Long> changes = entitlements.changes(window);
    for (long from : changes) {
      Long to = changes.higher(from);
      Span part = new Span(from, to == null ? window.end() : to);
      long own = entitlements.at(tenant, model, from).guaranteed();
      if (usage.of(tenant, model).peak(part) + need > own) {
        return false;
      }
      for (String level : path) {
        if (entitlements.at(level, model, from).guaranteed() < own) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * A lease without an end is checked for as long as its tenant has a contract, or the nearest
   * above it that has one: what is booked outlives a contract.
   */
  private Span known(List<String> path, long start) {
    for (String level : path) {
      long end = entitlements.lastEnd(level);
      if (end > start) {
        return new Span(start, Math.min(end, Span.FOREVER - 1));
      }
    }
    return new Span(start, Span.FOREVER - 1);
  }

  /**
   * Whether the need is above the highest limit of all contracts known from now on, even unused.
   */
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

  /**
   * Inside the guarantee is what the tenant's own guarantee carries while every level above still
   * backs it: what siblings borrow must not turn a guarantee into a loan. Nothing may pass the hard
   * limit of any level.
   */
  private Standing level(
      List<String> path, String model, long need, Span part, boolean preemptible) {
    Standing standing = GUARANTEED;
    long own = entitlements.at(path.getFirst(), model, part.start()).guaranteed();
    for (String level : path) {
      Entitlements.Grant grant = entitlements.at(level, model, part.start());
      long used = usage.of(level, model).peak(part);
      Long hard = limit(grant, true);
      if (hard != null && Math.addExact(used, need) > hard) {
        return new Standing.Over("borrowing-limit", level, need, used, hard);
      }
      boolean carried =
          level.equals(path.getFirst()) ? used + need <= own : grant.guaranteed() >= own;
      if (!carried) {
        if (!preemptible) {
          return new Standing.Over("guarantee", level, need, used, grant.guaranteed());
        }
        standing = BORROWED;
      }
    }
    return standing;
  }

  static @Nullable Long limit(Entitlements.Grant grant, boolean preemptible) {
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
