package io.leasehold.contract;

import io.leasehold.engine.Contract.Entitlement;
import io.leasehold.engine.GpuModel;
import io.leasehold.fleet.GpuModels;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A contract as callers see it. */
@Schema(name = "Contract", description = "An SLA contract of a tenant in a pool for a time span")
public record ContractResponse(
    UUID id,
    @Schema(example = "main") String pool,
    @Schema(example = "nlp") String tenant,
    @ExtensibleEnum(of = ContractState.class) String state,
    Instant startTime,
    Instant endTime,
    List<EntitlementResponse> entitlements,
    CreatedBy createdBy,
    @Nullable String signedBy,
    @Nullable Instant signTime,
    @Nullable Instant terminateTime,
    @Schema(minimum = "1", maximum = "9007199254740991") long revision,
    Instant createTime,
    Instant updateTime) {

  /** Who drafted it. */
  @Schema(name = "ContractAuthor")
  public record CreatedBy(
      @ExtensibleEnum({"api-key", "user", "system"}) String kind, String name) {}

  /** What the contract gives of one GPU model. */
  @Schema(name = "ContractEntitlement", description = "What it gives of one GPU model, in GPUs")
  public record EntitlementResponse(
      @Schema(example = "NVIDIA-H100-80GB-HBM3", description = "Canonical name of the GPU model")
          String model,
      @Schema(minimum = "0", maximum = "1000000") int guaranteed,
      @Schema(minimum = "0", maximum = "1000000") @Nullable Integer borrowingLimit,
      @Schema(minimum = "0", maximum = "1000000") @Nullable Integer lendingLimit,
      @Schema(minimum = "0", maximum = "1000000") int weight) {

    static EntitlementResponse of(Entitlement entitlement, GpuModels models) {
      String slug = entitlement.model();
      return new EntitlementResponse(
          models.find(slug).map(GpuModel::canonical).orElse(slug),
          entitlement.guaranteed(),
          entitlement.borrowingLimit(),
          entitlement.lendingLimit(),
          entitlement.weight());
    }
  }

  static ContractResponse of(ContractRecord record, GpuModels models) {
    return new ContractResponse(
        record.id(),
        record.pool(),
        record.tenant(),
        record.state().name(),
        record.startTime(),
        record.endTime(),
        record.entitlements().stream().map(e -> EntitlementResponse.of(e, models)).toList(),
        new CreatedBy(record.createdByKind(), record.createdByName()),
        record.signedByName(),
        record.signTime(),
        record.terminateTime(),
        record.revision(),
        record.createTime(),
        record.updateTime());
  }
}
