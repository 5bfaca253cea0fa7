package io.leasehold.engine;

import java.util.function.IntToLongFunction;

/**
 * A number for each of some places in a row: finds the highest of a run of places, and the first
 * that reaches a number, in logarithmic time.
 */
final class Highest {

  /** Of a place that is not to be found. */
  static final long NONE = Long.MIN_VALUE;

  private final int leaves;
  private final long[] most;

  Highest(int places, IntToLongFunction numbers) {
    this.leaves = Integer.highestOneBit(Math.max(1, 2 * places - 1));
    this.most = new long[2 * leaves];
    for (int place = 0; place < leaves; place++) {
      most[leaves + place] = place < places ? numbers.applyAsLong(place) : NONE;
    }
    for (int at = leaves - 1; at > 0; at--) {
      most[at] = Math.max(most[2 * at], most[2 * at + 1]);
    }
  }

  void set(int place, long number) {
    int at = leaves + place;
    most[at] = number;
    for (at >>= 1; at > 0; at >>= 1) {
      most[at] = Math.max(most[2 * at], most[2 * at + 1]);
    }
  }

  /** The highest number from one place on and before another. */
  long of(int from, int to) {
    long highest = NONE;
    int left = leaves + from;
    int right = leaves + to;
    for (; left < right; left >>= 1, right >>= 1) {
      if ((left & 1) == 1) {
        highest = Math.max(highest, most[left++]);
      }
      if ((right & 1) == 1) {
        highest = Math.max(highest, most[--right]);
      }
    }
    return highest;
  }

  /** The first place, from one on and before another, that has at least so much; -1 if none has. */
  int first(int from, int to, long least) {
    return first(1, 0, leaves, from, to, least);
  }

  private int first(int at, int start, int count, int from, int to, long least) {
    if (start >= to || start + count <= from || most[at] < least) {
      return -1;
    }
    if (count == 1) {
      return start;
    }
    int half = count / 2;
    int left = first(2 * at, start, half, from, to, least);
    return left >= 0 ? left : first(2 * at + 1, start + half, half, from, to, least);
  }
}
