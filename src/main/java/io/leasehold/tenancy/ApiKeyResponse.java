package io.leasehold.tenancy;

import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as it is.
 *
 * @param mark its public part, by which it is found in a script or a log
 * @param key the secret, in the answer that made it and never again
 */
@Schema(name = "ApiKey")
record ApiKeyResponse(
    UUID id,
    String name,
    @Nullable String tenant,
    @ExtensibleEnum({"platform-admin", "operator", "auditor", "tenant-admin", "member", "viewer"})
        @Nullable String role,
    List<String> scopes,
    UUID owner,
    @Schema(example = "4fT0bQ2xYz9K") String mark,
    Instant createTime,
    Instant expireTime,
    @Nullable Instant revokeTime,
    @Nullable Instant lastUsedTime,
    @Nullable String key) {

  ApiKeyResponse withoutSecret() {
    return withSecret(null);
  }

  ApiKeyResponse withSecret(@Nullable String secret) {
    return new ApiKeyResponse(
        id,
        name,
        tenant,
        role,
        scopes,
        owner,
        mark,
        createTime,
        expireTime,
        revokeTime,
        lastUsedTime,
        secret);
  }
}
