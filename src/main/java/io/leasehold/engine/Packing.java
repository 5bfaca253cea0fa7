package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lays the items of a demand on the nodes of one stock: all or nothing, in the tightest domain that
 * the topology allows, best fit on the nodes. Items are equal and so is what limits them (limits of
 * domains lie within each other), so filling up greedily finds the most there can be.
 */
final class Packing {

  private final Stock stock;
  private final Demand demand;
  private final Topology topology;
  private final boolean scored;
  private final @Nullable Gap[] gaps;

  /** Items that still fit on each node. */
  private final int[] room;

  /** Items laid on each node. */
  private final int[] laid;

  /** For each limit of the topology: pieces laid in each domain. */
  private final int[][] used;

  /** How far the search had to widen: an index into {@link Topology#tries}. */
  private int widened = -1;

  Packing(Stock stock, Demand demand, Topology topology, boolean scored, @Nullable Gap[] gaps) {
    this.stock = stock;
    this.demand = demand;
    this.topology = topology;
    this.scored = scored;
    this.gaps = gaps;
    this.room = new int[gaps.length];
    this.laid = new int[gaps.length];
    for (int i = 0; i < gaps.length; i++) {
      room[i] = gaps[i] == null ? 0 : gaps[i].items(demand);
    }
    this.used = new int[topology.limits().size()][gaps.length + 1];
  }

  /** Lays everything, or nothing. */
  boolean pack() {
    List<@Nullable Level> tries = topology.tries();
    for (int i = 0; i < tries.size(); i++) {
      int[] run = tightest(tries.get(i), 0, gaps.length, demand.items());
      if (run != null) {
        widened = i;
        fill(run[0], run[1], demand.items());
        return true;
      }
    }
    return false;
  }

  /** Stays within a better level, then on fewer nodes where there are no groups, then costs less. */
  boolean isBetterThan(Packing other) {
    if (widened != other.widened) {
      return widened < other.widened;
    }
    int fewer = demand.grouped() ? 0 : nodes() - other.nodes();
    return fewer != 0 ? fewer < 0 : cost() < other.cost();
  }

  private int nodes() {
    int count = 0;
    for (int items : laid) {
      count += items > 0 ? 1 : 0;
    }
    return count;
  }

  private long cost() {
    long cost = 0;
    for (int i = 0; i < laid.length; i++) {
      cost += laid[i] > 0 ? score(i, laid[i]) : 0;
    }
    return cost;
  }

  /** Books what was laid, groups numbered in the order of the nodes. */
  List<Booking.Slot> slots() {
    List<Booking.Slot> slots = new ArrayList<>();
    for (int i = 0; i < laid.length; i++) {
      if (laid[i] > 0 && !demand.grouped()) {
        slots.add(gaps[i].slot(demand, 0, laid[i]));
      }
      for (int j = 0; j < laid[i] && demand.grouped(); j++) {
        slots.add(gaps[i].slot(demand, slots.size(), 1));
      }
    }
    return slots;
  }

  /** The domain of a level with the least room that takes so many items; null if none does. */
  private int @Nullable [] tightest(@Nullable Level level, int from, int to, int items) {
    int[] best = null;
    long least = Long.MAX_VALUE;
    for (int lo = from; lo < to; ) {
      int hi = stock.runEnd(lo, to, level);
      if (isDomain(lo, level) && fits(lo, hi, items) >= items) {
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
    return scored ? score(node, items) : 0;
  }

  private long pieces(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += gaps[i] == null ? 0 : gaps[i].pieces().count();
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
        long cost = score(i, laid[i] + items) - (laid[i] == 0 ? 0 : score(i, laid[i]));
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

  private long score(int node, int items) {
    Gap gap = gaps[node];
    int pieces = items * demand.each();
    return Score.of(
        gap.freeMilli(),
        gap.pieces().wholeFree(),
        gap.cpu(),
        (long) pieces * demand.pieceMilli(),
        gap.pieces().wholeFreeAfter(pieces),
        items * demand.cpuMilli());
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
