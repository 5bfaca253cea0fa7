package io.leasehold.fleet;

import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Merge patches (RFC 7396) on what may change about a thing. */
@Component
class MergePatch {

  static final String TYPE = "application/merge-patch+json";

  private final JsonMapper json;

  MergePatch(JsonMapper json) {
    this.json = json;
  }

  /** The thing with the patch applied; unknown fields and wrong types are the caller's faults. */
  <T> T apply(T before, JsonNode patch, Class<T> type) {
    if (patch.isNull()) {
      throw new HttpMessageNotReadableException("merge patch", null, null);
    }
    JsonNode after = merged(json.valueToTree(before), patch);
    try {
      return json.treeToValue(after, type);
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
                JsonNode old = result.path(change.getKey());
                result.set(change.getKey(), merged(old, change.getValue()));
              }
            });
    return result;
  }
}
