package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.util.List;

/** A GPU model as callers see it. */
@Schema(name = "GpuModel", description = "A GPU model, its names and its MIG placement table")
record GpuModelResponse(
    @Schema(example = "h100") String slug,
    @Schema(
            example = "NVIDIA-H100-80GB-HBM3",
            description = "What GPU Feature Discovery prints in nvidia.com/gpu.product")
        String canonical,
    List<String> aliases,
    @Schema(minimum = "0", maximum = "10000000", description = "0 = not known") int memoryMiB,
    @Schema(minimum = "0", maximum = "8", description = "0 = no MIG") int memorySlices,
    @Schema(minimum = "0", maximum = "7", description = "0 = no MIG") int computeSlices,
    List<MigProfile> profiles,
    @Schema(example = "PT0S", description = "What a change of sharing mode adds to the preparation")
        Duration reconfigureTime,
    @Schema(minimum = "1", maximum = "9007199254740991") long revision) {

  static GpuModelResponse of(GpuModelRecord kept) {
    GpuModel model = kept.model();
    return new GpuModelResponse(
        model.slug(),
        model.canonical(),
        model.aliases(),
        model.memoryMiB(),
        model.memorySlices(),
        model.computeSlices(),
        model.profiles().stream().map(MigProfile::of).toList(),
        Duration.ofMillis(model.reconfigureTime() / 1_000),
        kept.revision());
  }
}
