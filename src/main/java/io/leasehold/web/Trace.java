package io.leasehold.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace of a request: the caller's if it sent a well-formed {@code traceparent}, else a new
 * one.
 *
 * @param id 32 hex digits, not all zero
 * @param span ours, 16 hex digits
 */
record Trace(String id, String span, String flags) {

  static final String HEADER = "traceparent";

  private static final Pattern PARENT =
      Pattern.compile(
          "(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(-.*)?");

  static Trace continued(@Nullable String traceparent) {
    if (traceparent != null) {
      Matcher parent = PARENT.matcher(traceparent);
      if (parent.matches()) {
        return new Trace(parent.group(1), random(1), parent.group(2));
      }
    }
    return new Trace(random(2), random(1), "00");
  }

  /** The trace of the request; a new one if the request never came to the filter. */
  static Trace of(HttpServletRequest request) {
    if (request.getAttribute(Trace.class.getName()) instanceof Trace trace) {
      return trace;
    }
    Trace trace = continued(null);
    trace.keepIn(request);
    return trace;
  }

  void keepIn(HttpServletRequest request) {
    request.setAttribute(Trace.class.getName(), this);
  }

  String header() {
    return "00-" + id + "-" + span + "-" + flags;
  }

  private static String random(int longs) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < longs; i++) {
      hex.append(HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong() | 1));
    }
    return hex.toString();
  }
}
