package io.leasehold.tenancy;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/** What a tenant is called in a cluster. */
public record TenantIdentity(
    @NotNull @Pattern(regexp = Slug.FORM, message = Slug.RULE) @Schema(example = "slurm-west")
        String cluster,
    @NotNull @Pattern(regexp = Slug.FORM, message = Slug.RULE) @Schema(example = "slurm-account")
        String kind,
    @NotNull @Size(min = 1, max = 255) @Schema(example = "vision") String value) {}
