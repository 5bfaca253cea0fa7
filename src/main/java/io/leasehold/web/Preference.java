package io.leasehold.web;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code Prefer} header. What is not known in it is passed over in silence. */
public final class Preference {

  public static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  private static final Pattern WAIT =
      Pattern.compile("(?:^|,)\\s*wait\\s*=\\s*\"?(\\d{1,9})\"?\\s*(?=[,;]|$)", 2);

  private Preference() {}

  /** {@code wait=N}: how long the caller would wait for a better answer; zero = not at all. */
  public static Duration waiting(@Nullable String header) {
    if (header == null) {
      return Duration.ZERO;
    }
    Matcher wait = WAIT.matcher(header);
    if (!wait.find()) {
      return Duration.ZERO;
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(wait.group(1)));
    return asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked;
  }
}
