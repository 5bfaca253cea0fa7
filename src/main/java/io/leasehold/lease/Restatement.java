package io.leasehold.lease;

import io.leasehold.engine.Shape;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseText;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What a lease says of its request after a verb has changed it: {@code request} stays as sent. */
@Component
class Restatement {

  private final JsonMapper json;

  Restatement(JsonMapper json) {
    this.json = json;
  }

  LeaseText resized(LeaseRecord seen, int size) {
    Shape shape = seen.lease().ask().shape();
    return effective(
        seen.text(),
        effective -> {
          ObjectNode gpu = effective.withObject("gpu");
          gpu.put(shape.groups() > 0 ? "groups" : "count", size);
          if (gpu.has("minCount") && gpu.get("minCount").asLong() > size) {
            gpu.put("minCount", size);
          }
          if (shape.groups() == 0) {
            inProportion(effective, "cpuMilli", size, shape.count());
            inProportion(effective, "memoryMiB", size, shape.count());
          }
        });
  }

  LeaseText ofTenant(LeaseRecord seen, String tenant) {
    return effective(seen.text(), effective -> effective.put("tenant", tenant));
  }

  LeaseText ownedBy(LeaseRecord seen, @Nullable String owner) {
    LeaseText text = seen.text();
    return new LeaseText(
        text.name(),
        owner,
        text.labels(),
        text.annotations(),
        text.notifyBefore(),
        text.request(),
        text.effective());
  }

  /** Without groups they are those of the whole lease. */
  private static void inProportion(ObjectNode effective, String name, int size, int before) {
    if (effective.has(name)) {
      effective.put(name, Math.ceilDiv(effective.get(name).asLong() * size, (long) before));
    }
  }

  private LeaseText effective(LeaseText text, Consumer<ObjectNode> change) {
    ObjectNode effective = (ObjectNode) json.readTree(text.effective());
    change.accept(effective);
    return new LeaseText(
        text.name(),
        text.owner(),
        text.labels(),
        text.annotations(),
        text.notifyBefore(),
        text.request(),
        json.writeValueAsString(effective));
  }
}
