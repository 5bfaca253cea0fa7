package io.leasehold.engine;

import java.util.List;

/** Whole GPUs, lowest index first. */
final class WholePieces implements Pieces {

  private long free;

  WholePieces(long free) {
    this.free = free;
  }

  @Override
  public int count() {
    return Long.bitCount(free);
  }

  @Override
  public int loose() {
    return count();
  }

  @Override
  public int wholeFree() {
    return count();
  }

  @Override
  public int wholeFreeAfter(int n) {
    return count() - n;
  }

  @Override
  public Taken take(int n) {
    long left = free;
    for (int i = 0; i < n; i++) {
      left &= left - 1;
    }
    Units units = Units.ofGpus(free & ~left);
    free = left;
    return new Taken(units, List.of());
  }
}
