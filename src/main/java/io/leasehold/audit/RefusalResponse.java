package io.leasehold.audit;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one caller in one minute.
 *
 * @param status 403 or 404 for refusals; 200 for reads across tenants
 */
@Schema(name = "Refusal")
record RefusalResponse(
    Instant minuteTime,
    UUID principal,
    @Nullable String name,
    @Schema(example = "lease-revoke") String operation,
    @Schema(minimum = "200", maximum = "599") int status,
    @Schema(minimum = "0", maximum = "9223372036854775807") long count) {}
