package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.LeaseState;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Why a lease is where it is: live while it waits or is planned, as decided afterwards. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "Explanation",
    requiredProperties = {"leaseId", "revision", "state", "decision"})
record ExplanationResponse(
    UUID leaseId,
    @Schema(minimum = "1", maximum = "9007199254740991") long revision,
    @ExtensibleEnum(of = LeaseState.class) String state,
    @Schema(description = "In the queue, from 1.", minimum = "1", maximum = "2147483647")
        @Nullable Integer position,
    @Nullable Instant expectedStartTime,
    @Schema(description = "Nothing of lower precedence may delay the expected start.")
        @Nullable Boolean earmarked,
    DecisionResponse decision) {}
