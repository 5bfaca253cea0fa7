package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
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

  @Schema(
      name = "ResizeRequest",
      requiredProperties = {"gpu"},
      example = "{\"gpu\": {\"count\": 4}, \"keepNodeIds\": []}")
  record Resize(
      @Schema(
              requiredMode = Schema.RequiredMode.REQUIRED,
              description =
                  "The new size, in the form in which the lease was asked for: `count`, or"
                      + " `groups`. What else is said must be as it is.")
          LeaseRequest.@Nullable Gpu gpu,
      @Schema(
              description =
                  "Nodes of the lease on which nothing is given back when it shrinks. Growth gives"
                      + " back nothing.")
          @Nullable List<String> keepNodeIds) {}

  @Schema(
      name = "ReplaceRequest",
      requiredProperties = {"nodeIds"},
      example =
          "{\"nodeIds\": [\"0199e111-0000-7000-8000-000000000014\"], \"reason\": \"ECC errors\"}")
  record Replace(
      @Schema(
              requiredMode = Schema.RequiredMode.REQUIRED,
              description = "Nodes of the lease; the others stay as they are.")
          @Nullable List<String> nodeIds,
      @Schema(maxLength = 1024) @Nullable String reason) {}

  @Schema(
      name = "TransferRequest",
      description = "Exactly one of the two.",
      example = "{\"owner\": \"bob\"}")
  record Transfer(
      @Schema(maxLength = 128, description = "Who it is for; a text.") @Nullable String owner,
      @Schema(
              description =
                  "Another tenant, against whose limits it is admitted as a new request. You must"
                      + " be allowed to ask for leases there.")
          @Nullable String tenant) {}

  @Schema(name = "RevokeRequest", example = "{\"reason\": \"power work in rack r2\"}")
  record Revoke(
      @Schema(maxLength = 1024, minLength = 1, requiredMode = Schema.RequiredMode.REQUIRED)
          @Nullable String reason) {}
}
