package io.leasehold.web;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Time as it travels: instants in RFC 3339 with any offset in, {@code Z} and whole seconds out;
 * durations in ISO 8601 of days to seconds, a day being 24 hours.
 */
public final class WireTime {

  /** Nothing before is taken: a clock or a unit went wrong. */
  public static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  /** Nothing from here on is taken. */
  public static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private static final Pattern DURATION =
      Pattern.compile("P(?=.)(\\d{1,6}D)?(T(?=\\d)(\\d{1,7}H)?(\\d{1,9}M)?(\\d{1,10}S)?)?");
  private static final Pattern INSTANT =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})");

  private WireTime() {}

  /** Null if it is not an instant between {@link #EARLIEST} and {@link #LATEST}. */
  public static @Nullable Instant instant(String text) {
    if (!INSTANT.matcher(text).matches()) {
      return null;
    }
    try {
      Instant instant =
          OffsetDateTime.parse(text.toUpperCase(java.util.Locale.ROOT))
              .toInstant()
              .truncatedTo(ChronoUnit.SECONDS);
      return instant.isBefore(EARLIEST) || !instant.isBefore(LATEST) ? null : instant;
    } catch (DateTimeException notADate) {
      return null;
    }
  }

  /** Null if it is not a duration of days to seconds; never negative. */
  public static @Nullable Duration duration(String text) {
    if (!DURATION.matcher(text).matches()) {
      return null;
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeException | ArithmeticException notADuration) {
      return null;
    }
  }

  /** The instant of an engine's microseconds. */
  public static Instant ofMicros(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  public static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }
}
