package io.leasehold.web;

import java.util.regex.Pattern;

/** What text from outside may be: no NUL (Postgres has none) and no half of a surrogate pair. */
public final class Text {

  private static final Pattern SLUG = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

  private Text() {}

  /** Whether it can be stored and given back as it came. */
  public static boolean isSound(CharSequence text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < length
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  /** Whether it can address a tenant, pool, cluster, model or class. */
  public static boolean isSlug(String text) {
    return SLUG.matcher(text).matches();
  }
}
