package io.leasehold.ledger;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a lease carries that the engine does not decide on.
 *
 * @param request the JSON exactly as sent
 * @param effective the JSON with defaults, canonical models, contract
 * @param notifyBefore ISO 8601 durations
 */
public record LeaseText(
    @Nullable String name,
    @Nullable String owner,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<String> notifyBefore,
    String request,
    String effective) {

  public LeaseText {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    notifyBefore = List.copyOf(notifyBefore);
  }
}
