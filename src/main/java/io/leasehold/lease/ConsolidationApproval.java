package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A plan that an operator has seen and wants done. */
@Schema(
    name = "ConsolidationApproval",
    requiredProperties = {"plan"},
    example =
        """
        {"plan": {"request": {"tenant": "vision",
            "gpu": {"models": ["h100"], "groups": 1, "perGroup": 8}, "duration": "PT4H"},
          "moves": []}}\
        """)
record ConsolidationApproval(
    @Schema(description = "As it came.", requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable ConsolidationPlanBody plan,
    @Schema(
            description =
                "Book of the plan: 412 `book-changed` if anything in the pool has moved on, even"
                    + " where the same moves would still do.",
            example = "main:88213")
        @Nullable String ifBook) {}
