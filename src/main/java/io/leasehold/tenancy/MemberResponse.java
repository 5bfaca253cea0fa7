package io.leasehold.tenancy;

import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Somebody with a role, in a tenant or (without one) in the installation. */
@Schema(name = "Member")
record MemberResponse(
    UUID principal,
    @ExtensibleEnum({"user", "service"}) String kind,
    String name,
    @Nullable String issuer,
    @Nullable String subject,
    @Nullable String tenant,
    @ExtensibleEnum({"platform-admin", "operator", "auditor", "tenant-admin", "member", "viewer"})
        String role,
    Instant createTime) {}
