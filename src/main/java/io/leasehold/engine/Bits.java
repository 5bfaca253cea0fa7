package io.leasehold.engine;

/**
 * A set of small numbers in levels of 64-bit words, each bit of a level saying whether a word of
 * the level below has any. Adding, removing and finding the next one cost a step for each level
 * (three up to 262,144).
 */
final class Bits {

  private final long[][] levels;

  Bits(int size) {
    int depth = 1;
    for (int n = Math.ceilDiv(Math.max(1, size), 64); n > 1; n = Math.ceilDiv(n, 64)) {
      depth++;
    }
    levels = new long[depth][];
    int n = Math.max(1, size);
    for (int level = 0; level < depth; level++) {
      n = Math.ceilDiv(n, 64);
      levels[level] = new long[n];
    }
  }

  void add(int number) {
    int index = number;
    for (long[] words : levels) {
      words[index >> 6] |= 1L << index;
      index >>= 6;
    }
  }

  void remove(int number) {
    int index = number;
    for (long[] words : levels) {
      words[index >> 6] &= ~(1L << index);
      if (words[index >> 6] != 0) {
        return;
      }
      index >>= 6;
    }
  }

  boolean isEmpty() {
    return levels[levels.length - 1][0] == 0;
  }

  /** The smallest member that is not below {@code from}; -1 if there is none. */
  int next(int from) {
    int index = from;
    for (int level = 0; level < levels.length; level++) {
      int word = index >> 6;
      if (word >= levels[level].length) {
        return -1;
      }
      long rest = levels[level][word] & (-1L << index);
      if (rest != 0) {
        return down(level, (word << 6) + Long.numberOfTrailingZeros(rest));
      }
      index = word + 1;
    }
    return -1;
  }

  private int down(int level, int index) {
    int found = index;
    for (int below = level - 1; below >= 0; below--) {
      found = (found << 6) + Long.numberOfTrailingZeros(levels[below][found]);
    }
    return found;
  }
}
