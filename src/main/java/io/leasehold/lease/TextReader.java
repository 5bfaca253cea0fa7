package io.leasehold.lease;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a lease carries beside the decision: names, owners, labels, annotations, notices. */
final class TextReader {

  static final int LONGEST_NAME = 128;
  private static final int MOST_ENTRIES = 32;
  private static final int MOST_BYTES = 1024;
  private static final int MOST_NOTICES = 16;
  private static final Pattern KEY =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_./]{0,61}[A-Za-z0-9])?");

  private final Faults faults;

  TextReader(Faults faults) {
    this.faults = faults;
  }

  void check(LeaseRequest sent) {
    check(sent.name(), sent.labels(), sent.annotations(), sent.notifyBefore());
    faults.text("/owner", sent.owner(), LONGEST_NAME);
  }

  void check(
      @Nullable String name,
      @Nullable Map<String, String> labels,
      @Nullable Map<String, String> annotations,
      @Nullable List<String> notifyBefore) {
    faults.text("/name", name, LONGEST_NAME);
    entries("/labels", labels);
    entries("/annotations", annotations);
    notices(notifyBefore);
  }

  private void entries(String pointer, @Nullable Map<String, String> entries) {
    if (entries == null) {
      return;
    }
    faults.size(pointer, entries.keySet(), MOST_ENTRIES);
    entries.forEach((key, value) -> entry(pointer, key, value));
  }

  private void entry(String pointer, String key, @Nullable String value) {
    String at = pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    if (!KEY.matcher(key).matches()) {
      faults.add(
          at,
          "malformed",
          Faults.quote(key)
              + " is no key: 1 to 63 letters, digits and -_./ between a letter or digit at each"
              + " end.");
    }
    if (value == null) {
      faults.required(at, "A value is a text.");
    } else if (bytes(key) + bytes(value) > MOST_BYTES) {
      faults.add(at, "too-long", "Key and value are more than " + MOST_BYTES + " bytes.");
    }
    faults.text(at, value, MOST_BYTES);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private void notices(@Nullable List<String> notifyBefore) {
    if (notifyBefore == null) {
      return;
    }
    faults.size("/notifyBefore", notifyBefore, MOST_NOTICES);
    for (int i = 0; i < notifyBefore.size(); i++) {
      String at = "/notifyBefore/" + i;
      if (notifyBefore.get(i) == null) {
        faults.required(at, "A notice is a duration.");
      }
      faults.duration(at, notifyBefore.get(i), Wire.SECOND, WhenReader.LONGEST);
    }
  }
}
