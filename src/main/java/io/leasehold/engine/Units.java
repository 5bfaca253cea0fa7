package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A set of units of one node. GPU {@code k} is {@code [1000k, 1000(k+1))}, so whole GPUs, MIG
 * intervals and fractions are all sets of units. Immutable; intervals are sorted, apart and not
 * empty.
 */
public final class Units {

  public static final int PER_GPU = 1000;
  public static final Units NONE = new Units(new int[0]);

  /** Pairs of start (inclusive) and end (exclusive). */
  private final int[] bounds;

  private Units(int[] bounds) {
    this.bounds = bounds;
  }

  /** The whole GPUs of a mask: bit {@code k} set = GPU {@code k}. */
  public static Units ofGpus(long mask) {
    int[] bounds = new int[2 * Long.bitCount(mask)];
    int n = 0;
    for (int k = 0; k < Long.SIZE; k++) {
      if ((mask >>> k & 1) == 1) {
        int start = k * PER_GPU;
        if (n > 0 && bounds[n - 1] == start) {
          bounds[n - 1] = start + PER_GPU;
        } else {
          bounds[n++] = start;
          bounds[n++] = start + PER_GPU;
        }
      }
    }
    return new Units(Arrays.copyOf(bounds, n));
  }

  /** One interval {@code [start, end)}. */
  public static Units of(int start, int end) {
    return of(new int[] {start, end});
  }

  /** Pairs of start and end in any order; touching ones are joined, overlapping ones refused. */
  public static Units of(int... pairs) {
    List<int[]> intervals = new ArrayList<>(pairs.length / 2);
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i] >= pairs[i + 1] || pairs[i] < 0) {
        throw new IllegalArgumentException("units [" + pairs[i] + ", " + pairs[i + 1] + ")");
      }
      intervals.add(new int[] {pairs[i], pairs[i + 1]});
    }
    intervals.sort((a, b) -> Integer.compare(a[0], b[0]));
    int[] bounds = new int[pairs.length];
    int n = 0;
    for (int[] interval : intervals) {
      if (n > 0 && bounds[n - 1] > interval[0]) {
        throw new IllegalArgumentException("units overlap at " + interval[0]);
      }
      if (n > 0 && bounds[n - 1] == interval[0]) {
        bounds[n - 1] = interval[1];
      } else {
        bounds[n++] = interval[0];
        bounds[n++] = interval[1];
      }
    }
    return new Units(Arrays.copyOf(bounds, n));
  }

  /** Pairs of start and end, sorted; a copy. */
  public int[] bounds() {
    return bounds.clone();
  }

  /** The lowest unit; -1 where there is none. */
  int first() {
    return bounds.length == 0 ? -1 : bounds[0];
  }

  public boolean isEmpty() {
    return bounds.length == 0;
  }

  /** How many units there are: 1,000 for each whole GPU. */
  public int size() {
    int size = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      size += bounds[i + 1] - bounds[i];
    }
    return size;
  }

  /** The GPUs touched: bit {@code k} set = GPU {@code k}. */
  public long gpus() {
    long mask = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      for (int k = bounds[i] / PER_GPU; k <= (bounds[i + 1] - 1) / PER_GPU; k++) {
        mask |= 1L << k;
      }
    }
    return mask;
  }

  /** Adds the units of each GPU to its sum. */
  void addTo(int[] perGpu) {
    addTo(perGpu, 1);
  }

  /** Adds the units of each GPU to its sum so many times; -1 takes them away. */
  void addTo(int[] perGpu, int times) {
    for (int i = 0; i < bounds.length; i += 2) {
      int from = bounds[i];
      while (from < bounds[i + 1]) {
        int gpu = from / PER_GPU;
        int to = Math.min(bounds[i + 1], (gpu + 1) * PER_GPU);
        perGpu[gpu] += times * (to - from);
        from = to;
      }
    }
  }

  /** Those of one GPU. */
  Units on(int gpu) {
    int[] pairs = new int[bounds.length];
    int n = 0;
    for (int i = 0; i < bounds.length; i += 2) {
      int start = Math.max(bounds[i], gpu * PER_GPU);
      int end = Math.min(bounds[i + 1], (gpu + 1) * PER_GPU);
      if (start < end) {
        pairs[n++] = start;
        pairs[n++] = end;
      }
    }
    return new Units(Arrays.copyOf(pairs, n));
  }

  /** In parts of one size, from the lowest unit upwards; the last may be smaller. */
  List<Units> cut(int size) {
    List<Units> parts = new ArrayList<>();
    List<Integer> pairs = new ArrayList<>();
    int room = size;
    for (int i = 0; i < bounds.length; i += 2) {
      for (int from = bounds[i]; from < bounds[i + 1]; ) {
        int to = Math.min(bounds[i + 1], from + room);
        pairs.add(from);
        pairs.add(to);
        room -= to - from;
        from = to;
        if (room == 0) {
          parts.add(of(pairs.stream().mapToInt(each -> each).toArray()));
          pairs.clear();
          room = size;
        }
      }
    }
    if (!pairs.isEmpty()) {
      parts.add(of(pairs.stream().mapToInt(each -> each).toArray()));
    }
    return parts;
  }

  /** These and others, which are apart from them. */
  Units and(Units others) {
    int[] pairs = Arrays.copyOf(bounds, bounds.length + others.bounds.length);
    System.arraycopy(others.bounds, 0, pairs, bounds.length, others.bounds.length);
    return of(pairs);
  }

  /** Sets the bits of these units. */
  void mark(java.util.BitSet units) {
    for (int i = 0; i < bounds.length; i += 2) {
      units.set(bounds[i], bounds[i + 1]);
    }
  }

  public boolean overlaps(Units other) {
    int i = 0;
    int j = 0;
    while (i < bounds.length && j < other.bounds.length) {
      if (bounds[i + 1] <= other.bounds[j]) {
        i += 2;
      } else if (other.bounds[j + 1] <= bounds[i]) {
        j += 2;
      } else {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Units units && Arrays.equals(bounds, units.bounds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bounds);
  }

  /** As PostgreSQL writes an {@code int4multirange}: <code>{[0,1000),[2000,2125)}</code>. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < bounds.length; i += 2) {
      if (i > 0) {
        text.append(',');
      }
      text.append('[').append(bounds[i]).append(',').append(bounds[i + 1]).append(')');
    }
    return text.append('}').toString();
  }
}
