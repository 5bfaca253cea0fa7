package io.leasehold.replay;

/** How much more the heap holds than at the begin, after a full collection each time. */
final class Heap {

  private final long begin = used();

  /** Bytes for each of so many; NaN if there are none. */
  double bytesForEach(int count) {
    return count == 0 ? Double.NaN : (double) Math.max(0, used() - begin) / count;
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
