package io.leasehold.lease;

import io.leasehold.web.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Collects the faults of one body, so that a caller learns of all of them at once. */
final class Faults {

  private final String at;
  private final List<Problem.Fault> found = new ArrayList<>();

  /**
   * @param at pointer to the part of the body that is looked at; empty for the whole
   */
  Faults(String at) {
    this.at = at;
  }

  void add(String pointer, String code, String detail) {
    found.add(Problem.Fault.at(at + pointer, code, detail));
  }

  List<Problem.Fault> found() {
    return List.copyOf(found);
  }

  boolean areAny() {
    return !found.isEmpty();
  }

  void throwIfAny() {
    if (areAny()) {
      throw Problem.invalid(found);
    }
  }

  void required(String pointer, String detail) {
    add(pointer, "required", detail);
  }

  /** The number, or {@code otherwise} where it is absent or out of its bounds. */
  long within(String pointer, @Nullable Long value, long least, long most, long otherwise) {
    if (value == null) {
      return otherwise;
    }
    if (value < least || value > most) {
      add(pointer, "out-of-range", value + " is not between " + least + " and " + most + ".");
      return otherwise;
    }
    return value;
  }

  /** One of the words, or nothing where it is absent or not a word of the list. */
  <E extends Enum<E>> Optional<E> word(String pointer, @Nullable String value, Class<E> words) {
    if (value == null) {
      return Optional.empty();
    }
    for (E word : words.getEnumConstants()) {
      if (word.name().toLowerCase(Locale.ROOT).equals(value)) {
        return Optional.of(word);
      }
    }
    List<String> known =
        java.util.Arrays.stream(words.getEnumConstants())
            .map(word -> word.name().toLowerCase(Locale.ROOT))
            .toList();
    add(pointer, "unknown-value", quote(value) + " is none of " + known + ".");
    return Optional.empty();
  }

  OptionalLong instant(String pointer, @Nullable String value) {
    if (value == null) {
      return OptionalLong.empty();
    }
    Optional<Long> micros = Wire.instant(value);
    if (micros.isEmpty()) {
      add(
          pointer,
          "malformed",
          quote(value)
              + " is no instant from 2000 to 2199 such as 2027-03-01T19:00:00Z (RFC 3339).");
      return OptionalLong.empty();
    }
    return OptionalLong.of(micros.get());
  }

  OptionalLong duration(String pointer, @Nullable String value, long least, long most) {
    if (value == null) {
      return OptionalLong.empty();
    }
    Optional<Long> micros = Wire.duration(value);
    if (micros.isEmpty()) {
      add(
          pointer,
          "malformed",
          quote(value) + " is not a duration of days to seconds such as PT4H or P1DT12H.");
      return OptionalLong.empty();
    }
    if (micros.get() < least || micros.get() > most) {
      add(
          pointer,
          "out-of-range",
          value + " is not between " + Wire.duration(least) + " and " + Wire.duration(most) + ".");
      return OptionalLong.empty();
    }
    return OptionalLong.of(micros.get());
  }

  /** Text of at most so many characters that a database and a terminal can hold. */
  void text(String pointer, @Nullable String value, int most) {
    if (value == null) {
      return;
    }
    if (value.codePointCount(0, value.length()) > most) {
      add(pointer, "too-long", "More than " + most + " characters.");
    }
    if (value.indexOf('\0') >= 0) {
      add(pointer, "not-text", "Holds a NUL character.");
    }
    if (value
        .codePoints()
        .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      add(pointer, "not-text", "Holds half of a surrogate pair.");
    }
  }

  void size(String pointer, Collection<?> values, int most) {
    if (values.size() > most) {
      add(pointer, "too-many", values.size() + " entries; at most " + most + ".");
    }
  }

  /** What a client sent, short enough to be shown again. */
  static String quote(String value) {
    return '"' + (value.length() <= 64 ? value : value.substring(0, 64) + "...") + '"';
  }
}
