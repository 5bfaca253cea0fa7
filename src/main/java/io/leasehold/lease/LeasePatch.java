package io.leasehold.lease;

import io.leasehold.ledger.LeaseText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A merge patch (RFC 7396) of what a lease carries beside the decision: null removes, labels and
 * annotations are merged key by key, all else is as it was.
 */
final class LeasePatch {

  private static final Set<String> FIELDS = Set.of("name", "labels", "annotations", "notifyBefore");

  private final JsonNode patch;

  private LeasePatch(JsonNode patch) {
    this.patch = patch;
  }

  /** Checks the shape of the patch; the bounds are checked on the result. */
  static LeasePatch of(JsonNode patch) {
    Faults faults = new Faults("");
    if (!patch.isObject()) {
      faults.add("", "wrong-type", "A merge patch is an object.");
    } else {
      patch.properties().forEach(field -> checkShape(field.getKey(), field.getValue(), faults));
    }
    faults.throwIfAny();
    return new LeasePatch(patch);
  }

  private static void checkShape(String field, JsonNode value, Faults faults) {
    String at = "/" + field.replace("~", "~0").replace("/", "~1");
    if (!FIELDS.contains(field)) {
      faults.add(at, "unknown-field", "Only name, labels, annotations and notifyBefore change.");
    } else if (!value.isNull() && !hasShape(field, value)) {
      faults.add(at, "wrong-type", "The value is of another type than this field.");
    }
  }

  private static boolean hasShape(String field, JsonNode value) {
    return switch (field) {
      case "name" -> value.isString();
      case "notifyBefore" -> value.isArray() && value.valueStream().allMatch(JsonNode::isString);
      default ->
          value.isObject()
              && value.valueStream().allMatch(each -> each.isString() || each.isNull());
    };
  }

  /** The text after the patch; all its faults at once. */
  LeaseText on(LeaseText text) {
    String name = patch.has("name") ? stringOrNull(patch.get("name")) : text.name();
    Map<String, String> labels = merged(text.labels(), patch.get("labels"));
    Map<String, String> annotations = merged(text.annotations(), patch.get("annotations"));
    List<String> notices =
        patch.has("notifyBefore") ? strings(patch.get("notifyBefore")) : text.notifyBefore();
    Faults faults = new Faults("");
    new TextReader(faults).check(name, labels, annotations, notices);
    faults.throwIfAny();
    return new LeaseText(
        name, text.owner(), labels, annotations, notices, text.request(), text.effective());
  }

  private static @Nullable String stringOrNull(JsonNode value) {
    return value.isNull() ? null : value.stringValue();
  }

  private static List<String> strings(JsonNode values) {
    List<String> strings = new ArrayList<>();
    values.valueStream().forEach(value -> strings.add(value.stringValue()));
    return strings;
  }

  private static Map<String, String> merged(Map<String, String> old, @Nullable JsonNode patch) {
    if (patch == null) {
      return old;
    }
    if (patch.isNull()) {
      return Map.of();
    }
    Map<String, String> merged = new LinkedHashMap<>(old);
    patch
        .properties()
        .forEach(
            entry -> {
              if (entry.getValue().isNull()) {
                merged.remove(entry.getKey());
              } else {
                merged.put(entry.getKey(), entry.getValue().stringValue());
              }
            });
    return merged;
  }
}
