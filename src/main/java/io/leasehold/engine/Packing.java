package io.leasehold.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lays the items of a demand on the nodes of one stock: all or nothing, in the tightest domain that
 * the topology allows, best fit on the nodes. Items are equal and so is what limits them (limits of
 * domains lie within each other), so filling up greedily finds the most there can be.
 */
final class Packing {

  private final Window window;
  private final Stock stock;
  private final Demand demand;
  private final Topology topology;
  private final boolean scored;

  /** Items that still fit on each node. */
  private final int[] room;

  /** Items laid on each node. */
  private final int[] laid;

  /** Items that the lease has on each node already. */
  private final int[] kept;

  private boolean keeps;

  /** For each limit of the topology: pieces laid in each domain. */
  private final int[][] used;

  private Packing(Window window, Topology topology, boolean scored, int[] room) {
    this.window = window;
    this.stock = window.stock();
    this.demand = window.demand();
    this.topology = topology;
    this.scored = scored;
    this.room = room;
    this.laid = new int[room.length];
    this.kept = new int[room.length];
    this.used = new int[topology.limits().size()][room.length];
  }

  static Packing of(Window window, Topology topology, boolean scored) {
    int[] room = new int[window.size()];
    window.eachThatMayTakeOne(node -> room[node] = window.items(node));
    window.payForAll();
    return new Packing(window, topology, scored, room);
  }

  /** More of a lease, beside what it keeps: the topology's rules are about all of it. */
  static Packing beside(Window window, Topology topology, Booking kept) {
    Packing packing = of(window, topology, true);
    int item = Math.max(1, window.demand().each() * window.demand().pieceMilli());
    Map<UUID, Integer> items = new HashMap<>();
    for (Booking.Slot slot : kept.slots()) {
      items.merge(slot.node(), slot.units().size() / item, Integer::sum);
    }
    for (int i = 0; i < packing.kept.length; i++) {
      Integer here = items.get(packing.stock.node(i).node().id());
      if (here != null) {
        packing.kept[i] = here;
        packing.keeps = true;
        packing.count(i, here, packing.used);
      }
    }
    return packing;
  }

  /** As if CPU and memory were plenty. */
  static Packing ofGpus(Window window, Topology topology) {
    int[] room = new int[window.size()];
    window.eachNotFull(node -> room[node] = window.itemsOfGpus(node));
    return new Packing(window, topology, false, room);
  }

  /** Lays everything, or nothing: then null. */
  @Nullable Fit pack() {
    List<@Nullable Level> tries = topology.tries();
    for (int i = 0; i < tries.size(); i++) {
      int[] run = tightest(tries.get(i), 0, room.length, demand.items());
      if (run != null) {
        fill(run[0], run[1], demand.items());
        return fit(i);
      }
    }
    return null;
  }

  private Fit fit(int widened) {
    int[] nodes = IntStream.range(0, laid.length).filter(i -> laid[i] > 0).toArray();
    return new Fit(window, widened, nodes, IntStream.of(nodes).map(i -> laid[i]).toArray());
  }

  /**
   * The domain of a level that takes so many items: one in which they can be spread as asked for,
   * and then the one with the least room; null if none does.
   */
  private int @Nullable [] tightest(@Nullable Level level, int from, int to, int items) {
    int[] best = null;
    long least = Long.MAX_VALUE;
    int broadest = -1;
    for (int lo = from; lo < to; ) {
      int hi = runEnd(lo, to, level);
      if (topology.allows(stock, lo) && isNear(lo, hi, level) && fits(lo, hi, items) >= items) {
        if (lo == from && hi == to) {
          return new int[] {lo, hi};
        }
        int breadth = breadth(lo, hi, items);
        long cost = level == Level.NODE ? nodeCost(lo, items) : pieces(lo, hi);
        if (breadth > broadest || (breadth == broadest && cost < least)) {
          broadest = breadth;
          least = cost;
          best = new int[] {lo, hi};
        }
        if (!scored) {
          return best;
        }
      }
      lo = hi;
    }
    return best;
  }

  /** Over how many domains they can be spread from here to there; 0 where that is not wanted. */
  private int breadth(int from, int to, int items) {
    if (!scored || topology.fills().isEmpty() || !topology.fills().getFirst().spread()) {
      return 0;
    }
    Level level = topology.fills().getFirst().level();
    int breadth = 0;
    for (int lo = from; lo < to && breadth < items; ) {
      int hi = stock.bucketEnd(lo, to, level);
      breadth += fits(lo, hi, 1);
      lo = hi;
    }
    return breadth;
  }

  /** Of nodes that are in no domain of a level each is near nothing but itself. */
  private int runEnd(int from, int to, @Nullable Level level) {
    return level != null && stock.domain(from, level) < 0
        ? from + 1
        : stock.runEnd(from, to, level);
  }

