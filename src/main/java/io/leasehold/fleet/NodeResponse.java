package io.leasehold.fleet;

import io.leasehold.engine.Health;
import io.leasehold.engine.Node;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A node as callers see it. */
@Schema(name = "Node", description = "A machine with GPUs of one model")
record NodeResponse(
    UUID id,
    @Schema(example = "e-014", description = "Used again only after the node is retired")
        String name,
    @Schema(example = "k8s-east") String cluster,
    @Schema(example = "main") String pool,
    @Schema(example = "NVIDIA-H100-80GB-HBM3", description = "Canonical name of the GPU model")
        String model,
    Topology topology,
    @Schema(example = "eu-1/eu-1a/b3/r7//e-014", description = "Path of its domain") String domain,
    @Schema(minimum = "0", maximum = "100000000", description = "0 = not known, then not checked")
        long cpuMilli,
    @Schema(minimum = "0", maximum = "1000000000", description = "0 = not known, then not checked")
        long memoryMiB,
    @Schema(minimum = "0", maximum = "64", description = "GPUs that are not retired") int gpuCount,
    List<Gpu> gpus,
    @Schema(description = "Absent = not draining") @Nullable DrainState drain,
    @Schema(description = "true = gone for good") boolean retired,
    @Schema(minimum = "1", maximum = "9007199254740991") long revision,
    Instant createTime,
    Instant updateTime) {

  /** A device. */
  @Schema(name = "NodeGpu", description = "A device of a node")
  record Gpu(
      @Schema(minimum = "0", maximum = "63") int index,
      @Nullable String uuid,
      @ExtensibleEnum(of = Health.class) String health) {}

  /** A drain that is on. */
  @Schema(description = "Nothing new is placed on the node")
  record DrainState(
      @Schema(description = "When it must be empty; absent = when its leases have ended")
          @Nullable Instant deadlineTime,
      @Nullable String reason) {}

  static NodeResponse of(NodeRecord record, String canonicalModel) {
    Node node = record.node();
    List<Gpu> gpus =
        IntStream.range(0, node.gpus().size())
            .mapToObj(
                i -> new Gpu(i, node.gpus().get(i).uuid(), node.gpus().get(i).health().name()))
            .toList();
    return new NodeResponse(
        node.id(),
        node.name(),
        node.cluster(),
        record.pool(),
        canonicalModel,
        Topology.of(node.domain()),
        node.domain().pathOf(node.name()),
        node.cpuMilli(),
        node.memoryMiB(),
        (int) node.gpus().stream().filter(gpu -> gpu.health() != Health.RETIRED).count(),
        gpus,
        drain(record),
        node.retired(),
        record.revision(),
        record.createTime(),
        record.updateTime());
  }

  private static @Nullable DrainState drain(NodeRecord record) {
    Long deadline = record.node().drainDeadline();
    return deadline == null ? null : new DrainState(Times.instant(deadline), record.drainReason());
  }
}
