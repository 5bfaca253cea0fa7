package io.leasehold.tenancy;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may be patched of a tenant: absent = left as it is, null = taken away. */
record TenantPatch(
    @Size(min = 1, max = 128) @Schema(example = "Robotics lab") @Nullable String name,
    @Size(max = 64) @Nullable List<@Valid TenantIdentity> identities) {

  TenantPatch {
    identities = identities == null ? List.of() : List.copyOf(identities);
  }
}
