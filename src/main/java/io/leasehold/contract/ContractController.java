package io.leasehold.contract;

import io.leasehold.fleet.Answers;
import io.leasehold.fleet.Origins;
import io.leasehold.fleet.Written;
import io.leasehold.web.Access;
import io.leasehold.web.ETag;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The doors to contracts. */
@RestController
@RequestMapping("/api/v1/contracts")
@Tag(name = "contracts")
class ContractController {

  private final ContractService service;
  private final SigningService signing;
  private final Origins origins;
  private final Access access;

  ContractController(
      ContractService service, SigningService signing, Origins origins, Access access) {
    this.service = service;
    this.signing = signing;
    this.origins = origins;
    this.access = access;
  }

  @PostMapping
  @Requires("contract-draft")
  @Operation(operationId = "createContract", summary = "Draft a contract")
  @ApiResponse(responseCode = "201", description = "Created.")
  ResponseEntity<ContractResponse> create(
      @RequestBody @Valid ContractRequest request, @Nullable IdempotencyKey key) {
    requireOwn(request.tenant());
    Written<ContractResponse> written = service.draft(request, origins.of(key));
    ContractResponse contract = written.value();
    return Answers.created(written, contract.revision(), "/api/v1/contracts/" + contract.id());
  }

  @PutMapping("/{id}")
  @Requires("contract-draft")
  @Operation(
      operationId = "replaceContract",
      summary = "Replace a draft",
      description = "Whoever does becomes one of its authors, and so may not sign it.")
  ResponseEntity<ContractResponse> replace(
      @PathVariable UUID id,
      @RequestBody @Valid ContractRequest request,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    ContractRecord standing = visible(id);
    requireOwn(request.tenant());
    Written<ContractResponse> written =
        service.replace(standing, request, ETag.ifMatch(ifMatch), origins.of(null));
    return Answers.changed(written, written.value().revision());
  }

  @GetMapping("/{id}")
  @Requires("contract-read")
  @Operation(operationId = "getContract", summary = "Get a contract")
  ResponseEntity<ContractResponse> get(@PathVariable UUID id) {
    ContractRecord record = visible(id);
    return Answers.found(service.response(record), record.revision());
  }

  @GetMapping
  @Requires("contract-read")
  @Operation(
      operationId = "listContracts",
      summary = "List contracts, newest first",
      description = "A tenant covers its subtree.")
  Page<ContractResponse> list(
      @RequestParam(required = false) @Nullable String tenant,
      @RequestParam(required = false) @Nullable String pool,
      @RequestParam(required = false) @Nullable ContractState state,
      PageRequest page) {
    return service.page(new ContractFilter(tenant, pool, state), access.scope(), page);
  }

  @PostMapping("/{id}/sign")
  @Requires("contract-sign")
  @Operation(
      operationId = "signContract",
      summary = "Sign a draft",
      description =
          "By somebody who wrote nothing of it (403 same-author), with If-Match of the draft that"
              + " was read. 409 shortfall where its guarantees could not be held: shortfalls[] says"
              + " of which model, at which level and when.")
  ResponseEntity<ContractResponse> sign(
      @PathVariable UUID id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @Nullable IdempotencyKey key) {
    visible(id);
    Written<ContractResponse> written = signing.sign(id, ETag.required(ifMatch), origins.of(key));
    return Answers.changed(written, written.value().revision());
  }

  @PostMapping("/{id}/terminate")
  @Requires("contract-terminate")
  @Operation(
      operationId = "terminateContract",
      summary = "End a signed contract now",
      description = "By somebody who wrote nothing of it. What was booked under it stays.")
  ResponseEntity<ContractResponse> terminate(
      @PathVariable UUID id,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
      @Nullable IdempotencyKey key) {
    visible(id);
    Written<ContractResponse> written =
        signing.terminate(id, ETag.required(ifMatch), origins.of(key));
    return Answers.changed(written, written.value().revision());
  }

  /**
   * Who may draft for every tenant is told which there is not; others only that it is not theirs.
   */
  private void requireOwn(String tenant) {
    if (!access.scope().everything()) {
      access.require(tenant);
    }
  }

  /** 404 unless the caller may know of it, 403 unless the operation may touch it. */
  private ContractRecord visible(UUID id) {
    ContractRecord record = service.find(id);
    access.require(record.tenant());
    return record;
  }
}
