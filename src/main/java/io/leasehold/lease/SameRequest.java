package io.leasehold.lease;

import java.util.function.BiPredicate;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Two bodies are the same request when they differ in white space and the order of fields only. */
@Component
class SameRequest implements BiPredicate<String, String> {

  private final JsonMapper json;

  SameRequest(JsonMapper json) {
    this.json = json;
  }

  @Override
  public boolean test(String one, String other) {
    return json.readTree(one).equals(json.readTree(other));
  }
}
