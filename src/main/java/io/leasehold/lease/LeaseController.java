package io.leasehold.lease;

import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Ids;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/** The front door: ask for a lease, look at it, list leases, change what it carries. */
@RestController
@RequestMapping(path = "/api/v1/leases", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "leases")
class LeaseController {

  private final LeaseService service;
  private final LeaseChanges changes;
  private final LeaseReading reading;
  private final Calls calls;

  LeaseController(LeaseService service, LeaseChanges changes, LeaseReading reading, Calls calls) {
    this.service = service;
    this.changes = changes;
    this.reading = reading;
    this.calls = calls;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.CREATE)
  @AnswersLeaseProblems
  @Operation(operationId = "createLease", summary = "Ask for GPUs")
  @ApiResponse(responseCode = "200", description = "Dry run: the lease as it would be.")
  @ApiResponse(responseCode = "201", description = "Admitted, or planned for a later start.")
  @ApiResponse(responseCode = "202", description = "Waiting.")
  ResponseEntity<LeaseResponse> create(
      @RequestBody LeaseRequest body,
      @Parameter(description = "Decide and undo.") @RequestParam(defaultValue = "false")
          boolean dryRun,
      @Nullable IdempotencyKey key,
      @Parameter(description = "`wait=N`: up to 60 s, until the lease is active.")
          @RequestHeader(name = "Prefer", required = false)
          @Nullable String prefer,
      HttpServletRequest request) {
    return service
        .create(body, Calls.raw(request), Ids.next(), calls.create(key, dryRun, prefer))
        .toEntity();
  }

  @PutMapping(path = "/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.CREATE)
  @AnswersLeaseProblems
  @Operation(operationId = "putLease", summary = "Ask for GPUs under an id of your own")
  @ApiResponse(
      responseCode = "200",
      description = "The same request again (or a dry run): the lease as it stands.")
  @ApiResponse(responseCode = "201", description = "Admitted, or planned for a later start.")
  @ApiResponse(responseCode = "202", description = "Waiting.")
  ResponseEntity<LeaseResponse> put(
      @Parameter(description = "A UUID of version 4 or 7.") @PathVariable UUID id,
      @RequestBody LeaseRequest body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
      HttpServletRequest request) {
    return service
        .put(LeaseReading.chosen(id), body, Calls.raw(request), calls.create(null, dryRun, prefer))
        .toEntity();
  }

  @GetMapping("/{id}")
  @Requires(Operations.READ)
  @Operation(
      operationId = "getLease",
      summary = "A lease",
      description = "With `If-None-Match` and `Prefer: wait=N` waits until it changes, else 304.")
  @ApiResponse(responseCode = "200", description = "As it stands.")
  @ApiResponse(responseCode = "304", description = "Not changed.", content = @Content)
  ResponseEntity<LeaseResponse> get(
      @PathVariable UUID id,
      @RequestHeader(name = "If-None-Match", required = false) @Nullable String ifNoneMatch,
      @RequestHeader(name = "Prefer", required = false) @Nullable String prefer) {
    return reading.get(id, ifNoneMatch, prefer);
  }

  @GetMapping
  @Requires(Operations.READ)
  @Operation(operationId = "listLeases", summary = "Leases, newest first")
  @ApiResponse(responseCode = "200", description = "A page.")
  LeasePage list(
      @ParameterObject LeaseFilter.Query filter,
      @Parameter(schema = @Schema(allowableValues = {"basic", "full"}))
          @RequestParam(defaultValue = "basic")
          String view,
      PageRequest page) {
    return reading.list(filter, view, page);
  }

  @PatchMapping(path = "/{id}", consumes = "application/merge-patch+json")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(operationId = "patchLease", summary = "Change name, labels, annotations, notices")
  @ApiResponse(responseCode = "200", description = "The lease after the change.")
  ResponseEntity<LeaseResponse> patch(
      @PathVariable UUID id,
      @io.swagger.v3.oas.annotations.parameters.RequestBody(
              content =
                  @Content(
                      mediaType = "application/merge-patch+json",
                      schema = @Schema(implementation = PatchLeaseRequest.class)))
          @RequestBody
          JsonNode body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return changes.patch(id, LeasePatch.of(body), calls.change(null, dryRun, ifMatch)).toEntity();
  }
}
