package io.leasehold.engine;

import java.util.List;
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
    this.used = new int[topology.limits().size()][room.length + 1];
  }

  static Packing of(Window window, Topology topology, boolean scored) {
    int[] room = new int[window.size()];
    window.eachThatMayTakeOne(node -> room[node] = window.items(node));
    window.payForAll();
    return new Packing(window, topology, scored, room);
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

  /** The domain of a level with the least room that takes so many items; null if none does. */
  private int @Nullable [] tightest(@Nullable Level level, int from, int to, int items) {
    int[] best = null;
    long least = Long.MAX_VALUE;
    for (int lo = from; lo < to; ) {
      int hi = stock.runEnd(lo, to, level);
      if (isDomain(lo, level) && fits(lo, hi, items) >= items) {
        if (lo == from && hi == to) {
          return new int[] {lo, hi};
        }
        long cost = level == Level.NODE ? nodeCost(lo, items) : pieces(lo, hi);
        if (cost < least) {
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

  private boolean isDomain(int node, @Nullable Level level) {
    return level == null
        || (stock.domain(node, level) >= 0
            && (topology.required() == null || stock.domain(node, topology.required()) >= 0));
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
    int left = items;
    while (left > 0) {
      left -=
          topology.spread() != null
              ? spreadOne(from, to)
              : topology.preferred() != null
                  ? fillDomain(from, to, left)
                  : fillNode(from, to, left);
    }
  }

  /** One item into the domain that has the fewest so far. */
  private int spreadOne(int from, int to) {
    int[] best = null;
    int fewest = Integer.MAX_VALUE;
    for (int lo = from; lo < to; ) {
      int hi = stock.runEnd(lo, to, topology.spread());
      int here = 0;
      for (int i = lo; i < hi; i++) {
        here += laid[i];
      }
      if (here < fewest && fits(lo, hi, 1) > 0) {
        fewest = here;
        best = new int[] {lo, hi};
      }
      lo = hi;
    }
    lay(bestFit(best[0], best[1], 1), 1);
    return 1;
  }

  /** The tightest domain of the preferred level that takes all that is left, else the widest. */
  private int fillDomain(int from, int to, int left) {
    int[] run = null;
    int most = 0;
    long least = Long.MAX_VALUE;
    for (int lo = from; lo < to; ) {
      int hi = stock.runEnd(lo, to, topology.preferred());
      int fit = fits(lo, hi, left);
      long pieces = pieces(lo, hi);
      if (fit > most || (fit == most && fit > 0 && pieces < least)) {
        most = fit;
        least = pieces;
        run = new int[] {lo, hi};
      }
      lo = hi;
    }
    for (int rest = most; rest > 0; ) {
      rest -= fillNode(run[0], run[1], rest);
    }
    return most;
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
      int left = limit.pieces() - counted[l][stock.domain(node, limit.level()) + 1];
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
      int domain = stock.domain(node, topology.limits().get(l).level());
      counted[l][domain + 1] += items * demand.each();
    }
  }
}
