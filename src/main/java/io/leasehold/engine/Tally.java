package io.leasehold.engine;

/**
 * What lies on a node at one instant, added up GPU by GPU: what comes or goes changes the sums of
 * its own GPUs only, however much else lies there.
 */
final class Tally {

  private final int[] milli;
  private final int[] shared;
  private final int[] otherwise;
  private long cpu;
  private long memory;

  Tally(int gpus) {
    milli = new int[gpus];
    shared = new int[gpus];
    otherwise = new int[gpus];
  }

  /**
   * @param times 1 where it comes, -1 where it goes
   */
  void add(Held one, int times) {
    Units units = one.slot().units();
    units.addTo(milli, times);
    int[] count = one.mode() == Mode.SHARED ? shared : otherwise;
    for (long left = one.gpus(); left != 0; left &= left - 1) {
      count[Long.numberOfTrailingZeros(left)] += times;
    }
    cpu += times * one.slot().cpuMilli();
    memory += times * one.slot().memoryMiB();
  }

  int milliOn(int gpu) {
    return milli[gpu];
  }

  long cpu() {
    return cpu;
  }

  long memory() {
    return memory;
  }

  /** GPUs that fractions lie on. */
  long shared() {
    return mask(shared);
  }

  /** GPUs that something else lies on. */
  long otherwise() {
    return mask(otherwise);
  }

  private static long mask(int[] counts) {
    long mask = 0;
    for (int i = 0; i < counts.length; i++) {
      mask |= counts[i] > 0 ? 1L << i : 0;
    }
    return mask;
  }
}
