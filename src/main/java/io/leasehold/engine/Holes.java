package io.leasehold.engine;

/**
 * What is left on the shared GPUs of a node, as a set of classes of a 64th of a GPU: enough to tell
 * which hole a fraction would go into, the smallest that takes it.
 */
final class Holes {

  static final int CLASSES = Long.SIZE;

  private Holes() {}

  /** The class of so much left, or of a fraction asked for: 1 to 999 thousandths. */
  static int classOf(int milli) {
    return milli * CLASSES / Units.PER_GPU;
  }

  static long with(long holes, int milli) {
    return holes | 1L << classOf(milli);
  }

  /**
   * About how much is free in the smallest hole that takes a fraction; a whole GPU if none does.
   */
  static int smallest(long holes, int milli) {
    int from = classOf(milli);
    long fit = holes >>> from << from;
    if (fit == 0) {
      return Units.PER_GPU;
    }
    int middle = (2 * Long.numberOfTrailingZeros(fit) + 1) * Units.PER_GPU / (2 * CLASSES);
    return Math.max(middle, milli);
  }
}
