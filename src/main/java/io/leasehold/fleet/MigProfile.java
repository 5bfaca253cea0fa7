package io.leasehold.fleet;

import io.leasehold.engine.GpuModel.Profile;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;

/** A MIG profile and where its instances may lie. Same form in requests and answers. */
@Schema(description = "A MIG profile and where its instances may lie on a GPU")
record MigProfile(
    @NotNull
        @Pattern(
            regexp = "^[1-9]g\\.[1-9][0-9]{0,3}gb([+-][a-z.]{1,16})?$",
            message = "a profile is named like 1g.10gb or 1g.10gb+me")
        @Schema(example = "1g.10gb")
        String name,
    @NotNull @Min(1) @Max(8) @Schema(description = "Memory slices taken") Integer size,
    @NotNull @Min(1) @Max(7) @Schema(description = "Compute slices taken") Integer compute,
    @NotNull
        @Size(min = 1, max = 8)
        @ArraySchema(
            arraySchema = @Schema(description = "Memory slices at which an instance may begin"))
        List<@NotNull @Min(0) @Max(7) Integer> starts,
    @NotNull @Min(1) @Max(8) @Schema(description = "How many fit on one GPU") Integer most) {

  static MigProfile of(Profile profile) {
    return new MigProfile(
        profile.name(), profile.size(), profile.compute(), profile.starts(), profile.most());
  }

  Profile profile() {
    return new Profile(name, size, compute, starts.stream().sorted().distinct().toList(), most);
  }
}
