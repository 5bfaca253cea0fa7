package io.leasehold.engine;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lays items on the nodes of one domain that takes them all: in the domains that the topology's
 * rules choose, the widest level first, and there without groups on as few nodes as can be, in
 * groups where each fits best.
 */
final class Filling {

  private final Packing packing;
  private final Window window;
  private final Stock stock;
  private final Topology topology;
  private final Rooms rooms;
  private final int[] laid;
  private final int from;
  private final int to;

  /** What each node takes, or more: brought down where it is looked at. */
  private final Highest roomiest;

  /** What one item less costs on each node that may take one; made when first asked for. */
  private @Nullable Highest cheapest;

  Filling(Packing packing, Window window, Topology topology, Rooms rooms, int[] run) {
    this.packing = packing;
    this.window = window;
    this.stock = window.stock();
    this.topology = topology;
    this.rooms = rooms;
    this.laid = new int[rooms.size()];
    this.from = run[0];
    this.to = run[1];
    this.roomiest = new Highest(rooms.size(), node -> isIn(node) ? rooms.of(node) : Highest.NONE);
  }

  private boolean isIn(int node) {
    return from <= node && node < to;
  }

  /** Items laid on each node in the end. */
  int[] lay(int items) {
    for (int left = items; left > 0; ) {
      left -= layBy(0, from, to, left);
    }
    return laid;
  }

  /**
   * Lays some of so many items, at least one: in the domain that a rule chooses, and inside that by
   * the rules about deeper levels.
   */
  private int layBy(int rule, int lo, int hi, int left) {
    if (rule == topology.fills().size()) {
      return layOnNode(lo, hi, left);
    }
    Topology.Fill fill = topology.fills().get(rule);
    if (fill.spread()) {
      return spread(rule, lo, hi, left);
    }
    int[] run = fullest(fill.level(), lo, hi, left);
    int items = rooms.fits(run[0], run[1], left);
    for (int rest = items; rest > 0; ) {
      rest -= layBy(rule + 1, run[0], run[1], rest);
    }
    return items;
  }

  /** A domain and how many items it has. */
  private record Run(int lo, int hi, int items) {
    static final Comparator<Run> EMPTIEST =
        Comparator.comparingInt(Run::items).thenComparingInt(Run::lo);
  }

  /** One after the other: in the domain that takes one more and has the fewest. */
  private int spread(int rule, int lo, int hi, int left) {
    Level level = topology.fills().get(rule).level();
    PriorityQueue<Run> runs = new PriorityQueue<>(Run.EMPTIEST);
    for (int start = lo; start < hi; ) {
      int end = stock.bucketEnd(start, hi, level);
      runs.add(new Run(start, end, items(start, end)));
      start = end;
    }
    int rest = left;
    while (rest > 0) {
      Run run = runs.remove();
      if (rooms.fits(run.lo(), run.hi(), 1) > 0) {
        int more = layBy(rule + 1, run.lo(), run.hi(), 1);
        rest -= more;
        runs.add(new Run(run.lo(), run.hi(), run.items() + more));
      }
    }
    return left;
  }

  private int items(int start, int end) {
    int items = 0;
    for (int node = start; node < end; node++) {
      items += laid[node] + packing.kept(node);
    }
    return items;
  }

  /** The tightest domain of a level that takes all that is left, else the widest. */
  private int[] fullest(Level level, int lo, int hi, int left) {
    int[] best = null;
    int most = 0;
    long least = Long.MAX_VALUE;
    for (int start = lo; start < hi; ) {
      int end = packing.runEnd(start, hi, level);
      int fit = rooms.fits(start, end, left);
      long pieces = packing.pieces(start, end);
      if (fit > most || (fit == most && fit > 0 && pieces < least)) {
        most = fit;
        least = pieces;
        best = new int[] {start, end};
      }
      start = end;
    }
    return best;
  }

  private int layOnNode(int lo, int hi, int left) {
    int wanted = window.demand().grouped() ? 1 : left;
    int node = roomiest(lo, hi);
    int items = Math.min(wanted, rooms.of(node));
    if (items == wanted) {
      node = bestFit(lo, hi, items);
    }
    rooms.take(node, items);
    laid[node] += items;
    if (cheapest != null) {
      cheapest.set(node, -costOfOneMore(node));
    }
    return items;
  }

  /** The first of the nodes that take most. */
  private int roomiest(int lo, int hi) {
    int node = roomiest.first(lo, hi, roomiest.of(lo, hi));
    while (lowered(node)) {
      node = roomiest.first(lo, hi, roomiest.of(lo, hi));
    }
    return node;
  }

  /** Whether a node takes less by now than was known of it. */
  private boolean lowered(int node) {
    int room = rooms.of(node);
    boolean lower = roomiest.of(node, node + 1) > room;
    if (lower) {
      roomiest.set(node, room);
    }
    return lower;
  }

  /** Where so many items cost least, of the nodes that take them, of which there are some. */
  private int bestFit(int lo, int hi, int items) {
    if (!packing.isScored()) {
      int node = roomiest.first(lo, hi, items);
      while (lowered(node)) {
        node = roomiest.first(lo, hi, items);
      }
      return node;
    }
    return items == 1 ? cheapestForOne(lo, hi) : cheapest(lo, hi, items);
  }

  private int cheapest(int lo, int hi, int items) {
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int node = lo; node < hi; node++) {
      if (rooms.of(node) >= items) {
        long cost = cost(node, items);
        if (cost < least) {
          least = cost;
          best = node;
        }
      }
    }
    return best;
  }

  private int cheapestForOne(int lo, int hi) {
    if (cheapest == null) {
      cheapest =
          new Highest(rooms.size(), node -> isIn(node) ? -costOfOneMore(node) : Highest.NONE);
    }
    int node = cheapest.first(lo, hi, cheapest.of(lo, hi));
    while (rooms.of(node) < 1) {
      cheapest.set(node, Highest.NONE);
      node = cheapest.first(lo, hi, cheapest.of(lo, hi));
    }
    return node;
  }

  /** What does not fit costs most. */
  private long costOfOneMore(int node) {
    return rooms.of(node) < 1 ? Long.MAX_VALUE : cost(node, 1);
  }

  private long cost(int node, int items) {
    return window.cost(node, laid[node] + items)
        - (laid[node] == 0 ? 0 : window.cost(node, laid[node]));
  }
}
