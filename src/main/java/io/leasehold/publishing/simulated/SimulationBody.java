package io.leasehold.publishing.simulated;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The latencies and faults of a simulated cluster, as callers see them; what is absent is plain.
 *
 * @param flapEvery away and back in turn, for so long each
 */
@Schema(name = "Simulation")
record SimulationBody(
    @Schema(
            type = "string",
            example = "PT2S",
            description = "From the order until the lease is usable")
        @Nullable Duration publishLatency,
    @Schema(
            type = "string",
            example = "PT1S",
            description = "From the order until nothing of the lease is left")
        @Nullable Duration withdrawLatency,
    @Min(0)
        @Max(1000)
        @Schema(description = "Of 1,000 deliveries, how many are answered \"later\"", example = "0")
        @Nullable Integer failMilli,
    @Min(0)
        @Max(1000)
        @Schema(
            description = "Of 1,000 calls that took effect, how many have no answer",
            example = "0")
        @Nullable Integer loseAnswerMilli,
    @Schema(type = "string", description = "Away and back in turn, for so long each")
        @Nullable Duration flapEvery,
    @Schema(description = "Answers nothing") @Nullable Boolean away,
    @Schema(description = "Shows nothing of what it has") @Nullable Boolean saysZero,
    @Size(max = 1000) @Schema(description = "Nodes on which there is never room")
        @Nullable List<UUID> busyNodeIds,
    @Min(-9007199254740991L)
        @Max(9007199254740991L)
        @Schema(description = "Of the chances above", example = "1")
        @Nullable Long seed) {

  static SimulationBody of(Simulation simulation) {
    return new SimulationBody(
        simulation.publishLatency(),
        simulation.withdrawLatency(),
        simulation.failMilli(),
        simulation.loseAnswerMilli(),
        simulation.flapEvery(),
        simulation.away(),
        simulation.saysZero(),
        simulation.busyNodeIds().stream().sorted().toList(),
        simulation.seed());
  }

  Simulation simulation() {
    return new Simulation(
        publishLatency,
        withdrawLatency,
        failMilli == null ? 0 : failMilli,
        loseAnswerMilli == null ? 0 : loseAnswerMilli,
        flapEvery == null || flapEvery.isZero() ? null : flapEvery,
        Boolean.TRUE.equals(away),
        Boolean.TRUE.equals(saysZero),
        busyNodeIds == null ? Set.of() : Set.copyOf(busyNodeIds),
        seed == null ? 0 : seed);
  }
}
