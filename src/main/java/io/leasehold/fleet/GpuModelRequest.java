package io.leasehold.fleet;

import io.leasehold.engine.GpuModel;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is said about a GPU model. */
@Schema(
    example =
        """
        { "canonical": "NVIDIA-L40S", "aliases": [ "L40S-48GB" ], "memoryMiB": 46068 }
        """)
record GpuModelRequest(
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

  static final String NAME = "^[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$";
  static final String NAME_RULE =
      "1 to 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit";

  private static final Duration LONGEST = Duration.ofHours(1);

  /** The engine's model; profiles that do not fit the card's slices are faults. */
  GpuModel model(String slug) {
    int memory = Objects.requireNonNullElse(memorySlices, 0);
    int compute = Objects.requireNonNullElse(computeSlices, 0);
    Duration reconfigure = Objects.requireNonNullElse(reconfigureTime, Duration.ZERO);
    List<MigProfile> given = profiles == null ? List.of() : profiles;
    List<Fault> faults = new ArrayList<>();
    if ((memory == 0) != (compute == 0)) {
      faults.add(Fault.at("/computeSlices", "mig-or-not", "memory and compute slices go together"));
    }
    for (int i = 0; i < given.size(); i++) {
      if (!fits(given.get(i), memory, compute)) {
        faults.add(
            Fault.at(
                "/profiles/" + i,
                "does-not-fit",
                given.get(i).name()
                    + " does not fit in "
                    + memory
                    + " memory and "
                    + compute
                    + " compute slices at its starts"));
      }
    }
    if (given.stream().map(MigProfile::name).distinct().count() < given.size()) {
      faults.add(Fault.at("/profiles", "duplicate", "a profile is here twice"));
    }
    if (reconfigure.compareTo(LONGEST) > 0) {
      faults.add(Fault.at("/reconfigureTime", "out-of-range", "at most " + LONGEST));
    }
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return new GpuModel(
        slug,
        canonical,
        aliases == null ? List.of() : aliases,
        memoryMiB,
        memory,
        compute,
        given.stream().map(MigProfile::profile).toList(),
        reconfigure.toSeconds() * 1_000_000);
  }

  private static boolean fits(MigProfile profile, int memory, int compute) {
    return profile.compute() <= compute
        && profile.starts().stream().allMatch(start -> start + profile.size() <= memory);
  }
}
