package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The times of a series, compared with what a calendar on the wall says. */
class RecurrenceTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId LOS_ANGELES = ZoneId.of("America/Los_Angeles");
  private static final int MOST = 10_000;

  private static List<Instant> times(String rule, ZoneId zone, String first, String until)
      throws Recurrence.Unusable {
    Instant start = LocalDateTime.parse(first).atZone(zone).toInstant();
    return Recurrence.of(rule, zone, start, Set.of()).between(start, Instant.parse(until), MOST);
  }

  private static Stream<LocalDateTime> local(List<Instant> times, ZoneId zone) {
    return times.stream().map(each -> LocalDateTime.ofInstant(each, zone));
  }

  @Test
  void l8KeepsItsLocalTimeAfterTheClocksChange() throws Recurrence.Unusable {
    List<Instant> times =
        times("FREQ=WEEKLY;BYDAY=MO", BERLIN, "2027-03-08T09:00", "2027-04-06T00:00:00Z");
    assertThat(times)
        .containsExactly(
            Instant.parse("2027-03-08T08:00:00Z"),
            Instant.parse("2027-03-15T08:00:00Z"),
            Instant.parse("2027-03-22T08:00:00Z"),
            Instant.parse("2027-03-29T07:00:00Z"),
            Instant.parse("2027-04-05T07:00:00Z"));
  }

  @Test
  void l9IsAtThreeInTheAfternoonAllTheYear() throws Recurrence.Unusable {
    List<Instant> times =
        times("FREQ=DAILY", LOS_ANGELES, "2027-01-10T15:00", "2028-01-10T00:00:00Z");
    assertThat(times).hasSize(365);
    assertThat(local(times, LOS_ANGELES))
        .allSatisfy(each -> assertThat(each.toLocalTime()).isEqualTo(LocalTime.of(15, 0)));
    assertThat(times)
        .contains(
            Instant.parse("2027-03-13T23:00:00Z"),
            Instant.parse("2027-03-14T22:00:00Z"),
            Instant.parse("2027-11-06T22:00:00Z"),
            Instant.parse("2027-11-07T23:00:00Z"));
  }

  @Test
  void aTimeThatIsSkippedComesLaterAndOneThatComesTwiceMeansTheFirst() throws Recurrence.Unusable {
    assertThat(times("FREQ=DAILY;COUNT=3", BERLIN, "2027-03-27T02:30", "2028-01-01T00:00:00Z"))
        .containsExactly(
            Instant.parse("2027-03-27T01:30:00Z"),
            Instant.parse("2027-03-28T01:30:00Z"),
            Instant.parse("2027-03-29T00:30:00Z"));
    assertThat(times("FREQ=DAILY;COUNT=3", BERLIN, "2027-10-30T02:30", "2028-01-01T00:00:00Z"))
        .containsExactly(
            Instant.parse("2027-10-30T00:30:00Z"),
            Instant.parse("2027-10-31T00:30:00Z"),
            Instant.parse("2027-11-01T01:30:00Z"));
  }

  @Test
  void e24TheLeapDayIsTheLastOfFebruaryInOtherYears() throws Recurrence.Unusable {
    assertThat(
            local(
                times("FREQ=YEARLY;COUNT=5", BERLIN, "2028-02-29T09:00", "2040-01-01T00:00:00Z"),
                BERLIN))
        .extracting(LocalDateTime::toLocalDate)
        .containsExactly(
            LocalDate.of(2028, 2, 29),
            LocalDate.of(2029, 2, 28),
            LocalDate.of(2030, 2, 28),
            LocalDate.of(2031, 2, 28),
            LocalDate.of(2032, 2, 29));
    assertThat(
            local(
                times("FREQ=MONTHLY;COUNT=3", BERLIN, "2028-01-31T09:00", "2040-01-01T00:00:00Z"),
                BERLIN))
        .extracting(LocalDateTime::toLocalDate)
        .containsExactly(
            LocalDate.of(2028, 1, 31), LocalDate.of(2028, 2, 29), LocalDate.of(2028, 3, 31));
  }

  @Test
  void anUntilIsReachedAndNotPassed() throws Recurrence.Unusable {
    String until = "2030-01-01T00:00:00Z";
    assertThat(times("FREQ=DAILY;UNTIL=20270310T080000Z", BERLIN, "2027-03-08T09:00", until))
        .hasSize(3);
    assertThat(times("FREQ=DAILY;UNTIL=20270310T085959", BERLIN, "2027-03-08T09:00", until))
        .hasSize(2);
    assertThat(times("FREQ=DAILY;UNTIL=20270310", BERLIN, "2027-03-08T09:00", until)).hasSize(3);
  }

  @Test
  void leavesOutWhatIsExceptedAndKnowsStrangers() throws Recurrence.Unusable {
    Instant start = LocalDateTime.parse("2027-03-27T09:00").atZone(BERLIN).toInstant();
    Instant second = LocalDateTime.parse("2027-03-28T09:00").atZone(BERLIN).toInstant();
    Instant until = start.plus(Duration.ofDays(30));
    Recurrence series =
        Recurrence.of("FREQ=DAILY;COUNT=3", BERLIN, start, Set.of(second, start.plusSeconds(1)));
    assertThat(series.between(start, until, MOST)).hasSize(2).doesNotContain(second);
    assertThat(series.strangers(until)).containsExactly(start.plusSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FREQ=HOURLY",
        "FREQ=DAILY;INTERVAL=0",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=YEARLY;BYSETPOS=300;BYDAY=MO",
        "FREQ=WEEKLY;BYDAY=TU",
        "every monday",
        "",
      })
  void saysWhatIsWrongWithARule(String rule) {
    Instant monday = Instant.parse("2027-03-08T08:00:00Z");
    assertThatThrownBy(() -> Recurrence.of(rule, BERLIN, monday, Set.of()))
        .isInstanceOf(Recurrence.Unusable.class)
        .hasMessageMatching("(?s).+");
  }

  /** Zones with changes at other hours, of half an hour, and of a whole day. */
  @Test
  void agreesWithACalendarWalkedDayByDay() throws Recurrence.Unusable {
    List<ZoneId> zones =
        List.of(
            BERLIN,
            LOS_ANGELES,
            ZoneId.of("Australia/Lord_Howe"),
            ZoneId.of("America/Sao_Paulo"),
            ZoneId.of("Asia/Kolkata"),
            ZoneId.of("Pacific/Apia"),
            ZoneId.of("Africa/Casablanca"));
    for (long seed = 1; seed <= 400; seed++) {
      Random random = new Random(seed);
      ZoneId zone = zones.get(random.nextInt(zones.size()));
      ZonedDateTime first =
          LocalDate.of(2009 + random.nextInt(20), 1, 1)
              .plusDays(random.nextInt(365))
              .atTime(random.nextInt(24), random.nextInt(4) * 15)
              .atZone(zone);
      int interval = 1 + random.nextInt(3);
      boolean weekly = random.nextBoolean();
      String rule =
          weekly
              ? "FREQ=WEEKLY;INTERVAL=%d;BYDAY=%s"
                  .formatted(interval, first.getDayOfWeek().name().substring(0, 2))
              : "FREQ=DAILY;INTERVAL=%d".formatted(interval);
      Instant until = first.toInstant().plus(Duration.ofDays(400));
      List<Instant> expected = new ArrayList<>();
      for (LocalDateTime at = first.toLocalDateTime();
          at.atZone(zone).toInstant().isBefore(until);
          at = at.plusDays(weekly ? 7L * interval : interval)) {
        Instant time = ZonedDateTime.ofLocal(at, zone, null).toInstant();
        if (expected.isEmpty() || time.isAfter(expected.getLast())) {
          expected.add(time);
        }
      }
      assertThat(
              Recurrence.of(rule, zone, first.toInstant(), Set.of())
                  .between(first.toInstant(), until, MOST))
          .as("seed %d: %s from %s", seed, rule, first)
          .isEqualTo(expected);
    }
  }

  @Test
  void namesTheLastFridayOfAMonth() throws Recurrence.Unusable {
    List<Instant> times =
        times("FREQ=MONTHLY;BYDAY=-1FR", BERLIN, "2027-01-29T18:00", "2028-01-01T00:00:00Z");
    assertThat(local(times, BERLIN))
        .hasSize(12)
        .allSatisfy(
            each ->
                assertThat(each.toLocalDate())
                    .isEqualTo(
                        each.toLocalDate().with(TemporalAdjusters.lastInMonth(DayOfWeek.FRIDAY))));
  }
}
