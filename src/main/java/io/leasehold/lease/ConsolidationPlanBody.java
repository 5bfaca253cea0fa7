package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which leases move where so that a request fits; shown to an operator and sent back by one. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "ConsolidationPlan",
    requiredProperties = {"request"})
record ConsolidationPlanBody(
    @Schema(description = "Pool and revision that was looked at.", example = "main:88213")
        @Nullable String book,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable LeaseRequest request,
    @Schema(description = "In order of arrival; none where it fits without.")
        @Nullable List<Move> moves,
    @Nullable Fits fits,
    @Schema(description = "Why there is no plan.")
        @Nullable List<DecisionResponse.Reason> reasons) {

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "ConsolidationMove",
      requiredProperties = {"leaseId", "fromNodeIds", "toNodeIds"},
      description = "All that a lease has on some nodes goes to others of the same cluster.")
  record Move(
      @Nullable UUID leaseId,
      @Schema(example = "nlp") @Nullable String tenant,
      @Nullable List<UUID> fromNodeIds,
      @Nullable List<UUID> toNodeIds,
      @Schema(minimum = "1", maximum = "6400000") @Nullable Long gpus) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "ConsolidationFit",
      requiredProperties = {"startTime", "cluster", "model", "nodeIds"},
      description = "Where the request would lie.")
  record Fits(
      @Schema(
              description =
                  "The latest start, however long the clusters take to let go of what moves.")
          @Nullable Instant startTime,
      @Nullable Instant endTime,
      @Schema(example = "k8s-east") @Nullable String cluster,
      @Schema(example = "NVIDIA-H100-80GB-HBM3") @Nullable String model,
      @Nullable List<UUID> nodeIds) {}
}
