package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.Occurrence;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One time of a reservation. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "Occurrence",
    requiredProperties = {
      "reservation",
      "originalStartTime",
      "startTime",
      "endTime",
      "state",
      "gpuCount",
      "degraded",
      "lent"
    },
    description = "One time of a reservation.")
record OccurrenceResponse(
    @Nullable UUID reservation,
    @Schema(description = "What it is called by, also after it was moved.")
        Instant originalStartTime,
    Instant startTime,
    Instant endTime,
    @ExtensibleEnum(of = Occurrence.State.class) String state,
    @ExtensibleEnum({"over", "no-show", "cancelled", "no-room"}) @Nullable String endCause,
    @Schema(minimum = "1", maximum = "6400000") int gpuCount,
    @Schema(description = "Some of its devices are lost, and nothing else was free.")
        boolean degraded,
    @Schema(description = "Who may be preempted has some of it meanwhile.") boolean lent,
    @Nullable String cluster,
    @Nullable String model,
    @Nullable List<LeaseResponse.Allocation> allocations,
    @Schema(minimum = "1", maximum = "9007199254740991") long revision) {}
