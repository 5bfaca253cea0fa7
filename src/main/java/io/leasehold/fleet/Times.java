package io.leasehold.fleet;

import io.leasehold.engine.Span;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.leasehold.web.WireTime;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Between the engine's microseconds and the database's instants, where one may be for ever. */
public final class Times {

  private Times() {}

  /** {@code infinity} is {@link Span#FOREVER}. */
  public static long micros(OffsetDateTime time) {
    return time.equals(OffsetDateTime.MAX) ? Span.FOREVER : WireTime.micros(time.toInstant());
  }

  /** For ever is no instant at all. */
  public static @Nullable Instant instant(long micros) {
    return micros == Span.FOREVER ? null : WireTime.ofMicros(micros);
  }

  /** As PostgreSQL reads a {@code timestamptz}. */
  public static String text(long micros) {
    return micros == Span.FOREVER ? "infinity" : WireTime.ofMicros(micros).toString();
  }

  public static OffsetDateTime time(long micros) {
    return WireTime.ofMicros(micros).atOffset(ZoneOffset.UTC);
  }

  /** Of a page token that somebody may have made up. */
  public static UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException madeUp) {
      throw Problem.invalid(
          Fault.in("pageToken", "unusable-token", "The pageToken is not of this list."));
    }
  }
}
