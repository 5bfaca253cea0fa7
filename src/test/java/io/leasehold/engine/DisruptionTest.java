package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hours at which nobody ends for another, by the clock on the wall. */
class DisruptionTest {

  private static long at(String time) {
    return LocalDateTime.parse("2027-01-15T" + time).toEpochSecond(ZoneOffset.UTC) * Time.SECOND;
  }

  private static Disruption quiet(int from, int to, String zone) {
    return new Disruption(1, Time.HOUR, List.of(new Disruption.Quiet(60 * from, 60 * to, zone)));
  }

  @ParameterizedTest
  @CsvSource({
    "9,  17, UTC,           08:59:59, false",
    "9,  17, UTC,           09:00:00, true",
    "9,  17, UTC,           16:59:59, true",
    "9,  17, UTC,           17:00:00, false",
    "22, 6,  UTC,           21:59:59, false",
    "22, 6,  UTC,           22:00:00, true",
    "22, 6,  UTC,           00:00:00, true",
    "22, 6,  UTC,           05:59:59, true",
    "22, 6,  UTC,           06:00:00, false",
    "8,  8,  UTC,           07:59:00, true",
    "8,  8,  UTC,           08:00:00, true",
    "9,  17, Europe/Berlin, 08:00:00, true",
    "9,  17, Europe/Berlin, 16:00:00, false",
  })
  void isQuietFromTheFirstMinuteToTheLast(
      int from, int to, String zone, String time, boolean isQuiet) {
    assertThat(quiet(from, to, zone).isQuiet(at(time))).isEqualTo(isQuiet);
  }

  @ParameterizedTest
  @CsvSource({
    "9,  17, UTC,           16:59:59, 0",
    "9,  17, UTC,           17:00:00, 1",
    "22, 17, Europe/Berlin, 15:59:59, 0",
  })
  void isOverAtTheNextSuchHour(int from, int to, String zone, String time, int daysLater) {
    long end = at(zone.equals("UTC") ? "17:00:00" : "16:00:00") + daysLater * Time.DAY;
    assertThat(quiet(from, to, zone).nextQuietEnd(at(time))).isEqualTo(end);
  }
}
