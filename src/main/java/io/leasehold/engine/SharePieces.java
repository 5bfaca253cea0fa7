package io.leasehold.engine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Fractions of shared GPUs. Each lies on one GPU, on units that stay the same over the whole hold,
 * so what is free is 1,000 less the union of all that is held at any instant of it (engine rule
 * 12). The fullest GPU with room is used first.
 */
final class SharePieces implements Pieces {

  private final int milli;
  private final BitSet busy;
  private final int loose;
  private long shared;
  private long untouched;

  /**
   * @param busy units held at some instant; changed by {@link #take}
   * @param shared GPUs that only fractions lie on
   * @param untouched GPUs that nothing lies on
   * @param otherwise usable GPUs in another sharing mode
   */
  SharePieces(int milli, BitSet busy, long shared, long untouched, long otherwise) {
    this.milli = milli;
    this.busy = busy;
    this.shared = shared;
    this.untouched = untouched;
    this.loose = countOn(otherwise) + count();
  }

  @Override
  public int count() {
    return countOn(shared) + Long.bitCount(untouched) * (Units.PER_GPU / milli);
  }

  private int countOn(long gpus) {
    int sum = 0;
    for (long left = gpus; left != 0; left &= left - 1) {
      sum += freeOn(Long.numberOfTrailingZeros(left)) / milli;
    }
    return sum;
  }

  private int freeOn(int gpu) {
    return free(busy, gpu);
  }

  /** Thousandths of a GPU that are not among the busy units. */
  static int free(BitSet busy, int gpu) {
    int free = Units.PER_GPU;
    int end = (gpu + 1) * Units.PER_GPU;
    int from = busy.nextSetBit(gpu * Units.PER_GPU);
    while (from >= 0 && from < end) {
      int to = Math.min(end, busy.nextClearBit(from));
      free -= to - from;
      from = busy.nextSetBit(to);
    }
    return free;
  }

  @Override
  public int loose() {
    return loose;
  }

  @Override
  public int wholeFree() {
    return Long.bitCount(untouched);
  }

  @Override
  public int wholeFreeAfter(int n) {
    int more = Math.max(0, n - countOn(shared));
    return wholeFree() - Math.ceilDiv(more, Units.PER_GPU / milli);
  }

  @Override
  public Taken take(int n) {
    List<int[]> taken = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      takeOn(fullestWithRoom(), taken);
    }
    int[] pairs = new int[2 * taken.size()];
    for (int i = 0; i < taken.size(); i++) {
      pairs[2 * i] = taken.get(i)[0];
      pairs[2 * i + 1] = taken.get(i)[1];
    }
    return new Taken(Units.of(pairs), List.of());
  }

  private int fullestWithRoom() {
    int best = -1;
    int least = Integer.MAX_VALUE;
    for (long left = shared; left != 0; left &= left - 1) {
      int gpu = Long.numberOfTrailingZeros(left);
      int free = freeOn(gpu);
      if (free >= milli && free < least) {
        least = free;
        best = gpu;
      }
    }
    if (best < 0) {
      long lowest = Long.lowestOneBit(untouched);
      untouched ^= lowest;
      shared |= lowest;
      best = Long.numberOfTrailingZeros(lowest);
    }
    return best;
  }

  private void takeOn(int gpu, List<int[]> taken) {
    int missing = milli;
    int from = busy.nextClearBit(gpu * Units.PER_GPU);
    while (missing > 0) {
      int to = busy.nextSetBit(from);
      to = to < 0 ? from + missing : Math.min(to, from + missing);
      busy.set(from, to);
      taken.add(new int[] {from, to});
      missing -= to - from;
      from = busy.nextClearBit(to);
    }
  }
}
