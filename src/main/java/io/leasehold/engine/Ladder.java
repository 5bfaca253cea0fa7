package io.leasehold.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A team's account of a model and those of all above it, as they stand at one instant: read once
 * and again only when a promise came or went, since a line of many asks for it over and over.
 */
final class Ladder {

  /** One level: what is used, what is granted, and what may be borrowed from. */
  private final class Rung {
    private final Usage.Account account;
    private final Entitlements.Grant grant;
    private final @Nullable Long hard;
    private final long lendable;
    private final long guaranteed;
    private long used;
    private long before;

    Rung(String tenant, @Nullable String parent) {
      account = new Usage.Account(tenant, model);
      grant = book.entitlements().at(tenant, model, now);
      hard = Limits.limit(grant, true);
      long above = parent == null ? 0 : book.entitlements().at(parent, model, now).guaranteed();
      lendable = above > 0 ? above : book.capacity().healthyGpus(model) * Units.PER_GPU;
      guaranteed = Math.min(grant.guaranteed(), Long.MAX_VALUE / History.WEIGHT);
    }

    void read() {
      used = book.usage().of(account.tenant(), model).at(now);
      before = book.history().of(account.tenant(), model, now);
    }

    /**
     * What is borrowed at this level with the need counted in, of what the level above could lend:
     * now, and on the average of what history remembers, with the running tick charged in advance.
     */
    Share share(long need) {
      long with = Math.addExact(used, need);
      long past = Math.addExact(before, Math.multiplyExact(with, History.TICK_MILLIS));
      long borrowed =
          Math.addExact(
              Math.multiplyExact(Math.max(0, with - guaranteed), History.WEIGHT),
              Math.max(0, past - guaranteed * History.WEIGHT));
      return new Share(borrowed, lendable, grant.weight());
    }
  }

  private final Book book;
  private final String model;
  private final long now;
  private final Rung[] fromRoot;
  private long readAt = -1;

  Ladder(Book book, Usage.Account account, long now) {
    this.book = book;
    this.model = account.model();
    this.now = now;
    List<String> path = book.tree().path(account.tenant());
    fromRoot = new Rung[path.size()];
    for (int i = 0; i < path.size(); i++) {
      String parent = i + 1 < path.size() ? path.get(i + 1) : null;
      fromRoot[path.size() - 1 - i] = new Rung(path.get(i), parent);
    }
  }

  /**
   * The shares of all levels, the root's first. The need counts at the team's own level: above, it
   * would part requests below one and the same ancestor by their size before their teams' shares
   * are looked at.
   */
  Share[] shares(long need) {
    read();
    Share[] shares = new Share[fromRoot.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = fromRoot[i].share(i == shares.length - 1 ? need : 0);
    }
    return shares;
  }

  /**
   * What {@link Limits#check} says of a window that is but this instant, in short; null where a
   * lending limit may be in the way, which takes more than one ladder to see.
   */
  Limits.@Nullable Kind standing(long need, boolean preemptible) {
    if (book.entitlements().isEmpty()) {
      return Limits.Kind.GUARANTEED;
    }
    read();
    for (Rung rung : fromRoot) {
      if (rung.hard != null && Math.addExact(rung.used, need) > rung.hard) {
        return Limits.Kind.OVER;
      }
    }
    if (carries(need)) {
      return Limits.Kind.GUARANTEED;
    }
    if (!preemptible) {
      return Limits.Kind.OVER;
    }
    return book.entitlements().anyLendingLimit(model) ? null : Limits.Kind.BORROWED;
  }

  /** What {@link Limits#isCarried} says of a window that is but this instant. */
  boolean carries(long need) {
    read();
    Rung own = fromRoot[fromRoot.length - 1];
    boolean backed = own.used + need <= own.grant.guaranteed();
    for (Rung rung : fromRoot) {
      backed &= rung.grant.guaranteed() >= own.grant.guaranteed();
    }
    return backed;
  }

  private void read() {
    long changes = book.usage().changes();
    if (readAt != changes) {
      readAt = changes;
      for (Rung rung : fromRoot) {
        rung.read();
      }
    }
  }
}
