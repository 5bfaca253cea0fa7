package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.web.ProblemBody;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of each request, in the order sent. */
@Schema(
    name = "LeaseBatchResponse",
    requiredProperties = {"results"})
record BatchResponse(List<Result> results) {

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "LeaseBatchResult",
      requiredProperties = {"index", "status"},
      description = "A lease or a problem.")
  record Result(
      @Schema(minimum = "0", maximum = "999") int index,
      @Schema(
              description = "What the request alone would have got.",
              minimum = "200",
              maximum = "599")
          int status,
      @Nullable LeaseResponse lease,
      @Nullable ProblemBody problem) {}
}
