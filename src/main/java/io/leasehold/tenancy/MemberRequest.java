package io.leasehold.tenancy;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who gets a role: somebody known by {@code principal}; or a person of an identity provider by
 * {@code issuer} and {@code subject}; or, with a {@code name} alone, a new service.
 */
record MemberRequest(
    @Nullable UUID principal,
    @Size(min = 1, max = 128) @Schema(example = "nightly pipeline") @Nullable String name,
    @Size(min = 1, max = 512) @Schema(example = "https://login.example.com")
        @Nullable String issuer,
    @Size(min = 1, max = 255) @Nullable String subject,
    @NotNull
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
        String role) {}
