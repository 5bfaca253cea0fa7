package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests to look at, each by itself. */
@Schema(
    name = "AvailabilityRequest",
    requiredProperties = {"shapes"},
    example =
        """
        {"shapes": [
          {"tenant": "vision", "gpu": {"models": ["h100"], "count": 8}, "duration": "PT4H"},
          {"tenant": "vision", "gpu": {"groups": 2, "perGroup": 8}, "duration": "PT12H"}]}\
        """)
record AvailabilityRequest(
    @Schema(
            description =
                "Lease requests as they would be sent, all in one pool. None takes anything from"
                    + " the others.",
            requiredMode = Schema.RequiredMode.REQUIRED)
        @ArraySchema(minItems = 1, maxItems = 20)
        @Nullable List<LeaseRequest> shapes) {}
