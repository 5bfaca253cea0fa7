package io.leasehold.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.ServiceClass;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A service class as callers see it. */
@Schema(name = "ServiceClass", description = "How a request is treated")
record ServiceClassResponse(
    @Schema(example = "batch") String slug,
    @Schema(minimum = "0", maximum = "1000000", description = "Larger goes first") int priority,
    @Schema(
            description =
                "false = a lease must fit the guarantees of its tenant for its whole window")
        boolean mayBePreempted,
    @Schema(
            description =
                "Whether it takes from lower classes: of its own tenant, and what others borrow")
        boolean mayPreempt,
    @Schema(example = "PT10M", description = "How long a lease runs before it may be preempted")
        Duration minimumRun,
    @Schema(
            example = "PT0S",
            description = "How long before its end a lease is told that it is preempted")
        Duration notice,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable DisruptionBudget disruption,
    @Schema(example = "PT0S", description = "What a hold adds before the window") Duration prepare,
    @Schema(example = "PT30S", description = "What an ending lease gets to wind down")
        Duration grace,
    @Schema(example = "PT1M", description = "How long a cluster may take to confirm a withdrawal")
        Duration withdrawAllowance,
    @Schema(example = "PT4H", description = "After this the oldest of a kind owns an earmark")
        Duration agingAfter,
    @Schema(example = "PT720H", description = "Limit of a lease's whole length")
        Duration longestDuration,
    @Schema(example = "PT4320H", description = "How far ahead a start may lie") Duration horizon,
    @Schema(minimum = "1", maximum = "9007199254740991") long revision,
    Instant createTime,
    Instant updateTime) {

  static ServiceClassResponse of(ClassRecord record) {
    ServiceClass each = record.serviceClass();
    return new ServiceClassResponse(
        each.slug(),
        each.priority(),
        each.mayBePreempted(),
        each.mayPreempt(),
        duration(each.minimumRun()),
        duration(each.notice()),
        DisruptionBudget.of(each.disruption()),
        duration(each.prepare()),
        duration(each.grace()),
        duration(each.withdrawAllowance()),
        duration(each.agingAfter()),
        duration(each.longestDuration()),
        duration(each.horizon()),
        record.revision(),
        record.createTime(),
        record.updateTime());
  }

  private static Duration duration(long micros) {
    return Duration.ofSeconds(micros / 1_000_000);
  }
}
