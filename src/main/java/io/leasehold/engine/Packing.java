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
  private final Rooms rooms;

  /** Items that the lease has on each node already. */
  private final int[] kept;

  private boolean keeps;

  /** Free pieces of each node before anything is laid, and one; 0 where nobody asked yet. */
  private final int[] pieces;

  private Packing(Window window, Topology topology, boolean scored, int[] room) {
    this.window = window;
    this.stock = window.stock();
    this.demand = window.demand();
    this.topology = topology;
    this.scored = scored;
    this.rooms = new Rooms(stock, demand, topology, room);
    this.kept = new int[room.length];
    this.pieces = new int[room.length];
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
        packing.rooms.count(i, here);
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
      int[] run = tightest(tries.get(i), 0, rooms.size(), demand.items());
      if (run != null) {
        return fit(i, new Filling(this, window, topology, rooms, run).lay(demand.items()));
      }
    }
    return null;
  }

  private Fit fit(int widened, int[] laid) {
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
  int runEnd(int from, int to, @Nullable Level level) {
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

  /** Free pieces from here to there, as if nothing had been laid. */
  long pieces(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      if (pieces[i] == 0) {
        pieces[i] = 1 + window.pieces(i);
      }
      sum += pieces[i] - 1;
    }
    return sum;
  }

  /** Items that the lease has on a node already. */
  int kept(int node) {
    return kept[node];
  }

  /** Whether it matters which of several nodes that fit is chosen. */
  boolean isScored() {
    return scored;
  }

  /** How many items fit from here to there, up to a number. */
  int fits(int from, int to, int items) {
    return rooms.fits(from, to, items);
  }
}
