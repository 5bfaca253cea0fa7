package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What shall fit. */
@Schema(
    name = "ConsolidationRequest",
    requiredProperties = {"request"},
    example =
        """
        {"request": {"tenant": "vision",
          "gpu": {"models": ["h100"], "groups": 1, "perGroup": 8}, "duration": "PT4H"}}\
        """)
record ConsolidationRequest(
    @Schema(
            description = "As its owner would send it.",
            requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable LeaseRequest request) {}
