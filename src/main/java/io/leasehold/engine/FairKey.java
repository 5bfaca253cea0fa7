package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The place of a borrower between tenants: its share with its request counted in, from the root of
 * the tree down to its own team. A key depends on nobody else in line, so all keys form one order.
 */
record FairKey(List<Share> shares) implements Comparable<FairKey> {

  static final FairKey NOTHING_BORROWED = new FairKey(List.of());

  /** Keys in whose shares only bands are told apart. */
  static final Comparator<FairKey> BY_BAND = (one, other) -> one.compare(other, Share.BY_BAND);

  FairKey {
    shares = List.copyOf(shares);
  }

  static FairKey of(Candidate candidate, Book book, long now) {
    if (candidate.guaranteed() || candidate.model().isEmpty()) {
      return NOTHING_BORROWED;
    }
    List<String> path = book.tree().path(candidate.ask().tenant());
    List<Share> shares = new ArrayList<>(path.size());
    for (int level = path.size() - 1; level >= 0; level--) {
      String parent = level + 1 < path.size() ? path.get(level + 1) : null;
      shares.add(share(candidate, path.get(level), parent, book, now));
    }
    return new FairKey(shares);
  }

  @Override
  public int compareTo(FairKey other) {
    return compare(other, Comparator.naturalOrder());
  }

  private int compare(FairKey other, Comparator<Share> by) {
    int levels = Math.min(shares.size(), other.shares.size());
    for (int i = 0; i < levels; i++) {
      int order = by.compare(shares.get(i), other.shares.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(shares.size(), other.shares.size());
  }

  /**
   * What is borrowed at a level, of what the level above could lend: now, and on the average of
   * what history remembers, with the running tick charged in advance.
   */
  private static Share share(
      Candidate candidate,
      String tenant,
      @org.jspecify.annotations.Nullable String parent,
      Book book,
      long now) {
    String model = candidate.model();
    Entitlements.Grant grant = book.entitlements().at(tenant, model, now);
    long used = Math.addExact(book.usage().of(tenant, model).at(now), candidate.need());
    long above = parent == null ? 0 : book.entitlements().at(parent, model, now).guaranteed();
    long lendable = above > 0 ? above : book.capacity().healthyGpus(model) * Units.PER_GPU;
    long guaranteed = Math.min(grant.guaranteed(), Long.MAX_VALUE / History.WEIGHT);
    long before =
        Math.addExact(
            book.history().of(tenant, model, now), Math.multiplyExact(used, History.TICK_MILLIS));
    long borrowed =
        Math.addExact(
            Math.multiplyExact(Math.max(0, used - guaranteed), History.WEIGHT),
            Math.max(0, before - guaranteed * History.WEIGHT));
    return new Share(borrowed, lendable, grant.weight());
  }
}
