package io.leasehold.contract;

import io.leasehold.engine.ServiceClass;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How requests of a class are treated. What is absent is as for {@code batch}. */
@Schema(
    name = "PutServiceClassRequest",
    example =
        """
        { "priority": 300, "mayBePreempted": true, "minimumRun": "PT30M", "grace": "PT2M",
          "notice": "PT5M", "disruption": { "most": 10, "within": "PT1H",
            "quiet": [ { "start": "22:00", "end": "06:00", "zone": "Europe/Berlin" } ] } }
        """)
record ServiceClassRequest(
    @NotNull @Min(0) @Max(1_000_000) @Schema(example = "300", description = "Larger goes first")
        Integer priority,
    @NotNull
        @Schema(
            example = "true",
            description =
                "false = a lease must fit the guarantees of its tenant for its whole window")
        Boolean mayBePreempted,
    @Schema(
            description =
                "Whether it takes from lower classes: of its own tenant, and what others borrow."
                    + " As it stands if absent; false for a new class")
        @Nullable Boolean mayPreempt,
    @Schema(example = "PT10M", description = "How long a lease runs before it may be preempted")
        @Nullable Duration minimumRun,
    @Schema(
            example = "PT0S",
            description = "How long before its end a lease is told that it is preempted")
        @Nullable Duration notice,
    @Valid @Schema(description = "Absent = as often as need be, at any hour")
        @Nullable DisruptionBudget disruption,
    @Schema(example = "PT0S", description = "What a hold adds before the window")
        @Nullable Duration prepare,
    @Schema(example = "PT30S", description = "What an ending lease gets to wind down")
        @Nullable Duration grace,
    @Schema(example = "PT1M", description = "How long a cluster may take to confirm a withdrawal")
        @Nullable Duration withdrawAllowance,
    @Schema(example = "PT4H", description = "After this the oldest of a kind owns an earmark")
        @Nullable Duration agingAfter,
    @Schema(example = "P30D", description = "Limit of a lease's whole length")
        @Nullable Duration longestDuration,
    @Schema(example = "P180D", description = "How far ahead a start may lie")
        @Nullable Duration horizon) {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration YEAR = Duration.ofDays(366);
  private static final ServiceClass USUAL =
      BuiltInClasses.ALL.stream().filter(c -> c.slug().equals("batch")).findFirst().orElseThrow();

  /**
   * The class as it shall be.
   *
   * @param standing keeps what is not told here; null for a new class
   */
  ServiceClass applied(String slug, @Nullable ServiceClass standing) {
    List<Fault> faults = new ArrayList<>();
    ServiceClass after =
        new ServiceClass(
            slug,
            priority,
            mayPreempt != null ? mayPreempt : standing != null && standing.mayPreempt(),
            mayBePreempted,
            standing != null && standing.mayBeOpenEnded(),
            micros("/minimumRun", minimumRun, USUAL.minimumRun(), Duration.ZERO, WEEK, faults),
            micros("/prepare", prepare, USUAL.prepare(), Duration.ZERO, HOUR, faults),
            micros("/grace", grace, USUAL.grace(), Duration.ZERO, HOUR, faults),
            micros(
                "/withdrawAllowance",
                withdrawAllowance,
                USUAL.withdrawAllowance(),
                Duration.ZERO,
                HOUR,
                faults),
            micros(
                "/agingAfter", agingAfter, USUAL.agingAfter(), Duration.ofMinutes(1), YEAR, faults),
            micros(
                "/longestDuration",
                longestDuration,
                USUAL.longestDuration(),
                Duration.ofMinutes(1),
                YEAR,
                faults),
            micros("/horizon", horizon, USUAL.horizon(), Duration.ofMinutes(1), YEAR, faults),
            micros("/notice", notice, 0, Duration.ZERO, WEEK, faults),
            disruption == null ? null : disruption.read("/disruption", faults));
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return after;
  }

  static long micros(
      String pointer,
      @Nullable Duration given,
      long usual,
      Duration least,
      Duration most,
      List<Fault> faults) {
    if (given == null) {
      return usual;
    }
    if (given.compareTo(least) < 0 || given.compareTo(most) > 0) {
      faults.add(
          Fault.at(pointer, "out-of-range", given + " is not between " + least + " and " + most));
      return usual;
    }
    return given.toSeconds() * 1_000_000;
  }
}
