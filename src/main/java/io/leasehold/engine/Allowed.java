package io.leasehold.engine;

import java.util.Comparator;
import java.util.List;

/**
 * What the limits of a topology leave of what each node of a stock has free: of a domain that has
 * more than it may give, only that counts in what it lies in.
 */
final class Allowed {

  private final Stock stock;
  private final List<Topology.Limit> limits;
  private final int each;

  /** For each limit, the deepest first: what the domains have together. */
  private final int[][] sums;

  Allowed(Stock stock, Demand demand, Topology topology) {
    this.stock = stock;
    this.each = demand.each();
    this.limits =
        topology.limits().stream()
            .filter(_ -> each > 0)
            .map(limit -> new Topology.Limit(inside(limit.level(), topology), limit.pieces()))
            .sorted(Comparator.comparing(Topology.Limit::level).reversed())
            .toList();
    this.sums = new int[limits.size()][stock.size()];
  }

  /** Of a wider domain no more is used than the one that all of it must lie in. */
  private static Level inside(Level level, Topology topology) {
    Level required = topology.required();
    return required != null && required.compareTo(level) > 0 ? required : level;
  }

  /** By how much that changes what its required domain may give, when a node has more or less. */
  int change(int node, int by) {
    int change = by;
    for (int l = 0; l < sums.length && change != 0; l++) {
      Topology.Limit limit = limits.get(l);
      int most = limit.pieces() / each;
      int domain = stock.bucket(node, limit.level());
      int before = Math.min(most, sums[l][domain]);
      sums[l][domain] += change;
      change = Math.min(most, sums[l][domain]) - before;
    }
    return change;
  }
}
