package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.web.ExtensibleEnum;
import io.leasehold.web.ProblemBody;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a refusal to set something aside stands in the document. */
@Schema(
    name = "ReservationProblem",
    description = "Why nothing was set aside: which times do not fit, and what would.",
    allOf = ProblemBody.class)
record ReservationProblem(@Nullable ReservationDecision decision) {

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @Schema(
      name = "ReservationDecision",
      requiredProperties = {"refusal"})
  record ReservationDecision(
      @ExtensibleEnum({"never", "shortage", "limit"}) String refusal,
      Instant decidedTime,
      String book,
      @Schema(description = "One for each time that does not fit; `name` is its start.")
          List<DecisionResponse.Reason> reasons,
      List<DecisionResponse.Blocker> blockedBy,
      List<ReservationAlternative> alternatives) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "ReservationAlternative",
      requiredProperties = {"kind", "request"},
      description = "Feasible at the moment of the decision.")
  record ReservationAlternative(
      @ExtensibleEnum({"later-start", "fewer-gpus", "other-model"}) String kind,
      @Schema(description = "Can be sent as it is.") ReservationRequest request) {}
}
