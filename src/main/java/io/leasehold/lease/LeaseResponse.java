package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.leasehold.engine.Health;
import io.leasehold.engine.LeaseState;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A lease as its callers see it. What does not apply is absent, never null; nothing in it changes
 * without {@code revision}.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "Lease",
    requiredProperties = {"tenant", "pool", "serviceClass", "state", "degraded", "gpuCount"},
    description = "A tenant's right to GPUs over a window.")
record LeaseResponse(
    @Schema(description = "Absent in a dry run.") @Nullable UUID id,
    String tenant,
    String pool,
    @Nullable String cluster,
    @Nullable String name,
    String serviceClass,
    @Nullable Instant createTime,
    @Nullable Instant updateTime,
    @Nullable Creator createdBy,
    @Nullable String owner,
    @Nullable Map<String, String> labels,
    @Nullable Map<String, String> annotations,
    @Nullable List<String> notifyBefore,
    @Schema(minimum = "0", maximum = "9007199254740991") @Nullable Long revision,
    @Schema(minimum = "0", maximum = "2147483647") @Nullable Integer generation,
    @ExtensibleEnum(of = LeaseState.class) String state,
    boolean degraded,
    @Schema(description = "GPUs, MIG instances or fractions.", minimum = "0", maximum = "6400000")
        int gpuCount,
    @Nullable Boolean preemptible,
    @Schema(description = "The reservation it draws on.") @Nullable UUID reservation,
    @Nullable Instant startTime,
    @Nullable Instant endTime,
    @Nullable Instant activeTime,
    @Nullable Instant endedTime,
    @ExtensibleEnum({
          "released",
          "expired",
          "preempted",
          "revoked",
          "node-lost",
          "never-claimed",
          "heartbeat-lost",
          "cancelled",
          "wait-expired"
        })
        @Nullable String endCause,
    @Nullable Notice notice,
    @Schema(description = "The lease whose withdrawal a due start waits for; yours only.")
        @Nullable UUID delayedBy,
    @JsonRawValue @Schema(implementation = Map.class, description = "Exactly as sent.")
        @Nullable String request,
    @JsonRawValue
        @Schema(
            implementation = LeaseRequest.class,
            description = "With defaults and canonical models.")
        @Nullable String effective,
    @Nullable List<Allocation> allocations,
    @Nullable DecisionResponse decision,
    @Nullable Publishing publishing,
    @Nullable AccessResponse access) {

  @Schema(
      name = "Creator",
      requiredProperties = {"kind", "name"})
  record Creator(@ExtensibleEnum({"api-key", "user", "system"}) String kind, String name) {}

  @Schema(
      name = "Notice",
      requiredProperties = {"cause", "effectiveTime"},
      description = "What will take its GPUs before its end.")
  record Notice(@ExtensibleEnum({"drained", "preempted"}) String cause, Instant effectiveTime) {}

  /** What one group has on one node. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "Allocation",
      requiredProperties = {
        "group", "node", "nodeId", "domain", "model", "binding", "health", "gpus"
      },
      description = "What one group has on one node.")
  record Allocation(
      @Schema(minimum = "0", maximum = "100000") int group,
      String node,
      UUID nodeId,
      @Schema(
              description = "region/zone/block/rack/nvlink/node; a level that is missing is empty.",
              example = "eu-1/eu-1a/b3/r7//e-014")
          String domain,
      String model,
      @ExtensibleEnum({"TENTATIVE", "FINAL"}) String binding,
      @Schema(description = "The worst of its GPUs.") @ExtensibleEnum(of = Health.class)
          String health,
      List<Gpu> gpus) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "AllocatedGpu",
      requiredProperties = {"index"})
  record Gpu(
      @Schema(minimum = "0", maximum = "63") int index,
      @Nullable String uuid,
      @Nullable Mig mig,
      @Schema(description = "Thousandths taken; absent for the whole GPU.")
          @Nullable List<Interval> units) {}

  @Schema(
      name = "MigInstance",
      requiredProperties = {"profile", "start", "size"})
  record Mig(
      String profile,
      @Schema(minimum = "0", maximum = "8") int start,
      @Schema(minimum = "1", maximum = "8") int size) {}

  @Schema(
      name = "UnitInterval",
      requiredProperties = {"start", "end"},
      description = "Half-open.")
  record Interval(
      @Schema(minimum = "0", maximum = "1000") int start,
      @Schema(minimum = "0", maximum = "1000") int end) {}

  @Schema(
      name = "Publishing",
      requiredProperties = {"state", "generation", "updateTime"},
      description = "How far the cluster has come.")
  record Publishing(
      @ExtensibleEnum({
            "ORDERED",
            "PUBLISHED",
            "USABLE",
            "WITHDRAWING",
            "WITHDRAWN",
            "UNKNOWN",
            "PARKED"
          })
          String state,
      @Schema(minimum = "1", maximum = "2147483647") int generation,
      Instant updateTime) {}

  @Schema(
      name = "Access",
      requiredProperties = {"adapter", "mode", "usable"},
      description = "How to use it.")
  record AccessResponse(
      @ExtensibleEnum({"simulated"}) String adapter,
      @ExtensibleEnum({"simulated"}) String mode,
      boolean usable) {}
}
