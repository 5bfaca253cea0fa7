package io.leasehold.engine;

/**
 * A half-open span of time {@code [start, end)} in microseconds since the epoch; never empty.
 *
 * @param end exclusive; {@link #FOREVER} for an open end
 */
public record Span(long start, long end) {

  public static final long FOREVER = Long.MAX_VALUE;

  public Span {
    if (start >= end) {
      throw new IllegalArgumentException("span [" + start + ", " + end + ") is empty");
    }
  }

  public boolean overlaps(Span other) {
    return start < other.end && other.start < end;
  }

  public boolean contains(long instant) {
    return start <= instant && instant < end;
  }
}
