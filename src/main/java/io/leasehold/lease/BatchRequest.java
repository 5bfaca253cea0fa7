package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Several requests at once. */
@Schema(name = "LeaseBatchRequest")
record BatchRequest(
    @Schema(
            description = "Up to 1,000; up to 100 when atomic.",
            requiredMode = Schema.RequiredMode.REQUIRED)
        @io.swagger.v3.oas.annotations.media.ArraySchema(
            minItems = 1,
            maxItems = 1000,
            schema = @Schema(implementation = Element.class))
        @Nullable List<JsonNode> leases,
    @Schema(description = "All or none, in one pool.", defaultValue = "false")
        @Nullable Boolean atomic) {

  /** For the document; {@link BatchReader} reads the elements. */
  @Schema(
      name = "LeaseBatchElement",
      description = "A lease request, with an id of one's own and what must be over before.",
      allOf = LeaseRequest.class,
      example =
          """
          {"tenant": "vision", "gpu": {"models": ["h100"], "count": 1}, "duration": "PT1H"}\
          """)
  record Element(
      @Schema(description = "A UUID of version 4 or 7.") @Nullable UUID id,
      @Schema(description = "Leases that must be over before this one starts; at most 100.")
          @Nullable List<UUID> after) {}
}
