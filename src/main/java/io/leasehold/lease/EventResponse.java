package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.LeaseState;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that happened to a lease, or to one time of a reservation. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "Event",
    requiredProperties = {"position", "eventTime", "pool", "toState", "cause"},
    description =
        "Something that happened to a lease (then it has `leaseId`), or to one time of a"
            + " reservation (then it has `reservation` and `originalStartTime`).")
record EventResponse(
    @Schema(description = "Opaque; follow from here.") String position,
    Instant eventTime,
    String pool,
    @Nullable String tenant,
    @Nullable UUID leaseId,
    @Schema(minimum = "1", maximum = "9007199254740991") @Nullable Long leaseRevision,
    @Nullable UUID reservation,
    @Schema(description = "Which of its times.") @Nullable Instant originalStartTime,
    @ExtensibleEnum(of = LeaseState.class) @Nullable String fromState,
    @ExtensibleEnum({
          "WAITING",
          "PLANNED",
          "ALLOCATED",
          "PUBLISHING",
          "ACTIVE",
          "ENDING",
          "ENDED",
          "REFUSED",
          "CANCELLED",
          "BOOKED"
        })
        @Schema(description = "Of the lease, or of the occurrence.")
        String toState,
    @Schema(
            description =
                "Of an occurrence: reserved, started, changed, drawn, lent, returned, no-show,"
                    + " over, cancelled, rebound, degraded, healed, postponed, no-room.",
            example = "admitted")
        String cause) {

  /** What the stream calls an event of this kind. */
  String name() {
    return leaseId == null ? "occurrence" : "lease";
  }
}
