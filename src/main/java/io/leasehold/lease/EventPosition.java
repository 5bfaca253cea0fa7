package io.leasehold.lease;

import io.leasehold.web.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a reader has come in every pool's log. Within a pool, revisions are given out under its
 * lock, so what lies behind a position can never be added later; over pools there is no order.
 */
record EventPosition(SortedMap<String, Point> points) {

  private static final Pattern ENTRY =
      Pattern.compile("([-a-z0-9]{1,63})=(\\d{1,18})\\.(\\d{1,10})(?:;|$)");

  EventPosition {
    points = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(points));
  }

  /** A fact of a pool's log. */
  record Point(long revision, int ord) {

    static final Point START = new Point(0, Integer.MAX_VALUE);

    /** Everything of this revision and before. */
    static Point through(long revision) {
      return new Point(revision, Integer.MAX_VALUE);
    }
  }

  /** A pool that came later is read from its start. */
  Point in(String pool) {
    return points.getOrDefault(pool, Point.START);
  }

  EventPosition with(String pool, Point point) {
    TreeMap<String, Point> moved = new TreeMap<>(points);
    moved.put(pool, point);
    return new EventPosition(moved);
  }

  String encoded() {
    StringBuilder text = new StringBuilder();
    points.forEach(
        (pool, point) ->
            text.append(pool)
                .append('=')
                .append(point.revision)
                .append('.')
                .append(point.ord)
                .append(';'));
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.toString().getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * @param parameter where it came from, for the fault
   */
  static EventPosition decoded(String text, String parameter) {
    try {
      String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII);
      TreeMap<String, Point> points = new TreeMap<>();
      Matcher entry = ENTRY.matcher(plain);
      int end = 0;
      while (end < plain.length() && entry.find(end) && entry.start() == end) {
        points.put(
            entry.group(1),
            new Point(
                Long.parseLong(entry.group(2)),
                (int) Math.min(Integer.MAX_VALUE, Long.parseLong(entry.group(3)))));
        end = entry.end();
      }
      if (end < plain.length()) {
        throw malformed(parameter);
      }
      return new EventPosition(points);
    } catch (IllegalArgumentException notBase64) {
      throw malformed(parameter);
    }
  }

  static EventPosition of(Map<String, Long> revisions) {
    TreeMap<String, Point> points = new TreeMap<>();
    revisions.forEach((pool, revision) -> points.put(pool, Point.through(revision)));
    return new EventPosition(points);
  }

  private static Problem malformed(String parameter) {
    return Problem.invalid(
        Problem.Fault.in(parameter, "malformed", "This is no event position of ours."));
  }
}
