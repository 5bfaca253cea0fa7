package io.leasehold.lease;

import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Making room for a request by moving leases that allow it: a plan first, then its approval. */
@RestController
@RequestMapping("/api/v1/pools/{pool}/consolidations")
@Tag(name = "fleet")
class ConsolidationController {

  private final ConsolidationService service;
  private final Calls calls;

  ConsolidationController(ConsolidationService service, Calls calls) {
    this.service = service;
    this.calls = calls;
  }

  @PostMapping(
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.CONSOLIDATE)
  @Operation(
      operationId = "planConsolidation",
      summary = "Plan which leases would move so that a request fits",
      description =
          "The fewest and cheapest moves found by a bounded search, every lease re-placed in the"
              + " same plan. Leases that run are moved only if they are `movable`; what has not"
              + " begun may always be bound elsewhere. Changes nothing.")
  @ApiResponse(
      responseCode = "200",
      description = "The plan; without `fits` there is none, and `reasons` say why.")
  ConsolidationPlanBody plan(@PathVariable String pool, @RequestBody ConsolidationRequest body) {
    return service.plan(pool, body);
  }

  @PostMapping(
      path = "/apply",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.CONSOLIDATE)
  @Operation(
      operationId = "applyConsolidation",
      summary = "Approve a plan: move exactly these leases",
      description =
          "All moves in one transaction, if they are still what would be planned; else 412"
              + " `book-changed` with the plan that is due now. The request itself is made by its"
              + " owner.")
  @ApiResponse(responseCode = "200", description = "Done, as planned.")
  ConsolidationPlanBody apply(
      @PathVariable String pool,
      @RequestBody ConsolidationApproval body,
      @Nullable IdempotencyKey key) {
    return service.apply(pool, body, calls.change(key, false, null));
  }
}
