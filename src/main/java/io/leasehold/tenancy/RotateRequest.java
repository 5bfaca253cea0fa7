package io.leasehold.tenancy;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to change a key.
 *
 * @param overlap how long the old one still works; default PT24H, at most P7D
 */
record RotateRequest(
    @Schema(type = "string", format = "duration", example = "PT24H") @Nullable Duration overlap) {}
