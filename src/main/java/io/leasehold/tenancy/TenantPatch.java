package io.leasehold.tenancy;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What to change of a tenant: absent = left as it is, null = taken away.
 *
 * @param name shown to people
 */
record TenantPatch(
    @Schema(implementation = String.class, maxLength = 128) @Nullable
        Optional<@Size(min = 1, max = 128) String> name,
    @Nullable Optional<@Size(max = 64) List<@Valid TenantIdentity>> identities) {}
