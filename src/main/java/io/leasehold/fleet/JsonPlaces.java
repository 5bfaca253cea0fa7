package io.leasehold.fleet;

import io.leasehold.web.Problem.Fault;
import java.util.Set;

/** Where a node's fields stand in JSON. */
final class JsonPlaces {

  private static final Set<String> IN_TOPOLOGY =
      Set.of("region", "zone", "block", "rack", "nvlink");

  private JsonPlaces() {}

  static InventoryEntry.Locator below(String pointer) {
    return (field, code, detail) ->
        Fault.at(
            pointer + (IN_TOPOLOGY.contains(field) ? "/topology/" : "/") + field, code, detail);
  }
}
