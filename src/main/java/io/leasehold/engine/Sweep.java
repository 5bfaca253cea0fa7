package io.leasehold.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the time of one node after the other, from one instant to the next at which anything
 * held there begins or ends, and knows how many items of a demand fit at each. What a cluster has
 * in its hands beyond a hold does not count.
 */
final class Sweep {

  /** From so many on they are sorted by the library. */
  private static final int MANY = 24;

  /** Takes each instant; false when it has seen enough of this node. */
  interface Visitor {
    boolean sees(long instant);
  }

  private final Demand demand;

  /** So much earlier what is held is in the way. */
  private final long stretch;

  private final boolean readsHost;
  private final Opened opened;
  private final int pieceMilli;
  private final int onUntouched;
  private final int[] used = new int[Node.MOST_GPUS];

  /** On each GPU, how much lies there in another mode. */
  private final int[] otherwise = new int[Node.MOST_GPUS];

  /** On each GPU, how many pieces it takes; of some that changed only when they are asked for. */
  private final int[] free = new int[Node.MOST_GPUS];

  private long changed;
  private Held[] ends = new Held[16];
  private @Nullable NodeTimeline at;
  private long usable;
  private int pieces;
  private long cpu;
  private long memory;
  private long instant;
  private int ended;
  private boolean onlyEnds;

  Sweep(Demand demand) {
    this(demand, 0);
  }

  /**
   * Of GPUs, and of nothing beside them, for a hold of some length: then an instant is a start, and
   * what is counted is free from that start on for so long.
   */
  static Sweep ofStarts(Demand demand, long length) {
    return new Sweep(demand.ofGpus(), length - 1);
  }

  private Sweep(Demand demand, long stretch) {
    this.demand = demand;
    this.stretch = stretch;
    this.readsHost = demand.cpuMilli() > 0 || demand.memoryMiB() > 0;
    this.opened = new Opened(demand);
    this.pieceMilli = demand.pieceMilli();
    this.onUntouched = demand.piecesOnUntouched();
  }

  /** Visits the start of a span and each instant inside it at which something changes. */
  void over(NodeTimeline node, Span span, Visitor visitor) {
    begin(node);
    Held[] held = node.held();
    int ending = 0;
    int next = 0;
    for (Held one : held) {
      long start = one.start() - stretch;
      next += start <= span.start() ? 1 : 0;
      if (one.end() > span.start() && start < span.end()) {
        put(one, ending++);
        if (start <= span.start()) {
          count(one, 1);
        }
      }
    }
    if (ending >= MANY) {
      Arrays.sort(ends, 0, ending, Held.SOONEST_FREE);
    }
    boolean more = visit(span.start(), next == held.length, visitor);
    for (int over = 0; more && (over < ending || next < held.length); ) {
      long start = next < held.length ? held[next].start() - stretch : Span.FOREVER;
      long now = Math.min(start, over < ending ? ends[over].end() : Span.FOREVER);
      if (now >= span.end()) {
        return;
      }
      ended = 0;
      for (; over < ending && ends[over].end() == now; over++) {
        count(ends[over], -1);
        ended++;
      }
      for (; next < held.length && held[next].start() - stretch == now; next++) {
        count(held[next], 1);
      }
      more = visit(now, next == held.length, visitor);
    }
  }

  private void begin(NodeTimeline node) {
    at = node;
    usable = node.usable();
    Arrays.fill(used, 0);
    Arrays.fill(otherwise, 0);
    ended = 0;
    cpu = node.node().cpuMilli() == 0 ? Gap.UNKNOWN : node.node().cpuMilli();
    memory = node.node().memoryMiB() == 0 ? Gap.UNKNOWN : node.node().memoryMiB();
    changed = 0;
    for (int gpu = 0; gpu < node.node().gpus().size(); gpu++) {
      free[gpu] = (usable >>> gpu & 1) == 1 ? onUntouched : 0;
    }
    pieces = Long.bitCount(usable) * onUntouched;
  }

  /** A few are put in order as they come. */
  private void put(Held one, int size) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
    }
    int to = size;
    for (; to > 0 && size < MANY && ends[to - 1].end() > one.end(); to--) {
      ends[to] = ends[to - 1];
    }
    ends[to] = one;
  }

  private boolean visit(long now, boolean nothingStarts, Visitor visitor) {
    instant = now;
    onlyEnds = nothingStarts;
    return visitor.sees(now);
  }

  private void count(Held one, int times) {
    long gpus = one.gpus();
    changed |= gpus & usable;
    if (one.milli() == Units.PER_GPU * Long.bitCount(gpus)) {
      for (long left = gpus; left != 0; left &= left - 1) {
        used[Long.numberOfTrailingZeros(left)] += times * Units.PER_GPU;
      }
    } else {
      one.slot().units().addTo(used, times);
    }
    if (demand.mode() != Mode.WHOLE && one.mode() != demand.mode()) {
      for (long left = gpus; left != 0; left &= left - 1) {
        otherwise[Long.numberOfTrailingZeros(left)] += times;
      }
    }
    if (readsHost) {
      cpu -= cpu == Gap.UNKNOWN ? 0 : times * one.slot().cpuMilli();
      memory -= memory == Gap.UNKNOWN ? 0 : times * one.slot().memoryMiB();
    }
  }

  private int pieces() {
    for (; changed != 0; changed &= changed - 1) {
      int gpu = Long.numberOfTrailingZeros(changed);
      pieces -= free[gpu];
      free[gpu] = piecesOn(gpu);
      pieces += free[gpu];
    }
    return pieces;
  }

  private int piecesOn(int gpu) {
    if (used[gpu] == 0) {
      return onUntouched;
    }
    if (otherwise[gpu] > 0 || demand.mode() == Mode.WHOLE) {
      return 0;
    }
    return demand.mode() == Mode.SHARED && stretch == 0
        ? Math.max(0, Units.PER_GPU - used[gpu]) / pieceMilli
        : opened.pieces(at, gpu, new Over(instant, instant + stretch + 1, false, false));
  }

  /** Nothing starts after this instant: what is free then stays free. */
  boolean onlyEnds() {
    return onlyEnds;
  }

  /** How many of what is held end at this instant; not asked at the first. */
  int ended() {
    return ended;
  }

  /** How many items of the demand fit at this instant. */
  int items() {
    int each = demand.each();
    int items = each == 0 ? demand.items() : each == 1 ? pieces() : pieces() / each;
    return items == 0
        ? 0
        : Math.min(
            items,
            Math.min(Gap.fits(cpu, demand.cpuMilli()), Gap.fits(memory, demand.memoryMiB())));
  }
}
