package io.leasehold.web;

import jakarta.validation.Validator;
import java.util.List;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Merge patches (RFC 7396) of what may change about a thing: absent = left as it is, null = taken
 * away. The result keeps the same rules as a whole body.
 */
@Component
public final class JsonMergePatch {

  public static final String TYPE = "application/merge-patch+json";

  private final JsonMapper json;
  private final Validator validator;

  JsonMergePatch(JsonMapper json, Validator validator) {
    this.json = json;
    this.validator = validator;
  }

  /** The thing with the patch applied; unknown fields and broken rules are the caller's faults. */
  public <T> T apply(T before, JsonNode patch, Class<T> type) {
    if (!patch.isObject()) {
      throw Problem.invalid(
          Problem.Fault.at("", "wrong-type", "A merge patch is an object of what changes."));
    }
    T after = read(merged(json.valueToTree(before), patch), type);
    List<Problem.Fault> faults =
        validator.validate(after).stream()
            .map(
                broken -> {
                  String field = broken.getPropertyPath().toString();
                  return Problem.Fault.at(
                      ProblemHandler.pointer(field),
                      "invalid",
                      field + " " + broken.getMessage() + ".");
                })
            .toList();
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return after;
  }

  private <T> T read(JsonNode node, Class<T> type) {
    try {
      return json.treeToValue(node, type);
    } catch (JacksonException fault) {
      throw new HttpMessageNotReadableException("merge patch", fault, null);
    }
  }

  private JsonNode merged(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch;
    }
    ObjectNode result =
        target instanceof ObjectNode object ? object.deepCopy() : json.createObjectNode();
    changes
        .properties()
        .forEach(
            change -> {
              if (change.getValue().isNull()) {
                result.remove(change.getKey());
              } else {
                result.set(
                    change.getKey(), merged(result.path(change.getKey()), change.getValue()));
              }
            });
    return result;
  }
}
