package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A signed contract of a tenant in this pool, valid over a span (cut short when terminated). */
public record Contract(UUID id, String tenant, Span valid, List<Entitlement> entitlements) {

  public Contract {
    entitlements = List.copyOf(entitlements);
  }

  /**
   * What a contract gives of one GPU model, in GPUs.
   *
   * @param borrowingLimit beyond the guarantee; null = bounded only by ancestors
   * @param lendingLimit of the unused guarantee to others; null = all of it
   * @param weight share of what is lent among siblings, at least 0
   */
  public record Entitlement(
      String model,
      int guaranteed,
      @Nullable Integer borrowingLimit,
      @Nullable Integer lendingLimit,
      int weight) {}
}
