package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.Verdict;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the engine answered, with its reasons and what would work instead. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@Schema(
    name = "Decision",
    requiredProperties = {"verdict"},
    description = "A verdict with its reasons.")
record DecisionResponse(
    @ExtensibleEnum(of = Verdict.class) String verdict,
    @ExtensibleEnum({"never", "shortage", "limit"}) @Nullable String refusal,
    @Nullable Instant decidedTime,
    @Schema(description = "Pool and revision the decision was made on.", example = "main:88213")
        @Nullable String book,
    @Schema(description = "Booked.") @Nullable Instant startTime,
    @Schema(description = "Expected, not promised.") @Nullable Instant expectedStartTime,
    List<Reason> reasons,
    List<Blocker> blockedBy,
    List<Alternative> alternatives) {

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "Reason",
      requiredProperties = {"code", "detail", "scope", "name", "unit"})
  record Reason(
      @Schema(example = "capacity") String code,
      String detail,
      @ExtensibleEnum({
            "pool",
            "cluster",
            "domain",
            "node",
            "model",
            "tenant",
            "class",
            "lease",
            "reservation",
            "occurrence"
          })
          String scope,
      String name,
      @Schema(minimum = "0", maximum = "9007199254740991") @Nullable Long need,
      @Schema(minimum = "0", maximum = "9007199254740991") @Nullable Long used,
      @Schema(minimum = "0", maximum = "9007199254740991") @Nullable Long limit,
      @ExtensibleEnum({
            "gpu",
            "gpu-milli",
            "mib",
            "cpu-milli",
            "second",
            "lease",
            "priority",
            "step"
          })
          String unit) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "Blocker",
      requiredProperties = {"kind", "own", "gpus"},
      description = "Who holds what is missing; of others only an amount.")
  record Blocker(
      @ExtensibleEnum({"lease"}) String kind,
      boolean own,
      @Nullable UUID leaseId,
      @Schema(minimum = "0", maximum = "100000") long gpus,
      @Schema(description = "Of others rounded up to 15 minutes; absent when open-ended.")
          @Nullable Instant untilTime) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "Alternative",
      requiredProperties = {"kind", "request"},
      description = "Feasible at the moment of the decision.")
  record Alternative(
      @ExtensibleEnum({
            "later-start",
            "earlier-start",
            "fewer-gpus",
            "other-model",
            "other-topology",
            "shorter"
          })
          String kind,
      @Nullable Instant startTime,
      @Schema(description = "Can be sent as it is.") LeaseRequest request) {}
}
