package io.leasehold.audit;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who did what, when and why.
 *
 * @param subject what was changed: {@code lease:<id>}, {@code tenant:vision}
 * @param cause why, as a code
 */
@Schema(name = "AuditFact")
record AuditFactResponse(
    Instant time,
    AuditActor actor,
    @Schema(example = "tenant:vision") String subject,
    @Nullable String tenant,
    @Nullable UUID lease,
    @Schema(minimum = "1", maximum = "9223372036854775807") @Nullable Long leaseRevision,
    @Nullable String fromState,
    @Nullable String toState,
    @Schema(example = "tenant-created") String cause,
    String traceId,
    @Schema(example = "main:88213") String book) {

  /** Who it was. Kind and name are absent once they are erased. */
  record AuditActor(UUID principal, @Nullable String kind, @Nullable String name) {}
}
