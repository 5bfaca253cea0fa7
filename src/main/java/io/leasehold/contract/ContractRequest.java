package io.leasehold.contract;

import io.leasehold.fleet.Slug;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a contract of a tenant in a pool is to say. */
@Schema(
    example =
        """
        { "pool": "main", "tenant": "acme",
          "startTime": "2027-01-01T00:00:00Z", "endTime": "2028-01-01T00:00:00Z",
          "entitlements": [ { "model": "h100", "guaranteed": 8, "borrowingLimit": 16 } ] }
        """)
public record ContractRequest(
    @NotNull @Pattern(regexp = Slug.PATTERN, message = Slug.RULE) @Schema(example = "main")
        String pool,
    @NotNull @Pattern(regexp = Slug.PATTERN, message = Slug.RULE) @Schema(example = "nlp")
        String tenant,
    @NotNull @Schema(example = "2027-01-01T00:00:00Z") Instant startTime,
    @NotNull @Schema(example = "2028-01-01T00:00:00Z") Instant endTime,
    @NotNull @Size(min = 1, max = 64) List<@NotNull @Valid EntitlementRequest> entitlements) {

  /** What a contract gives of one GPU model, in GPUs. */
  @Schema(name = "Entitlement", description = "What a contract gives of one GPU model, in GPUs")
  public record EntitlementRequest(
      @NotNull
          @Size(min = 1, max = 63)
          @Schema(example = "h100", description = "Slug, canonical name or alias")
          String model,
      @NotNull
          @Min(0)
          @Max(1_000_000)
          @Schema(
              example = "8",
              description = "Kept free for the tenant, or lent until it is asked for")
          Integer guaranteed,
      @Min(0)
          @Max(1_000_000)
          @Schema(description = "Beyond the guarantee; absent = bounded only by ancestors")
          @Nullable Integer borrowingLimit,
      @Min(0)
          @Max(1_000_000)
          @Schema(description = "Of the unused guarantee to others; absent = all of it")
          @Nullable Integer lendingLimit,
      @Min(0)
          @Max(1_000_000)
          @Schema(description = "Share among siblings of what is lent; absent = 1")
          @Nullable Integer weight) {}
}
