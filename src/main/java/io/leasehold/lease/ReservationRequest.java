package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Capacity that a caller wants set aside; {@link ReservationReader} holds the rules. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@Schema(
    name = "ReservationRequest",
    requiredProperties = {"gpu", "duration"},
    description = "Whole GPUs set aside for a tenant, once or again and again.",
    example =
        """
        {"tenant": "vision", "pool": "main", "gpu": {"models": ["h100"], "count": 8},
         "duration": "PT8H",
         "recurrence": {"rrule": "FREQ=DAILY;COUNT=5", "zone": "Europe/Berlin"},
         "lend": true, "noShowAfter": "PT1H"}\
        """)
record ReservationRequest(
    @Schema(description = "Required unless you have one tenant only.", example = "vision")
        @Nullable String tenant,
    @Schema(description = "Required unless the tenant can use one pool only.", example = "main")
        @Nullable String pool,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) LeaseRequest.@Nullable Gpu gpu,
    @Schema(description = "At most one rule for each level.")
        @Nullable List<LeaseRequest.Topology> topology,
    @Schema(
            format = "date-time",
            description = "Of the first time, at most 366 days ahead; now if absent.")
        @Nullable String startTime,
    @Schema(
            description = "ISO 8601, PT1M to P366D, in days to seconds.",
            requiredMode = Schema.RequiredMode.REQUIRED,
            example = "PT8H")
        @Nullable String duration,
    @Schema(description = "Once if absent.") @Nullable Rule recurrence,
    @Schema(
            description =
                "Whether what is idle goes to leases that may be preempted until it is drawn on;"
                    + " true by default.")
        @Nullable Boolean lend,
    @Schema(
            description = "Released when nobody has drawn on it so long after its start.",
            example = "PT1H")
        @Nullable String noShowAfter) {

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @Schema(
      name = "Recurrence",
      requiredProperties = {"rrule", "zone"},
      description =
          "Local time is kept over clock changes: a time that is skipped comes as much later, one"
              + " that comes twice means the first. Without days in the rule, a day that a month"
              + " lacks means its last.")
  record Rule(
      @Schema(
              description = "RFC 5545: DAILY, WEEKLY, MONTHLY or YEARLY.",
              requiredMode = Schema.RequiredMode.REQUIRED,
              maxLength = Recurrence.LONGEST_RULE,
              example = "FREQ=WEEKLY;BYDAY=MO;COUNT=8")
          @Nullable String rrule,
      @Schema(
              description = "IANA.",
              requiredMode = Schema.RequiredMode.REQUIRED,
              example = "Europe/Berlin")
          @Nullable String zone,
      @Schema(description = "Times of the series that are left out.")
          @Nullable List<String> exceptTimes) {}
}
