package io.leasehold.tenancy;

import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A tenant as it is. */
@Schema(name = "Tenant")
record TenantResponse(
    @Schema(example = "vision") String slug,
    @Schema(example = "research") @Nullable String parent,
    @Nullable String name,
    @ExtensibleEnum({"ACTIVE", "RETIRED"}) @Schema(example = "ACTIVE") String state,
    List<TenantIdentity> identities,
    @Schema(minimum = "1", maximum = "9223372036854775807") long revision,
    Instant createTime,
    Instant updateTime) {

  boolean isRetired() {
    return state.equals("RETIRED");
  }
}
