package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What waits in a pool, in order, as of now. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "Queue",
    requiredProperties = {"pool", "items"})
record QueueResponse(String pool, List<Entry> items, @Nullable String nextPageToken) {

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @Schema(
      name = "QueueEntry",
      requiredProperties = {"position", "own", "gpus"},
      description = "Of others only an amount is shown.")
  record Entry(
      @Schema(minimum = "1", maximum = "2147483647") int position,
      boolean own,
      @Nullable UUID leaseId,
      @Nullable String tenant,
      @Schema(minimum = "0", maximum = "6400000") long gpus,
      @Schema(description = "Of others rounded up to 15 minutes.")
          @Nullable Instant expectedStartTime,
      @Schema(description = "Nothing of lower precedence may delay the expected start.")
          @Nullable Boolean earmarked,
      @Nullable List<DecisionResponse.Reason> reasons) {}
}