  /** More goes where the lease is already, if a level says how near. */
  private boolean isNear(int from, int to, @Nullable Level level) {
    if (!keeps || level == null) {
      return true;
    }
    for (int i = from; i < to; i++) {
      if (kept[i] > 0) {
        return true;
      }
    }
    return false;
  }

  private long nodeCost(int node, int items) {
    return scored ? window.cost(node, items) : 0;
  }

  private long pieces(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += window.pieces(i);
    }
    return sum;
  }

  /** How many items fit from here to there, up to a number. */
  int fits(int from, int to, int items) {
    int[][] counted = used.clone();
    for (int l = 0; l < counted.length; l++) {
      counted[l] = used[l].clone();
    }
    int sum = 0;
    for (int i = from; i < to && sum < items; i++) {
      int more = Math.min(roomOf(i, counted), items - sum);
      count(i, more, counted);
      sum += more;
    }
    return sum;
  }

  private void fill(int from, int to, int items) {
    for (int left = items; left > 0; ) {
      left -= layBy(0, from, to, left);
    }
  }

  /**
   * Lays some of so many items, at least one: in the domain that a rule chooses, and inside that by
   * the rules about deeper levels.
   */
  private int layBy(int rule, int from, int to, int left) {
    if (rule == topology.fills().size()) {
      return fillNode(from, to, left);
    }
    Topology.Fill fill = topology.fills().get(rule);
    int[] run =
        fill.spread() ? emptiest(fill.level(), from, to) : fullest(fill.level(), from, to, left);
    int items = fill.spread() ? 1 : fits(run[0], run[1], left);
    for (int rest = items; rest > 0; ) {
      rest -= layBy(rule + 1, run[0], run[1], rest);
    }
    return items;
  }

  /** Of the domains that take one more the one that has the fewest. */
  private int[] emptiest(Level level, int from, int to) {
    int[] best = null;
    int fewest = Integer.MAX_VALUE;
    for (int lo = from; lo < to; ) {
      int hi = stock.bucketEnd(lo, to, level);
      int here = 0;
      for (int i = lo; i < hi; i++) {
        here += laid[i] + kept[i];
      }
      if (here < fewest && fits(lo, hi, 1) > 0) {
        fewest = here;
        best = new int[] {lo, hi};
      }
      lo = hi;
    }
    return best;
  }

  /** The tightest domain of a level that takes all that is left, else the widest. */
  private int[] fullest(Level level, int from, int to, int left) {
    int[] best = null;
    int most = 0;
    long least = Long.MAX_VALUE;
    for (int lo = from; lo < to; ) {
      int hi = runEnd(lo, to, level);
      int fit = fits(lo, hi, left);
      long pieces = pieces(lo, hi);
      if (fit > most || (fit == most && fit > 0 && pieces < least)) {
        most = fit;
        least = pieces;
        best = new int[] {lo, hi};
      }
      lo = hi;
    }
    return best;
  }

  /** Without groups as few nodes as can be; a group goes where it fits best. */
  private int fillNode(int from, int to, int left) {
    int items = demand.grouped() ? 1 : left;
    int node = bestFit(from, to, items);
    if (node < 0) {
      node = roomiest(from, to);
      items = roomOf(node, used);
    }
    lay(node, items);
    return items;
  }

  /** The node that so many items cost least on; -1 where none takes them. */
  private int bestFit(int from, int to, int items) {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int i = from; i < to; i++) {
      if (roomOf(i, used) >= items) {
        if (!scored) {
          return i;
        }
        long cost = window.cost(i, laid[i] + items) - (laid[i] == 0 ? 0 : window.cost(i, laid[i]));
        if (cost < least) {
          least = cost;
          best = i;
        }
      }
    }
    return best;
  }

  private int roomiest(int from, int to) {
    int best = from;
    for (int i = from; i < to; i++) {
      best = roomOf(i, used) > roomOf(best, used) ? i : best;
    }
    return best;
  }

  private int roomOf(int node, int[][] counted) {
    int more = room[node];
    for (int l = 0; l < counted.length && more > 0 && demand.each() > 0; l++) {
      Topology.Limit limit = topology.limits().get(l);
      int left = limit.pieces() - counted[l][stock.bucket(node, limit.level())];
      more = Math.min(more, Math.max(0, left) / demand.each());
    }
    return more;
  }

  private void lay(int node, int items) {
    room[node] -= items;
    laid[node] += items;
    count(node, items, used);
  }

  private void count(int node, int items, int[][] counted) {
    for (int l = 0; l < counted.length; l++) {
      counted[l][stock.bucket(node, topology.limits().get(l).level())] += items * demand.each();
    }
  }
}
