package io.leasehold.engine;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds nodes without looking at the whole stock: for demands that one node takes, and for groups
 * that may lie anywhere. Through the classes of an index: of each class that may serve, the first
 * node is scored; of the best class, more; for a fraction the smallest holes that take it. Or,
 * where no index knows the time, node by node until enough are found to choose from. Where it finds
 * nothing there may still be room: then {@link Packing} looks at every node.
 */
final class Quick {

  /** Nodes looked at in one class. */
  private static final int CANDIDATES = 16;

  /** The same in a class of nodes with plans, whose numbers the index does not know. */
  private static final int PLANNED_CANDIDATES = 4;

  /** So many nodes are looked at one by one before what is free later leads on. */
  private static final int UNLED = 256;

  private final Window window;
  private final Demand demand;
  private final @Nullable NodeIndex index;
  private final Topology topology;
  private final TreeMap<Integer, Integer> laid = new TreeMap<>();

  private Quick(Window window, @Nullable NodeIndex index, Topology topology) {
    this.window = window;
    this.demand = window.demand();
    this.index = index;
    this.topology = topology;
  }

  /** Null where it does not apply, or found nothing. */
  static @Nullable Fit fit(Window window, Topology topology) {
    NodeIndex index = window.index();
    Demand demand = window.demand();
    if (index == null || !topology.allowsInOneDomain(demand.pieces())) {
      return null;
    }
    Quick quick = new Quick(window, index, topology);
    if (demand.items() == 1 || topology.required() == Level.NODE) {
      return quick.onOneNode();
    }
    if (!topology.isFree()) {
      return null;
    }
    return demand.grouped() ? quick.groups() : quick.onOneNode();
  }

  /** The best of the first nodes of the stock that take all of it; null if no single node does. */
  static @Nullable Fit inOrder(Window window, Topology topology) {
    Demand demand = window.demand();
    boolean onOne =
        demand.items() == 1
            || topology.required() == Level.NODE
            || (topology.isFree() && !demand.grouped());
    if (!onOne
        || !topology.allowsInOneDomain(demand.pieces())
        || demand.pieces() > window.stock().mostGpus() * demand.piecesOnUntouched()) {
      return null;
    }
    return new Quick(window, null, topology).firstOnes();
  }

  private @Nullable Fit firstOnes() {
    int best = -1;
    long least = Long.MAX_VALUE;
    int found = 0;
    for (int i = 0; i >= 0 && i < window.size() && found < CANDIDATES; ) {
      window.payForOne();
      if (isEligible(i) && window.items(i) >= demand.items()) {
        found++;
        long cost = window.cost(i, demand.items());
        if (cost < least) {
          least = cost;
          best = i;
        }
      }
      i = i < UNLED ? i + 1 : window.next(i + 1);
    }
    return on(best);
  }

  private @Nullable Fit onOneNode() {
    return on(best(demand.items()));
  }

  private @Nullable Fit on(int node) {
    return node < 0 ? null : new Fit(window, 0, new int[] {node}, new int[] {demand.items()});
  }

  private @Nullable Fit groups() {
    for (int i = 0; i < demand.items(); i++) {
      int node = best(1);
      long cost = node < 0 ? Long.MAX_VALUE : window.cost(node, 1);
      for (Map.Entry<Integer, Integer> each : laid.entrySet()) {
        int more = each.getValue() + 1;
        if (window.sureItems(each.getKey()) >= more) {
          long added = window.cost(each.getKey(), more) - window.cost(each.getKey(), more - 1);
          if (added < cost || (added == cost && each.getKey() < node)) {
            cost = added;
            node = each.getKey();
          }
        }
      }
      if (node < 0) {
        return null;
      }
      laid.merge(node, 1, Integer::sum);
    }
    return new Fit(
        window,
        0,
        laid.keySet().stream().mapToInt(each -> each).toArray(),
        laid.values().stream().mapToInt(each -> each).toArray());
  }

  /**
   * The best node that nothing is laid on yet and that takes so many items; -1 if none is found.
   */
  private int best(int items) {
    Best best = new Best(items);
    for (int each = index.nextServing(0, demand, items);
        each >= 0;
        each = index.nextServing(each + 1, demand, items)) {
      int looks = NodeIndex.hasPlansIn(each) ? PLANNED_CANDIDATES : CANDIDATES;
      int node = fitting(each, 0, items, looks);
      if (node >= 0) {
        best.see(node, each);
      }
    }
    if (demand.mode() == Mode.SHARED && demand.pieces() == 1) {
      seeSmallestHoles(best);
    }
    int more = best.ofClass < 0 ? -1 : best.node;
    for (int i = 1; i < CANDIDATES && more >= 0; i++) {
      more = fitting(best.ofClass, more + 1, items, 1);
      if (more >= 0) {
        best.see(more, best.ofClass);
      }
    }
    return best.node;
  }

  /** Those with the smallest holes that take the fraction: a class tells only of the largest. */
  private void seeSmallestHoles(Best best) {
    int left = CANDIDATES;
    for (int hole = Holes.classOf(demand.pieceMilli()); hole < Holes.CLASSES && left > 0; hole++) {
      for (int node = index.nextWithHole(hole, 0);
          node >= 0 && left > 0;
          node = index.nextWithHole(hole, node + 1)) {
        window.payForOne();
        left--;
        if (window.sureItems(node) >= 1 && isEligible(node)) {
          best.see(node, -1);
        }
      }
    }
  }

  /** The node that costs least of those seen; the first of equals. */
  private final class Best {
    private final int items;
    private long least = Long.MAX_VALUE;
    int node = -1;
    int ofClass = -1;

    Best(int items) {
      this.items = items;
    }

    void see(int other, int itsClass) {
      long cost = window.cost(other, items);
      if (cost < least) {
        least = cost;
        node = other;
        ofClass = itsClass;
      }
    }
  }

  /** The first node of a class, from one on, that takes so many items; a few are looked at. */
  private int fitting(int number, int from, int items, int looks) {
    int node = index.nextOf(number, from);
    for (int i = 0; i < looks && node >= 0; i++) {
      window.payForOne();
      if (window.sureItems(node) >= items && isEligible(node)) {
        return node;
      }
      node = index.nextOf(number, node + 1);
    }
    return -1;
  }

  private boolean isEligible(int node) {
    return !laid.containsKey(node) && topology.allows(window.stock(), node);
  }
}
