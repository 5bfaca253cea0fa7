package io.leasehold.tenancy;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key to be made.
 *
 * @param role what it may do; default member in a tenant
 * @param scopes operations that it is narrowed to; absent = all of its role
 * @param owner whose present roles bound it; default the caller. Else a service of the tenant
 * @param expireTime default in 90 days; at most in 365
 */
record ApiKeyRequest(
    @NotNull @Size(min = 1, max = 128) @Schema(example = "ci-train") String name,
    @Schema(
            example = "member",
            allowableValues = {
              "platform-admin",
              "operator",
              "auditor",
              "tenant-admin",
              "member",
              "viewer"
            })
        @Nullable String role,
    @Size(max = 64) @Nullable List<@NotNull @Size(max = 64) String> scopes,
    @Nullable UUID owner,
    @Nullable Instant expireTime) {

  ApiKeyRequest {
    scopes = scopes == null ? List.of() : List.copyOf(scopes);
  }
}
