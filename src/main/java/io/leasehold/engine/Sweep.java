package io.leasehold.engine;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Goes through the time of one node from one instant to the next at which anything held there
 * begins or ends, and knows what is in use at each. What a cluster has in its hands beyond a hold
 * does not count.
 */
final class Sweep {

  private static final Mode[] MODES = Mode.values();

  private final NodeTimeline at;
  private final Node node;
  private final long usable;
  private final Held[] held;
  private final int[] used;

  /** For each mode and GPU how much of that mode lies on it. */
  private final int[][] touching;

  private long cpu;
  private long memory;
  private long instant;
  private int ended;

  Sweep(NodeTimeline at, long usable, Held[] held) {
    this.at = at;
    this.node = at.node();
    this.usable = usable;
    this.held = held;
    this.used = new int[gpus()];
    this.touching = new int[MODES.length][used.length];
  }

  /** What is held may lie on devices that the node has no longer. */
  private int gpus() {
    int most = node.gpus().size();
    for (Held one : held) {
      most = Math.max(most, Long.SIZE - Long.numberOfLeadingZeros(one.gpus()));
    }
    return most;
  }

  /** Visits the start of a span and each instant inside it at which something changes. */
  void over(Span span, LongConsumer visitor) {
    Held[] ends = new Held[held.length];
    int ending = 0;
    int next = 0;
    for (Held one : held) {
      next += one.start() <= span.start() ? 1 : 0;
      if (one.end() > span.start() && one.start() < span.end()) {
        ends[ending++] = one;
        if (one.start() <= span.start()) {
          count(one, 1);
        }
      }
    }
    Arrays.sort(ends, 0, ending, Held.SOONEST_FREE);
    visit(span.start(), visitor);
    for (int over = 0; over < ending || next < held.length; ) {
      long start = next < held.length ? held[next].start() : Span.FOREVER;
      long now = Math.min(start, over < ending ? ends[over].end() : Span.FOREVER);
      if (now >= span.end()) {
        return;
      }
      ended = 0;
      for (; over < ending && ends[over].end() == now; over++) {
        count(ends[over], -1);
        ended++;
      }
      for (; next < held.length && held[next].start() == now; next++) {
        count(held[next], 1);
      }
      visit(now, visitor);
    }
  }

  private void visit(long now, LongConsumer visitor) {
    instant = now;
    visitor.accept(now);
  }

  private void count(Held one, int times) {
    one.slot().units().addTo(used, times);
    cpu += times * one.slot().cpuMilli();
    memory += times * one.slot().memoryMiB();
    int[] mode = touching[one.mode().ordinal()];
    for (long left = one.gpus(); left != 0; left &= left - 1) {
      mode[Long.numberOfTrailingZeros(left)] += times;
    }
  }

  /** How many of what is held end at this instant; not asked at the first. */
  int ended() {
    return ended;
  }

  /** How many items of a demand fit at this instant. */
  int items(Demand demand) {
    if (demand.mode() == Mode.MIG) {
      Gap gap = usable == 0 ? null : at.gap(demand, new Over(instant, instant + 1, false, false));
      return gap == null ? 0 : gap.items(demand);
    }
    int items = demand.each() == 0 ? demand.items() : pieces(demand) / demand.each();
    return Math.min(
        items,
        Math.min(
            host(node.cpuMilli(), cpu, demand.cpuMilli()),
            host(node.memoryMiB(), memory, demand.memoryMiB())));
  }

  private static int host(long all, long used, long each) {
    return Gap.fits(all == 0 ? Gap.UNKNOWN : all - used, each);
  }

  private int pieces(Demand demand) {
    int pieces = 0;
    for (long left = usable; left != 0; left &= left - 1) {
      int gpu = Long.numberOfTrailingZeros(left);
      boolean otherwise = isTouchedOtherwise(gpu, demand.mode());
      pieces += otherwise ? 0 : (Units.PER_GPU - used[gpu]) / demand.pieceMilli();
    }
    return pieces;
  }

  private boolean isTouchedOtherwise(int gpu, Mode wanted) {
    for (Mode mode : MODES) {
      if (mode != wanted && touching[mode.ordinal()][gpu] > 0) {
        return true;
      }
    }
    return false;
  }

  /** Usable GPUs that something lies on at this instant. */
  int touched() {
    int touched = 0;
    for (long left = usable; left != 0; left &= left - 1) {
      touched += used[Long.numberOfTrailingZeros(left)] > 0 ? 1 : 0;
    }
    return touched;
  }
}
