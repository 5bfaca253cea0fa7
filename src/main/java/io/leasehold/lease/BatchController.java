package io.leasehold.lease;

import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Many leases in one call. */
@RestController
@Tag(name = "leases")
class BatchController {

  private final BatchService service;
  private final Calls calls;

  BatchController(BatchService service, Calls calls) {
    this.service = service;
    this.calls = calls;
  }

  @PostMapping(
      path = "/api/v1/leases/batch",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.CREATE)
  @AnswersLeaseProblems
  @Operation(
      operationId = "createLeases",
      summary = "Ask for many leases at once",
      description = "Each by itself, or all or none. Answers come in the order sent.")
  @ApiResponse(responseCode = "200", description = "What became of each.")
  BatchResponse create(@RequestBody BatchRequest body, @Nullable IdempotencyKey key) {
    return service.create(body, calls.create(key, false, null));
  }
}
