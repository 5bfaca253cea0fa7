package io.leasehold.engine;

import java.util.BitSet;

/** What one node has free for a demand over a time. */
final class Gap {

  /** CPU or memory that nobody told us of is not checked. */
  static final long UNKNOWN = Long.MAX_VALUE;

  private final NodeTimeline at;
  private final Over over;
  private final long usable;
  private final Pieces pieces;
  private final long cpu;
  private final long memory;

  Gap(NodeTimeline at, Over over, long usable, Pieces pieces, long cpu, long memory) {
    this.at = at;
    this.over = over;
    this.usable = usable;
    this.pieces = pieces;
    this.cpu = cpu;
    this.memory = memory;
  }

  Pieces pieces() {
    return pieces;
  }

  /** How many items fit. */
  int items(Demand demand) {
    return Math.min(
        itemsOfGpus(demand),
        Math.min(fits(cpu, demand.cpuMilli()), fits(memory, demand.memoryMiB())));
  }

  /** How many items would fit if CPU and memory were plenty. */
  int itemsOfGpus(Demand demand) {
    return demand.each() == 0 ? demand.items() : pieces.count() / demand.each();
  }

  /** How often an amount fits into what is free. */
  static int fits(long free, long each) {
    return each == 0 || free == UNKNOWN
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, Math.max(0, free) / each);
  }

  /** What it costs to lay so many items here. */
  long cost(Score score, Demand demand, int items) {
    int taken = items * demand.each();
    Score.Free before = new Score.Free(freeMilli(), pieces.wholeFree(), cpu);
    return score.of(
        before,
        before.less(
            (long) taken * demand.pieceMilli(),
            pieces.wholeFreeAfter(taken),
            items * demand.cpuMilli()));
  }

  /** Free thousandths of GPUs, whatever the sharing mode. */
  private long freeMilli() {
    BitSet busy = at.units(over);
    long free = 0;
    for (long left = usable; left != 0; left &= left - 1) {
      int from = Long.numberOfTrailingZeros(left) * Units.PER_GPU;
      free += Units.PER_GPU - busy.get(from, from + Units.PER_GPU).cardinality();
    }
    return free;
  }

  /** Books a number of items as one slot. */
  Booking.Slot slot(Demand demand, int group, int items) {
    Pieces.Taken taken = pieces.take(items * demand.each());
    return new Booking.Slot(
        group,
        at.node().id(),
        demand.mode(),
        taken.units(),
        taken.instances(),
        items * demand.cpuMilli(),
        items * demand.memoryMiB());
  }
}
