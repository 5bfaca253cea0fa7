package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What can be done with a lease that exists. A target that is reached already is no fault. */
@RestController
@RequestMapping(path = "/api/v1/leases/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "leases")
class LeaseVerbController {

  private final LeaseChanges changes;
  private final ResizeReader resizes;
  private final TransferReader transfers;
  private final LeaseHeartbeats heartbeats;
  private final Calls calls;

  LeaseVerbController(
      LeaseChanges changes,
      ResizeReader resizes,
      TransferReader transfers,
      LeaseHeartbeats heartbeats,
      Calls calls) {
    this.changes = changes;
    this.resizes = resizes;
    this.transfers = transfers;
    this.heartbeats = heartbeats;
    this.calls = calls;
  }

  @PostMapping("/extend")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(operationId = "extendLease", summary = "A later end, on the same devices")
  @ApiResponse(responseCode = "200", description = "The lease with its new end.")
  ResponseEntity<LeaseResponse> extend(
      @PathVariable UUID id,
      @RequestBody VerbRequests.Extend body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return changes
        .changeFrom(id, VerbReader.extend(body), calls.change(key, dryRun, ifMatch))
        .toEntity();
  }

  @PostMapping("/shorten")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(operationId = "shortenLease", summary = "An earlier end")
  @ApiResponse(responseCode = "200", description = "The lease with its new end.")
  ResponseEntity<LeaseResponse> shorten(
      @PathVariable UUID id,
      @RequestBody VerbRequests.Shorten body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return change(id, VerbReader.shorten(id, body), key, dryRun, ifMatch);
  }

  @PostMapping("/resize")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(
      operationId = "resizeLease",
      summary = "More GPUs beside those it has, all or nothing; or fewer")
  @ApiResponse(
      responseCode = "200",
      description =
          "The lease with its new size; `publishing` tells when the cluster has followed.")
  ResponseEntity<LeaseResponse> resize(
      @PathVariable UUID id,
      @RequestBody VerbRequests.Resize body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return changes
        .changeFrom(id, resizes.read(body), calls.change(key, dryRun, ifMatch))
        .toEntity();
  }

  @PostMapping("/replace")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(
      operationId = "replaceLeaseNodes",
      summary = "Other nodes instead of some of its own; the rest stays where it is")
  @ApiResponse(responseCode = "200", description = "The lease on its new nodes.")
  @ApiResponse(
      responseCode = "202",
      description = "No other nodes are free: it goes on, degraded, and gets them when they are.")
  ResponseEntity<LeaseResponse> replace(
      @PathVariable UUID id,
      @RequestBody VerbRequests.Replace body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return changes
        .changeFrom(id, VerbReader.replace(body), calls.change(key, dryRun, ifMatch))
        .toEntity();
  }

  @PostMapping("/transfer")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(operationId = "transferLease", summary = "Another owner, or another tenant")
  @ApiResponse(responseCode = "200", description = "The lease in its new hands.")
  ResponseEntity<LeaseResponse> transfer(
      @PathVariable UUID id,
      @RequestBody VerbRequests.Transfer body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return changes
        .changeFrom(id, transfers.read(body), calls.change(key, dryRun, ifMatch))
        .toEntity();
  }

  @PostMapping("/heartbeat")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(
      operationId = "heartbeatLease",
      summary = "Its holder is there",
      description =
          "For a lease with a `heartbeatTimeout`. Cheap, and no change of the lease: its revision"
              + " stays. Sent again it is another sign of life, with an Idempotency-Key or without."
              + " 409 when it is ending or over.")
  @ApiResponse(responseCode = "200", description = "The lease as it stands.")
  ResponseEntity<LeaseResponse> heartbeat(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return heartbeats.beat(id, calls.change(null, dryRun, ifMatch)).toEntity();
  }

  @PostMapping("/release")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(operationId = "releaseLease", summary = "Give it back, in any state")
  @ApiResponse(responseCode = "200", description = "The lease: ending, or over.")
  ResponseEntity<LeaseResponse> release(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return change(id, new Command.Release(id), key, dryRun, ifMatch);
  }

  @PostMapping("/cancel")
  @Requires(Operations.CHANGE)
  @AnswersLeaseProblems
  @Operation(operationId = "cancelLease", summary = "Take it back before it is active")
  @ApiResponse(responseCode = "200", description = "The lease: cancelled, or being withdrawn.")
  ResponseEntity<LeaseResponse> cancel(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return change(id, new Command.Cancel(id), key, dryRun, ifMatch);
  }

  @PostMapping("/revoke")
  @Requires(Operations.REVOKE)
  @AnswersLeaseProblems
  @Operation(operationId = "revokeLease", summary = "An operator ends it, with a reason")
  @ApiResponse(responseCode = "200", description = "The lease: ending, or over.")
  ResponseEntity<LeaseResponse> revoke(
      @PathVariable UUID id,
      @RequestBody VerbRequests.Revoke body,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    return change(id, VerbReader.revoke(id, body), key, dryRun, ifMatch);
  }

  private ResponseEntity<LeaseResponse> change(
      UUID id,
      Command command,
      @Nullable IdempotencyKey key,
      boolean dryRun,
      @Nullable String ifMatch) {
    return changes.change(id, command, calls.change(key, dryRun, ifMatch)).toEntity();
  }
}
