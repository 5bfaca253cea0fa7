package io.leasehold.replay;

import java.util.List;

/**
 * What a pod of an openb list asks of one node.
 *
 * @param gpus whole GPUs, or 1 for a fraction, or 0
 * @param milli thousandths of each GPU: 1,000, or less for a fraction
 * @param models any of them; empty = any at all
 */
record Request(long cpuMilli, long memoryMiB, int gpus, int milli, List<String> models) {

  static final int WHOLE = 1000;

  Request {
    models = List.copyOf(models);
  }

  boolean isFraction() {
    return gpus == 1 && milli < WHOLE;
  }

  boolean isGang() {
    return gpus > 1;
  }

  /** Thousandths of GPUs in all. */
  int gpuMilli() {
    return gpus * milli;
  }
}
