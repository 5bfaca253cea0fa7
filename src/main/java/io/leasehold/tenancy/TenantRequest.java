package io.leasehold.tenancy;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tenant as its admin wants it.
 *
 * @param slug required to create; for ever
 * @param parent absent = a root of the installation
 */
record TenantRequest(
    @Pattern(regexp = Slug.FORM, message = Slug.RULE) @Schema(example = "robotics")
        @Nullable String slug,
    @Pattern(regexp = Slug.FORM, message = Slug.RULE) @Schema(example = "research")
        @Nullable String parent,
    @Size(min = 1, max = 128) @Schema(example = "Robotics lab") @Nullable String name,
    @Size(max = 64) @Nullable List<@Valid TenantIdentity> identities) {

  TenantRequest {
    identities = identities == null ? List.of() : List.copyOf(identities);
  }
}
