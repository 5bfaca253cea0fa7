package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a caller asks for. Instants, durations and words are text here, so that all faults of a body
 * are found at once by {@link Translation}, which holds the rules.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@Schema(
    name = "LeaseRequest",
    requiredProperties = {"gpu"},
    description =
        "A request for GPUs. One of `duration` and `endTime`, or neither where the class allows"
            + " a lease without an end; exactly one of `gpu.count` and `gpu.groups` with `gpu.perGroup`.",
    example =
        """
        {"tenant": "vision", "name": "resnet nightly", "serviceClass": "batch",
         "gpu": {"models": ["h100", "a100"], "count": 8}, "duration": "PT4H"}\
        """)
record LeaseRequest(
    @Schema(description = "Required unless you have one tenant only.", example = "vision")
        @Nullable String tenant,
    @Schema(description = "Required unless the tenant can use one pool only.", example = "main")
        @Nullable String pool,
    @Schema(maxLength = 128, example = "resnet nightly") @Nullable String name,
    @Schema(description = "`batch` by default.", example = "batch") @Nullable String serviceClass,
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable Gpu gpu,
    @Schema(
            description = "Thousandths of a core, per group, or for the lease without groups.",
            minimum = "1",
            maximum = "1000000000")
        @Nullable Long cpuMilli,
    @Schema(
            description = "Host memory, per group, or for the lease without groups.",
            minimum = "1",
            maximum = "1000000000000")
        @Nullable Long memoryMiB,
    @Schema(description = "At most one rule for each level.") @Nullable List<Topology> topology,
    @Nullable Placement placement,
    @Schema(
            description =
                "Whether an operator's approved plan may move it to other devices of its model"
                    + " while it runs, so that another request fits; the old ones are withdrawn"
                    + " with the grace of its class. False by default.")
        @Nullable Boolean movable,
    @Schema(
            format = "date-time",
            description = "Now if absent. Up to one minute in the past means now.")
        @Nullable String startTime,
    @Schema(description = "Instead of `startTime`: anywhere in between.") @Nullable Window window,
    @Schema(description = "ISO 8601, PT1M to P366D, in days to seconds.", example = "PT4H")
        @Nullable String duration,
    @Schema(format = "date-time") @Nullable String endTime,
    @Schema(
            description = "What to do when it does not fit now; `wait` by default.",
            allowableValues = {"wait", "refuse"})
        @Nullable String onShortage,
    @Schema(
            description =
                "How long to wait; by default until the latest possible start, 7 days"
                    + " where there is none.",
            example = "PT12H")
        @Nullable String maxWait,
    @Schema(
            description =
                "As the class says if absent. A class that is never preempted may be"
                    + " offered for preemption, not the other way round.")
        @Nullable Boolean preemptible,
    @Schema(
            description =
                "A hint of what losing it would cost; of equals the cheapest is preempted first."
                    + " 0 if absent. Only for what may be preempted.",
            minimum = "0",
            maximum = "1000",
            example = "100")
        @Nullable Long preemptionCost,
    @Schema(
            description =
                "Id of the reservation it draws on: then it lies on what is set aside, within one"
                    + " of its times, and is not charged again.")
        @Nullable String reservation,
    @Schema(maxLength = 128, example = "alice") @Nullable String owner,
    @Schema(description = "At most 32, each at most 1 KiB; lists can be filtered by them.")
        @Nullable Map<String, String> labels,
    @Schema(description = "At most 32, each at most 1 KiB.")
        @Nullable Map<String, String> annotations,
    @Schema(description = "How long before the end to be told, ISO 8601.", example = "[\"PT15M\"]")
        @Nullable List<String> notifyBefore,
    @Schema(
            description =
                "How long its holder may be silent while it is active, PT10S to P7D: after that"
                    + " it ends with the cause `heartbeat-lost`. Send `/heartbeat` three times as"
                    + " often. It never ends for silence if absent.",
            example = "PT10M")
        @Nullable String heartbeatTimeout,
    @Schema(
            description =
                "Book of an earlier answer (`decision.book`): 412 `book-changed` if the"
                    + " pool has moved on.",
            example = "main:88213")
        @Nullable String ifBook) {

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @Schema(name = "GpuRequest", description = "Which GPUs, and in what shape.")
  record Gpu(
      @Schema(
              description =
                  "In order of preference, by slug, canonical name or alias; any if absent.",
              example = "[\"h100\", \"a100\"]")
          @Nullable List<String> models,
      @Schema(description = "Least memory of one GPU.", minimum = "1", maximum = "10000000")
          @Nullable Long minMemoryMiB,
      @Schema(
              description = "GPUs (or MIG instances, or fractions) in one cluster.",
              minimum = "1",
              maximum = "100000",
              example = "8")
          @Nullable Long count,
      @Schema(
              description = "With `perGroup`: groups, each on one node.",
              minimum = "1",
              maximum = "100000")
          @Nullable Long groups,
      @Schema(minimum = "1", maximum = "64") @Nullable Long perGroup,
      @Schema(description = "MIG profile, with `count`.", example = "1g.10gb") @Nullable String mig,
      @Schema(description = "Thousandths of one GPU, with `count`.", minimum = "1", maximum = "999")
          @Nullable Long shareMilli,
      @Schema(
              description =
                  "The fewest (of `count`, or of `groups`) it may start with, and be brought down"
                      + " to where it may be preempted; all or nothing if absent.",
              minimum = "1",
              maximum = "100000")
          @Nullable Long minCount) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @Schema(
      name = "TopologyRule",
      requiredProperties = {"level", "rule"},
      description = "A rule about a level of the topology tree.")
  record Topology(
      @Schema(
              requiredMode = Schema.RequiredMode.REQUIRED,
              allowableValues = {"region", "zone", "block", "rack", "nvlink", "node"})
          @Nullable String level,
      @Schema(
              requiredMode = Schema.RequiredMode.REQUIRED,
              allowableValues = {"required", "preferred", "spread"})
          @Nullable String rule,
      @Schema(
              description = "Most GPUs in one domain of the level.",
              minimum = "1",
              maximum = "100000")
          @Nullable Long atMost) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @Schema(name = "PlacementRequest", description = "Where it may lie; absent allows everything.")
  record Placement(
      @Nullable List<String> clusters,
      @Nullable List<String> avoidClusters,
      @Nullable List<String> avoidNodeIds,
      @Schema(description = "Domain paths, such as `eu-1/eu-1a`.") @Nullable List<String> within) {}

  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @Schema(
      name = "WindowRequest",
      requiredProperties = {"latestEndTime"},
      description = "Anywhere in between, for `duration`.")
  record Window(
      @Schema(format = "date-time", description = "Now if absent.")
          @Nullable String earliestStartTime,
      @Schema(format = "date-time", requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable String latestEndTime) {}
}
