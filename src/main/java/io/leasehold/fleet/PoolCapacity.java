package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;

/** What a pool has of one GPU model: counts only, so that every caller may see them. */
@Schema(description = "What a pool has of one GPU model")
public record PoolCapacity(
    @Schema(example = "NVIDIA-H100-80GB-HBM3", description = "Canonical name of the GPU model")
        String model,
    @Schema(minimum = "0", maximum = "1000000", description = "Nodes that are not retired")
        int nodes,
    @Schema(minimum = "0", maximum = "64000000", description = "GPUs that are not retired")
        int gpus,
    @Schema(
            minimum = "0",
            maximum = "64000000",
            description = "GPUs that are healthy and not on a draining node")
        int usable,
    @Schema(
            minimum = "0",
            maximum = "64000000",
            description = "GPUs of which a lease has at least a part in its hands")
        int leased,
    @Schema(minimum = "0", maximum = "64000000", description = "Usable GPUs that no lease touches")
        int free,
    @Schema(
            minimum = "0",
            maximum = "64000000",
            description =
                "Leased GPUs that are not usable: by so many more is promised than is fit")
        int overCommitted) {}
