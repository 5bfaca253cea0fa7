package io.leasehold.engine;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;

/**
 * How often leases of a class may be preempted, and when not. Where this leaves nobody to take
 * from, nobody is preempted.
 *
 * @param most leases of one tenant within any such time; at most {@link #MOST}
 * @param within microseconds
 * @param quiet hours at which none of them ends for another
 */
public record Disruption(int most, long within, List<Quiet> quiet) {

  public static final int MOST = 1_000;

  /** No rate. */
  public static final int ANY = Integer.MAX_VALUE;

  public Disruption {
    quiet = List.copyOf(quiet);
  }

  /**
   * Hours of each day, by the clock on the wall.
   *
   * @param fromMinute of the day, inclusive
   * @param toMinute exclusive; not after {@code fromMinute} = past midnight
   * @param zone an IANA zone
   */
  public record Quiet(int fromMinute, int toMinute, String zone) {

    boolean contains(long instant) {
      int minute = local(instant).toLocalTime().toSecondOfDay() / 60;
      return fromMinute < toMinute
          ? fromMinute <= minute && minute < toMinute
          : fromMinute <= minute || minute < toMinute;
    }

    /** When they are over next. */
    long nextEnd(long after) {
      ZonedDateTime day = local(after);
      LocalTime end = LocalTime.ofSecondOfDay(60L * toMinute);
      for (int days = 0; ; days++) {
        ZonedDateTime at = day.toLocalDate().plusDays(days).atTime(end).atZone(day.getZone());
        long instant = at.toEpochSecond() * Time.SECOND;
        if (instant > after) {
          return instant;
        }
      }
    }

    private ZonedDateTime local(long instant) {
      return Instant.ofEpochSecond(Math.floorDiv(instant, Time.SECOND)).atZone(ZoneId.of(zone));
    }
  }

  boolean isQuiet(long instant) {
    return quiet.stream().anyMatch(each -> each.contains(instant));
  }

  /** When some of its quiet hours are over next; for ever if there are none. */
  long nextQuietEnd(long after) {
    return quiet.stream().mapToLong(each -> each.nextEnd(after)).min().orElse(Span.FOREVER);
  }
}
