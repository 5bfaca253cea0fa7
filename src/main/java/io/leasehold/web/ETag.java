package io.leasehold.web;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A thing's revision as an entity tag, and the conditions that callers put on it. */
public final class ETag {

  private static final Pattern ONE = Pattern.compile("(W/)?\"([^\"]{0,200})\"");

  /** A revision that no thing has: the condition can not hold. */
  private static final long NONE = -1;

  private ETag() {}

  public static String of(long revision) {
    return "\"" + revision + "\"";
  }

  /** The revision the caller wants to change; null = any. An unknown tag matches nothing. */
  public static @Nullable Long ifMatch(@Nullable String header) {
    if (header == null || header.isBlank() || header.trim().equals("*")) {
      return null;
    }
    Matcher tag = ONE.matcher(header.trim());
    if (!tag.matches()) {
      throw Problem.invalid(
          Problem.Fault.in(
              "If-Match",
              "bad-etag",
              "If-Match holds one entity tag as an earlier answer gave it, in double quotes."));
    }
    return tag.group(1) == null ? number(tag.group(2)) : NONE;
  }

  /**
   * The revision the caller has seen and wants to replace: 428 without, and for any ({@code *}).
   */
  public static Long required(@Nullable String header) {
    Long seen = ifMatch(header);
    if (seen == null) {
      throw Problem.of(
          428,
          "precondition-required",
          "Precondition required",
          "Send If-Match with the ETag of what you read, so that nobody's change is lost.");
    }
    return seen;
  }

  /** Whether {@code If-None-Match} names this revision: the caller has it already. */
  public static boolean isKnown(@Nullable String ifNoneMatch, long revision) {
    if (ifNoneMatch == null) {
      return false;
    }
    if (ifNoneMatch.trim().equals("*")) {
      return true;
    }
    Matcher tags = ONE.matcher(ifNoneMatch);
    while (tags.find()) {
      if (number(tags.group(2)) == revision) {
        return true;
      }
    }
    return false;
  }

  private static long number(String tag) {
    return tag.matches("0|[1-9]\\d{0,17}") ? Long.parseLong(tag) : NONE;
  }
}
