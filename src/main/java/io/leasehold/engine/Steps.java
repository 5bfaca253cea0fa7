package io.leasehold.engine;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;

/**
 * A number over a span of time that stays the same from one step to the next: neighbours always
 * differ. Immutable.
 */
final class Steps {

  private final long[] from;
  private final long[] values;
  private final long end;

  private Steps(long[] from, long[] values, long end) {
    this.from = from;
    this.values = values;
    this.end = end;
  }

  static Steps constant(Span span, long value) {
    return new Steps(new long[] {span.start()}, new long[] {value}, span.end());
  }

  /** Takes steps in the order of time; a later one at the same instant replaces the earlier. */
  static final class Builder {
    private long[] from = new long[16];
    private long[] values = new long[16];
    private int size;

    void add(long instant, long value) {
      if (size > 0 && from[size - 1] == instant) {
        size--;
      }
      if (size > 0 && values[size - 1] == value) {
        return;
      }
      if (size == from.length) {
        from = Arrays.copyOf(from, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      from[size] = instant;
      values[size++] = value;
    }

    Steps until(long end) {
      return new Steps(Arrays.copyOf(from, size), Arrays.copyOf(values, size), end);
    }
  }

  int size() {
    return from.length;
  }

  long start(int step) {
    return from[step];
  }

  long end(int step) {
    return step + 1 < from.length ? from[step + 1] : end;
  }

  long value(int step) {
    return values[step];
  }

  /** The first instant, from one on, at which it is at least a number; FOREVER if never. */
  long firstAtLeast(long instant, long number) {
    int at = Arrays.binarySearch(from, instant);
    for (int i = Math.max(0, at < 0 ? -at - 2 : at); i < size(); i++) {
      if (values[i] >= number && end(i) > instant) {
        return Math.max(instant, from[i]);
      }
    }
    return Span.FOREVER;
  }

  /** Both over the same span, instant by instant. */
  Steps with(Steps other, LongBinaryOperator operator) {
    Builder both = new Builder();
    int i = 0;
    int j = 0;
    while (i < size() && j < other.size()) {
      both.add(Math.max(from[i], other.from[j]), operator.applyAsLong(values[i], other.values[j]));
      long next = Math.min(end(i), other.end(j));
      i += end(i) == next ? 1 : 0;
      j += other.end(j) == next ? 1 : 0;
    }
    return both.until(end);
  }

  /**
   * In slots of equal width, each with what all its instants come to: their least, or their most.
   * Slots lie at multiples of the width, so that two looks at the same time agree.
   */
  Steps inSlots(long width, LongBinaryOperator operator) {
    Builder slots = new Builder();
    long pending = Math.floorDiv(from[0], width);
    long value = values[0];
    for (int i = 0; i < size(); i++) {
      long first = Math.floorDiv(from[i], width);
      long last = Math.floorDiv(end(i) - 1, width);
      value = first == pending ? operator.applyAsLong(value, values[i]) : values[i];
      pending = first;
      if (last > first) {
        slots.add(Math.max(from[0], first * width), value);
        if (last > first + 1) {
          slots.add((first + 1) * width, values[i]);
        }
        pending = last;
        value = values[i];
      }
      if (i + 1 == size() || Math.floorDiv(from[i + 1], width) > pending) {
        slots.add(Math.max(from[0], pending * width), value);
      }
    }
    return slots.until(end);
  }

  /** In whole seconds, and in no more steps than that: else in slots just wide enough. */
  Steps inAtMost(int most, LongBinaryOperator operator) {
    long width = Time.SECOND;
    Steps slots = inSlots(width, operator);
    if (slots.size() > most) {
      width = Time.MINUTE * Math.ceilDiv(end - from[0], Time.MINUTE * (most - 1L));
      slots = inSlots(width, operator);
    }
    return slots;
  }
}
