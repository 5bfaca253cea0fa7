package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Why a demand does not fit into a stock, where it came closest. Says the count first: with too few
 * pieces no shape helps; then the shape, then CPU and memory.
 *
 * @param level of the domains that would have had to take everything; null = the cluster
 * @param from the first node of the domain that came closest
 * @param to the end of it
 * @param free pieces free in the cluster
 * @param loose the same if neither sharing mode nor MIG layout mattered
 * @param shaped the most that one domain takes if CPU and memory were plenty
 * @param most the most that one domain takes
 */
record Miss(
    Window window,
    @Nullable Level level,
    int from,
    int to,
    long free,
    long loose,
    long shaped,
    long most) {

  private static final int MOST_BLOCKERS = 16;
  private static final int MOST_PARTS = 8;

  static final Comparator<Miss> CLOSEST =
      Comparator.comparingLong(Miss::most)
          .thenComparingLong(Miss::shaped)
          .thenComparingLong(Miss::free)
          .reversed()
          .thenComparing(miss -> miss.window.stock().cluster());

  /** Looks at each domain that would have had to take everything, after packing failed. */
  static Miss of(Window window, Topology topology) {
    long[] sums = new long[2];
    window.eachNotFull(
        node -> {
          sums[0] += window.pieces(node);
          sums[1] += window.loose(node);
        });
    Packing failed = Packing.of(window, topology, false);
    Stock stock = window.stock();
    Demand demand = window.demand();
    Packing plenty = Packing.ofGpus(window, topology);
    Level level = topology.required();
    int from = 0;
    int to = 0;
    int most = -1;
    int shaped = 0;
    for (int lo = 0; lo < window.size(); ) {
      int hi = stock.runEnd(lo, window.size(), level);
      if (topology.allows(stock, lo)) {
        int fit = failed.fits(lo, hi, demand.items());
        shaped = Math.max(shaped, plenty.fits(lo, hi, demand.items()));
        if (fit > most) {
          most = fit;
          from = lo;
          to = hi;
        }
      }
      lo = hi;
    }
    long each = Math.max(1, demand.each());
    return new Miss(
        window, level, from, to, sums[0], sums[1], shaped * each, Math.max(0, most) * each);
  }

  Found.None none() {
    long need = Math.max(1, window.demand().pieces());
    Found.None.Kind kind = kind(need);
    boolean everywhere =
        level == null || to == 0 || kind == Found.None.Kind.COUNT || kind == Found.None.Kind.MODE;
    return new Found.None(
        kind,
        free,
        most,
        detail(kind, need),
        everywhere ? "cluster" : level == Level.NODE ? "node" : "domain",
        everywhere ? window.stock().cluster() : name(),
        everywhere ? blockers(0, window.size()) : blockers(from, to));
  }

  private Found.None.Kind kind(long need) {
    if (free < need && window.demand().each() > 0) {
      return loose >= need ? Found.None.Kind.MODE : Found.None.Kind.COUNT;
    }
    return shaped < need ? Found.None.Kind.SHAPE : Found.None.Kind.HOST;
  }

  private String name() {
    return level == Level.NODE
        ? window.stock().node(from).node().name()
        : String.valueOf(window.stock().path(from, level));
  }

  private String detail(Found.None.Kind kind, long need) {
    return switch (kind) {
      case COUNT -> free + " of " + need + " free";
      case SHAPE -> free + " free, but as " + parts();
      case HOST -> free + " free, but CPU or memory beside them is short";
      case MODE ->
          free + " of " + need + " free; a MIG layout or a sharing mode is in the way of the rest";
    };
  }

  /** Free pieces of each domain of the required level, or of each node: {@code 4+4}. */
  private String parts() {
    Level by = level == null ? Level.NODE : level;
    List<Integer> parts = new ArrayList<>();
    for (int lo = 0; lo < window.size(); ) {
      int hi = window.stock().runEnd(lo, window.size(), by);
      int sum = 0;
      for (int i = lo; i < hi; i++) {
        sum += window.pieces(i);
      }
      if (sum > 0) {
        parts.add(sum);
      }
      lo = hi;
    }
    parts.sort(Comparator.reverseOrder());
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(parts.size(), MOST_PARTS); i++) {
      text.append(i == 0 ? "" : "+").append(parts.get(i));
    }
    return parts.size() > MOST_PARTS ? text.append("+...").toString() : text.toString();
  }

  /** Of the whole cluster they are the same for every demand over this time: found once. */
  private List<UUID> blockers(int first, int end) {
    boolean everywhere = end - first == window.size() && window.isAnywhere();
    return everywhere
        ? window.stock().soonestFree(window.over(), _ -> soonest(first, end))
        : soonest(first, end);
  }

  /**
   * The first ends on the nodes lead to what is soonest free; where too little is found that way,
   * each node is looked at.
   */
  private List<UUID> soonest(int first, int end) {
    Soonest soonest = new Soonest(MOST_BLOCKERS);
    if (!window.over().empty() && end - first == window.size()) {
      Turns ends = window.stock().ends();
      ends.visit(node -> see(soonest, node, ends.turnOf(node)));
    }
    boolean isLed = soonest.isFull();
    for (int i = first; i < end && !isLed; i++) {
      see(soonest, i, Long.MIN_VALUE);
    }
    return soonest.leases();
  }

  /** Whether a node whose first end is then may still have something sooner free. */
  private boolean see(Soonest soonest, int node, long firstEnd) {
    if (soonest.isFull() && firstEnd > soonest.last()) {
      return false;
    }
    if (window.allows(node)) {
      window.stock().node(node).forEach(window.over(), soonest::keep);
    }
    return true;
  }
}
