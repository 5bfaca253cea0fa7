package io.leasehold.web;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Says in our words what is wrong with a body, and where; the reader's own words name our classes.
 */
public final class JsonFaults {

  private JsonFaults() {}

  /**
   * The fault of a body, or of a part of one that was bound by itself, with pointers from there.
   */
  public static Problem of(JacksonException cause) {
    return Problem.invalid(
        switch (cause) {
          case UnsoundValue unsound ->
              Problem.Fault.at(pointer(cause), unsound.code(), unsound.getOriginalMessage());
          case UnrecognizedPropertyException unknown ->
              Problem.Fault.at(
                  pointer(cause),
                  "unknown-field",
                  "There is no field " + unknown.getPropertyName() + known(unknown));
          case InvalidFormatException value ->
              Problem.Fault.at(
                  pointer(cause), "wrong-value", "The value is not one that this field takes.");
          case MismatchedInputException type ->
              Problem.Fault.at(
                  pointer(cause), "wrong-type", "The value is of another type than this field.");
          case StreamConstraintsException limit ->
              placed(cause, limitCode(limit), limitText(limit));
          case InputCoercionException range ->
              Problem.Fault.at(
                  pointer(cause),
                  "out-of-range",
                  "The number is outside of what this field takes.");
          case StreamReadException malformed when isDuplicate(malformed) ->
              placed(cause, "duplicate-key", "An object names each key once.");
          default -> placed(cause, "malformed-json", "The body is not well-formed JSON.");
        });
  }

  private static String known(UnrecognizedPropertyException unknown) {
    List<String> names =
        unknown.getKnownPropertyIds() == null
            ? List.of()
            : unknown.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
    return names.isEmpty() ? "." : "; known here: " + String.join(", ", names) + ".";
  }

  private static boolean isDuplicate(StreamReadException malformed) {
    return String.valueOf(malformed.getOriginalMessage()).startsWith("Duplicate");
  }

  private static String limitCode(StreamConstraintsException limit) {
    String message = String.valueOf(limit.getOriginalMessage());
    return message.contains("depth")
        ? "too-deep"
        : message.contains("Number") ? "number-too-long" : "too-long";
  }

  private static String limitText(StreamConstraintsException limit) {
    return switch (limitCode(limit)) {
      case "too-deep" -> "JSON is nested at most " + StrictJson.DEPTH + " levels deep.";
      case "number-too-long" -> "A number has at most " + StrictJson.NUMBER_LENGTH + " characters.";
      default -> "A text or a name in the body is longer than can be read.";
    };
  }

  private static Problem.Fault placed(JacksonException cause, String code, String detail) {
    TokenStreamLocation at = cause.getLocation();
    return at == null || at.getLineNr() < 1
        ? new Problem.Fault(null, null, null, null, code, detail)
        : new Problem.Fault(null, null, at.getLineNr(), at.getColumnNr(), code, detail);
  }

  /** RFC 6901; empty = the whole body. */
  static String pointer(JacksonException cause) {
    StringBuilder pointer = new StringBuilder();
    for (JacksonException.Reference step : cause.getPath()) {
      String name = step.getPropertyName();
      pointer
          .append('/')
          .append(
              name == null
                  ? Integer.toString(step.getIndex())
                  : name.replace("~", "~0").replace("/", "~1"));
    }
    return pointer.toString();
  }
}
