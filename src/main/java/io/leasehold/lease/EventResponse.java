package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.LeaseState;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that happened to a lease. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "Event",
    requiredProperties = {
      "position",
      "eventTime",
      "pool",
      "leaseId",
      "leaseRevision",
      "toState",
      "cause"
    })
record EventResponse(
    @Schema(description = "Opaque; follow from here.") String position,
    Instant eventTime,
    String pool,
    @Nullable String tenant,
    UUID leaseId,
    @Schema(minimum = "1", maximum = "9007199254740991") long leaseRevision,
    @ExtensibleEnum(of = LeaseState.class) @Nullable String fromState,
    @ExtensibleEnum(of = LeaseState.class) String toState,
    @Schema(example = "admitted") String cause) {}
