package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A reservation as callers see it. Its times are a list of their own. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "Reservation",
    requiredProperties = {"pool", "tenant", "gpu", "gpuCount", "startTime", "duration", "lend"},
    description = "Whole GPUs set aside for a tenant; leases draw on them.")
record ReservationResponse(
    @Schema(description = "Absent in a dry run.") @Nullable UUID id,
    @Schema(example = "main") String pool,
    @Schema(example = "vision") String tenant,
    LeaseRequest.Gpu gpu,
    @Nullable List<LeaseRequest.Topology> topology,
    @Schema(minimum = "1", maximum = "6400000") int gpuCount,
    @Schema(description = "Of the first time.") Instant startTime,
    @Schema(example = "PT8H") String duration,
    ReservationRequest.@Nullable Rule recurrence,
    boolean lend,
    @Nullable String noShowAfter,
    @ExtensibleEnum({"OPEN", "CANCELLED"}) @Nullable String state,
    @Schema(description = "Every time of a series that starts before this is set aside.")
        @Nullable Instant madeUntilTime,
    LeaseResponse.@Nullable Creator createdBy,
    @Schema(minimum = "1", maximum = "9007199254740991") @Nullable Long revision,
    @Nullable Instant createTime,
    @Nullable Instant updateTime,
    @Schema(description = "The first 50, in the answer to a creation only.")
        @Nullable List<OccurrenceResponse> occurrences) {}
