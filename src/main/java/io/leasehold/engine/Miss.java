package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Why a demand does not fit into a stock, where it came closest. Says the count first: with too few
 * pieces no shape helps; then the shape, then CPU and memory.
 */
final class Miss implements Comparable<Miss> {

  private static final int MOST_BLOCKERS = 16;
  private static final int MOST_PARTS = 8;

  private final Stock stock;
  private final Demand demand;
  private final Over over;
  private final Level level;
  private final @Nullable Gap[] gaps;
  private final int[] run;
  private final long free;
  private final long loose;
  private final long shaped;
  private final long most;

  private Miss(
      Stock stock,
      Demand demand,
      Over over,
      @Nullable Level level,
      @Nullable Gap[] gaps,
      int[] run,
      long free,
      long loose,
      long shaped,
      long most) {
    this.stock = stock;
    this.demand = demand;
    this.over = over;
    this.level = level;
    this.gaps = gaps;
    this.run = run;
    this.free = free;
    this.loose = loose;
    this.shaped = shaped;
    this.most = most;
  }

  /** Looks at each domain that would have had to take everything. */
  static Miss of(
      Stock stock, Demand demand, Topology topology, Over over, @Nullable Gap[] gaps) {
    long free = 0;
    long loose = 0;
    for (Gap gap : gaps) {
      if (gap != null) {
        free += gap.pieces().count();
        loose += gap.pieces().loose();
      }
    }
    Packing real = new Packing(stock, demand, topology, false, gaps);
    Packing plenty = new Packing(stock, demand.withoutHost(), topology, false, gaps);
    int[] run = {0, gaps.length};
    long most = -1;
    long shaped = -1;
    Level level = topology.required();
    for (int lo = 0; lo < gaps.length; ) {
      int hi = stock.runEnd(lo, gaps.length, level);
      if (level == null || stock.domain(lo, level) >= 0) {
        int fit = real.fits(lo, hi, demand.items());
        int fitPlenty = plenty.fits(lo, hi, demand.items());
        if (fit > most || (fit == most && fitPlenty > shaped)) {
          most = fit;
          run = new int[] {lo, hi};
        }
        shaped = Math.max(shaped, fitPlenty);
      }
      lo = hi;
    }
    long each = Math.max(1, demand.each());
    return new Miss(
        stock,
        demand,
        over,
        level,
        gaps,
        run,
        free,
        loose,
        Math.max(0, shaped) * each,
        Math.max(0, most) * each);
  }

  /** The closest miss first. */
  @Override
  public int compareTo(Miss other) {
    int order = Long.compare(other.most, most);
    order = order != 0 ? order : Long.compare(other.shaped, shaped);
    order = order != 0 ? order : Long.compare(other.free, free);
    return order != 0 ? order : stock.cluster().compareTo(other.stock.cluster());
  }

  Found.None none() {
    long need = Math.max(demand.pieces(), demand.each() == 0 ? 1 : 0);
    Found.None.Kind kind =
        free < need && demand.each() > 0
            ? loose >= need ? Found.None.Kind.MODE : Found.None.Kind.COUNT
            : shaped < need ? Found.None.Kind.SHAPE : Found.None.Kind.HOST;
    boolean everywhere = kind == Found.None.Kind.COUNT || kind == Found.None.Kind.MODE;
    int[] where = everywhere ? new int[] {0, gaps.length} : run;
    boolean narrow = !everywhere && level != null;
    return new Found.None(
        kind,
        free,
        most,
        detail(kind, need),
        narrow ? level == Level.NODE ? "node" : "domain" : "cluster",
        narrow ? name() : stock.cluster(),
        blockers(where));
  }

  private String name() {
    return level == Level.NODE
        ? stock.node(run[0]).node().name()
        : String.valueOf(stock.path(run[0], level));
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
    for (int lo = 0; lo < gaps.length; ) {
      int hi = stock.runEnd(lo, gaps.length, by);
      int sum = 0;
      for (int i = lo; i < hi; i++) {
        sum += gaps[i] == null ? 0 : gaps[i].pieces().count();
      }
      if (sum > 0) {
        parts.add(sum);
      }
      lo = hi;
    }
    parts.sort((a, b) -> Integer.compare(b, a));
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(parts.size(), MOST_PARTS); i++) {
      text.append(i == 0 ? "" : "+").append(parts.get(i));
    }
    return parts.size() > MOST_PARTS ? text.append("+...").toString() : text.toString();
  }

  private List<UUID> blockers(int[] where) {
    List<Held> inTheWay = new ArrayList<>();
    for (int i = where[0]; i < where[1]; i++) {
      if (gaps[i] != null) {
        stock.node(i).forEach(over, inTheWay::add);
      }
    }
    Held[] sorted = inTheWay.toArray(new Held[0]);
    Arrays.sort(sorted, Held.SOONEST_FREE);
    return Arrays.stream(sorted).map(Held::lease).distinct().limit(MOST_BLOCKERS).toList();
  }
}
