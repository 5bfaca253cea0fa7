package io.leasehold.fleet;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A GPU model to add. */
@Schema(
    example =
        """
        { "slug": "l40s", "canonical": "NVIDIA-L40S", "aliases": [ "L40S-48GB" ], "memoryMiB": 46068 }
        """)
record CreateGpuModelRequest(
    @NotNull @Pattern(regexp = Slug.PATTERN, message = Slug.RULE) @Schema(example = "l40s")
        String slug,
    @NotNull
        @Pattern(regexp = GpuModelRequest.NAME, message = GpuModelRequest.NAME_RULE)
        @Schema(
            example = "NVIDIA-L40S",
            description = "What GPU Feature Discovery prints in nvidia.com/gpu.product")
        String canonical,
    @Size(max = 16)
        @Nullable
            List<
                @NotNull
                @Pattern(regexp = GpuModelRequest.NAME, message = GpuModelRequest.NAME_RULE) String>
            aliases,
    @NotNull @Min(0) @Max(10_000_000) @Schema(example = "46068", description = "0 = not known")
        Integer memoryMiB,
    @Min(0) @Max(8) @Schema(description = "0 = no MIG") @Nullable Integer memorySlices,
    @Min(0) @Max(7) @Schema(description = "0 = no MIG") @Nullable Integer computeSlices,
    @Size(max = 32) @Nullable List<@NotNull @Valid MigProfile> profiles,
    @Schema(example = "PT0S", description = "What a change of sharing mode adds to the preparation")
        @Nullable Duration reconfigureTime) {

  GpuModelRequest request() {
    return new GpuModelRequest(
        canonical, aliases, memoryMiB, memorySlices, computeSlices, profiles, reconfigureTime);
  }
}
