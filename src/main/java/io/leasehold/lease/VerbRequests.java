package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What the verbs take. */
final class VerbRequests {

  private VerbRequests() {}

  @Schema(
      name = "ExtendRequest",
      description = "Exactly one of the two.",
      example = "{\"by\": \"PT1H\"}")
  record Extend(
      @Schema(format = "date-time") @Nullable String endTime,
      @Schema(description = "ISO 8601, from the present end.", example = "PT1H")
          @Nullable String by) {}

  @Schema(name = "ShortenRequest")
  record Shorten(
      @Schema(format = "date-time", requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable String endTime) {}

  @Schema(name = "RevokeRequest", example = "{\"reason\": \"power work in rack r2\"}")
  record Revoke(
      @Schema(maxLength = 1024, minLength = 1, requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable String reason) {}
}
