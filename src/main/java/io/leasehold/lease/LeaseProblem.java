package io.leasehold.lease;

import io.leasehold.web.ProblemBody;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a refusal stands in the document; {@link Outcomes} makes it. */
@Schema(
    name = "LeaseProblem",
    description = "Why there is no lease, with the whole decision where one was made.",
    allOf = ProblemBody.class)
record LeaseProblem(
    @Nullable DecisionResponse decision,
    @Schema(description = "The lease the problem is about; a refusal is kept as one.")
        @Nullable UUID leaseId,
    @Schema(description = "Of an atomic batch that was not kept.")
        @Nullable List<BatchResponse.Result> results) {}
