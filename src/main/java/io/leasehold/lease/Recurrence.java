package io.leasehold.lease;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.dmfs.rfc5545.DateTime;
import org.dmfs.rfc5545.recur.Freq;
import org.dmfs.rfc5545.recur.InvalidRecurrenceRuleException;
import org.dmfs.rfc5545.recur.RecurrenceRule;
import org.dmfs.rfc5545.recur.RecurrenceRule.Part;
import org.dmfs.rfc5545.recur.RecurrenceRuleIterator;

/**
 * The times of a series: a rule of RFC 5545 in the local time of a zone, which it keeps over clock
 * changes. A local time that a clock change skips comes as much later as was skipped; one that
 * comes twice means the first. A day that a month lacks (29 February, the 31st) means its last day,
 * unless the rule itself names days.
 */
final class Recurrence {

  static final int LONGEST_RULE = 512;
  private static final Set<Freq> FREQUENCIES =
      Set.of(Freq.DAILY, Freq.WEEKLY, Freq.MONTHLY, Freq.YEARLY);

  private final RecurrenceRule rule;
  private final LocalDateTime first;
  private final ZoneId zone;
  private final Instant until;
  private final Set<Instant> except;

  private Recurrence(
      RecurrenceRule rule, LocalDateTime first, ZoneId zone, Instant until, Set<Instant> except) {
    this.rule = rule;
    this.first = first;
    this.zone = zone;
    this.until = until;
    this.except = except;
  }

  /** What is wrong with a rule, in words. */
  static final class Unusable extends Exception {
    Unusable(String why) {
      super(why, null, false, false);
    }
  }

  /**
   * @param start the first time of the series
   */
  static Recurrence of(String text, ZoneId zone, Instant start, Set<Instant> except)
      throws Unusable {
    RecurrenceRule rule = rule(text);
    Instant until = Instant.MAX;
    if (rule.getUntil() != null) {
      until = until(rule.getUntil(), zone);
      rule.setUntil(null);
    }
    LocalDateTime first = LocalDateTime.ofInstant(start, zone);
    Recurrence series = new Recurrence(rule, first, zone, until, except);
    if (!series.local(first.plusYears(1), 1).equals(List.of(first))) {
      throw new Unusable("startTime, " + first + " in " + zone + ", is not a time of the rule");
    }
    return series;
  }

  private static RecurrenceRule rule(String text) throws Unusable {
    try {
      RecurrenceRule rule = new RecurrenceRule(text, RecurrenceRule.RfcMode.RFC5545_STRICT);
      if (!FREQUENCIES.contains(rule.getFreq())) {
        throw new Unusable("FREQ is one of DAILY, WEEKLY, MONTHLY, YEARLY");
      }
      boolean takesDayOfStart =
          (rule.getFreq() == Freq.MONTHLY || rule.getFreq() == Freq.YEARLY)
              && !namesDays(rule)
              && !rule.hasPart(Part.RSCALE);
      return takesDayOfStart
          ? new RecurrenceRule(
              text + ";RSCALE=GREGORIAN;SKIP=BACKWARD", RecurrenceRule.RfcMode.RFC5545_STRICT)
          : rule;
    } catch (InvalidRecurrenceRuleException e) {
      throw new Unusable(String.valueOf(e.getMessage()));
    }
  }

  /** No constant holds the parts: the library can load them only after the rule's class. */
  private static boolean namesDays(RecurrenceRule rule) {
    return rule.hasPart(Part.BYDAY)
        || rule.hasPart(Part.BYMONTHDAY)
        || rule.hasPart(Part.BYYEARDAY)
        || rule.hasPart(Part.BYWEEKNO)
        || rule.hasPart(Part.BYSETPOS);
  }

  /** A date alone means the whole of that day. */
  private static Instant until(DateTime last, ZoneId zone) {
    if (last.isAllDay()) {
      return local(last).toLocalDate().plusDays(1).atStartOfDay(zone).toInstant().minusMillis(1);
    }
    return last.isFloating()
        ? local(last).atZone(zone).toInstant()
        : local(last).toInstant(ZoneOffset.UTC);
  }

  /** The times that start in {@code [from, to)}, up to so many; the excepted ones are left out. */
  List<Instant> between(Instant from, Instant to, int most) {
    List<Instant> times = new ArrayList<>();
    LocalDateTime last = LocalDateTime.ofInstant(to, zone).plusDays(1);
    for (LocalDateTime local : local(last, Integer.MAX_VALUE)) {
      Instant time = ZonedDateTime.ofLocal(local, zone, null).toInstant();
      if (!time.isBefore(from)
          && time.isBefore(to)
          && !time.isAfter(until)
          && !except.contains(time)
          && (times.isEmpty() || time.isAfter(times.getLast()))
          && times.size() < most) {
        times.add(time);
      }
    }
    return times;
  }

  /** Excepted times that are no times of the series before an instant. */
  List<Instant> strangers(Instant to) {
    List<Instant> all =
        new Recurrence(rule, first, zone, until, Set.of())
            .between(Instant.MIN.plusSeconds(1), to, Integer.MAX_VALUE);
    return except.stream().filter(each -> each.isBefore(to) && !all.contains(each)).toList();
  }

  private List<LocalDateTime> local(LocalDateTime last, int most) {
    List<LocalDateTime> times = new ArrayList<>();
    try {
      RecurrenceRuleIterator iterator = rule.iterator(dateTime(first));
      LocalDateTime before = LocalDateTime.MIN;
      while (times.size() < most && iterator.hasNext()) {
        LocalDateTime next = local(iterator.nextDateTime());
        if (next.isAfter(last) || !next.isAfter(before)) {
          break;
        }
        times.add(next);
        before = next;
      }
    } catch (IllegalArgumentException | IllegalStateException nothingMore) {
      // The library gives up on a rule that matches nothing for centuries.
    }
    return times;
  }

  private static DateTime dateTime(LocalDateTime at) {
    return new DateTime(
        at.getYear(),
        at.getMonthValue() - 1,
        at.getDayOfMonth(),
        at.getHour(),
        at.getMinute(),
        at.getSecond());
  }

  private static LocalDateTime local(DateTime at) {
    return LocalDateTime.of(
        at.getYear(),
        at.getMonth() + 1,
        at.getDayOfMonth(),
        at.isAllDay() ? 0 : at.getHours(),
        at.isAllDay() ? 0 : at.getMinutes(),
        at.isAllDay() ? 0 : at.getSeconds());
  }
}
