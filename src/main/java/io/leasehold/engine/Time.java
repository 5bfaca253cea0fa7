package io.leasehold.engine;

/** Sums and rounding of instants in microseconds; {@link Span#FOREVER} stays for ever. */
final class Time {

  static final long SECOND = 1_000_000L;
  static final long MINUTE = 60 * SECOND;
  static final long HOUR = 60 * MINUTE;
  static final long DAY = 24 * HOUR;

  private Time() {}

  static long plus(long instant, long length) {
    return instant == Span.FOREVER || length == Span.FOREVER || instant > Span.FOREVER - length
        ? Span.FOREVER
        : instant + length;
  }

  /** Planned starts, earmarks and alternatives lie on whole seconds. */
  static long roundUp(long instant) {
    long rest = Math.floorMod(instant, SECOND);
    return rest == 0 ? instant : plus(instant, SECOND - rest);
  }
}
