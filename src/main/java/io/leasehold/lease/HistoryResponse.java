package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.LeaseState;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The moves of a lease, newest first. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "History",
    requiredProperties = {"items"})
record HistoryResponse(List<Entry> items, @Nullable String nextPageToken) {

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "HistoryEntry",
      requiredProperties = {"moveTime", "leaseRevision", "toState", "cause", "actor", "traceId"})
  record Entry(
      Instant moveTime,
      @Schema(minimum = "1", maximum = "9007199254740991") long leaseRevision,
      @ExtensibleEnum(of = LeaseState.class) @Nullable String fromState,
      @ExtensibleEnum(of = LeaseState.class) String toState,
      @Schema(example = "admitted") String cause,
      LeaseResponse.Creator actor,
      String traceId) {}
}
