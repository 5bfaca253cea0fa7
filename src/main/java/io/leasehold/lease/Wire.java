package io.leasehold.lease;

import io.leasehold.engine.Span;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Time and ids as they travel: RFC 3339 in whole seconds, ISO 8601 durations of days to seconds; in
 * the engine both are microseconds.
 */
final class Wire {

  static final long SECOND = 1_000_000L;

  private static final Pattern DURATION =
      Pattern.compile("P(?=.)(\\d{1,9}D)?(T(?=\\d)(\\d{1,9}H)?(\\d{1,9}M)?(\\d{1,12}S)?)?");
  private static final Pattern INSTANT =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})");
  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

  private Wire() {}

  /** Microseconds of an instant with any offset, its fraction of a second cut; empty if malformed. */
  static Optional<Long> instant(String text) {
    if (!INSTANT.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text.toUpperCase()).toEpochSecond() * SECOND);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Absent stays absent, and an open end is absent too. */
  static @Nullable Instant instant(@Nullable Long micros) {
    return micros == null || micros == Span.FOREVER ? null : instant(micros.longValue());
  }

  /** Microseconds of a duration of days to seconds; empty if malformed or beyond 1,000 years. */
  static Optional<Long> duration(String text) {
    if (!DURATION.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      Duration duration = Duration.parse(text);
      return duration.toDays() > 366_000
          ? Optional.empty()
          : Optional.of(duration.toSeconds() * SECOND);
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  static String duration(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static Optional<UUID> id(String text) {
    return ID.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
  }

  /** An id that a client chose: version 4 or 7. */
  static Optional<UUID> chosenId(String text) {
    return id(text).filter(id -> id.version() == 4 || id.version() == 7);
  }
}
