package io.leasehold.lease;

import io.leasehold.fleet.Answers;
import io.leasehold.fleet.Written;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The doors to reservations. */
@RestController
@RequestMapping(path = "/api/v1/reservations", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "reservations")
class ReservationController {

  private final ReservationService service;
  private final ActingTenant tenants;
  private final Calls calls;

  ReservationController(ReservationService service, ActingTenant tenants, Calls calls) {
    this.service = service;
    this.tenants = tenants;
    this.calls = calls;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.RESERVE)
  @AnswersReservationProblems
  @Operation(
      operationId = "createReservation",
      summary = "Set capacity aside",
      description =
          "All times of a series within 366 days, or none: then the decision names those that do"
              + " not fit. It counts against the guarantee of its tenant; leases draw on it with"
              + " `reservation` and are not charged again.")
  @ApiResponse(responseCode = "200", description = "Dry run: the reservation as it would be.")
  @ApiResponse(responseCode = "201", description = "Set aside.")
  ResponseEntity<ReservationResponse> create(
      @RequestBody ReservationRequest body,
      @Parameter(description = "Decide and undo.") @RequestParam(defaultValue = "false")
          boolean dryRun,
      @Nullable IdempotencyKey key) {
    String tenant = tenants.actingFor(body.tenant(), "");
    Written<ReservationResponse> written =
        service.create(body, tenant, calls.change(key, dryRun, null));
    ReservationResponse made = written.value();
    return dryRun
        ? ResponseEntity.ok(made)
        : Answers.created(written, made.revision(), "/api/v1/reservations/" + made.id());
  }

  @GetMapping("/{id}")
  @Requires(Operations.RESERVATION_READ)
  @Operation(operationId = "getReservation", summary = "A reservation")
  ResponseEntity<ReservationResponse> get(@PathVariable UUID id) {
    ReservationResponse found = service.get(id);
    return Answers.found(found, found.revision());
  }

  @GetMapping
  @Requires(Operations.RESERVATION_READ)
  @Operation(
      operationId = "listReservations",
      summary = "Reservations, newest first",
      description = "A tenant covers its subtree.")
  Page<ReservationResponse> list(
      @RequestParam(required = false) @Nullable List<String> tenant,
      @RequestParam(required = false) @Nullable List<String> pool,
      PageRequest page) {
    return service.list(tenant == null ? List.of() : tenant, pool == null ? List.of() : pool, page);
  }

  @PostMapping("/{id}/cancel")
  @Requires(Operations.RESERVE)
  @AnswersReservationProblems
  @Operation(
      operationId = "cancelReservation",
      summary = "Take back all of it that is not over",
      description = "409 in-use while leases draw on it.")
  @ApiResponse(responseCode = "200", description = "As it is now, or in a dry run would be.")
  ResponseEntity<ReservationResponse> cancel(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Written<ReservationResponse> written = service.cancel(id, calls.change(key, dryRun, ifMatch));
    return Answers.changed(written, written.value().revision());
  }
}
