package io.leasehold.lease;

import io.leasehold.engine.Span;
import io.leasehold.web.WireTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Time and ids between the wire and the engine, which counts both kinds of time in microseconds.
 */
final class Wire {

  static final long SECOND = 1_000_000L;

  private static final Pattern ID =
      Pattern.compile(
          "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

  private Wire() {}

  /**
   * Microseconds of an instant with any offset, its fraction of a second cut; empty if malformed.
   */
  static Optional<Long> instant(String text) {
    return Optional.ofNullable(WireTime.instant(text)).map(WireTime::micros);
  }

  static Instant instant(long micros) {
    return WireTime.ofMicros(micros).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Absent stays absent, and an open end is absent too. */
  static @Nullable Instant instant(@Nullable Long micros) {
    return micros == null || micros == Span.FOREVER ? null : instant(micros.longValue());
  }

  /** Microseconds of a duration of days to seconds; empty if malformed or beyond 1,000 years. */
  static Optional<Long> duration(String text) {
    return Optional.ofNullable(WireTime.duration(text))
        .filter(duration -> duration.toDays() <= 366_000)
        .map(duration -> duration.toSeconds() * SECOND);
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
