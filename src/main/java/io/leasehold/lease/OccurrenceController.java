package io.leasehold.lease;

import io.leasehold.engine.Occurrence;
import io.leasehold.fleet.Answers;
import io.leasehold.fleet.Written;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The doors to the times of a reservation, each called by its original start. */
@RestController
@RequestMapping(
    path = "/api/v1/reservations/{id}/occurrences",
    produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "reservations")
class OccurrenceController {

  private final ReservationService service;
  private final Calls calls;

  OccurrenceController(ReservationService service, Calls calls) {
    this.service = service;
    this.calls = calls;
  }

  @GetMapping
  @Requires(Operations.RESERVATION_READ)
  @Operation(operationId = "listOccurrences", summary = "The times of a reservation, soonest first")
  Page<OccurrenceResponse> list(
      @PathVariable UUID id,
      @RequestParam(required = false) @Nullable List<Occurrence.State> state,
      @RequestParam(required = false) @Nullable String endAfter,
      PageRequest page) {
    Faults faults = new Faults("");
    Long after =
        endAfter == null
            ? null
            : faults.instant("/endAfter", endAfter).stream().boxed().findFirst().orElse(null);
    faults.throwIfAny();
    List<String> states = state == null ? List.of() : state.stream().map(Enum::name).toList();
    return service.occurrences(id, states, after, page);
  }

  @GetMapping("/{startTime}")
  @Requires(Operations.RESERVATION_READ)
  @Operation(operationId = "getOccurrence", summary = "One time of a reservation")
  ResponseEntity<OccurrenceResponse> get(@PathVariable UUID id, @PathVariable String startTime) {
    OccurrenceResponse found = service.occurrence(id, startTime);
    return Answers.found(found, found.revision());
  }

  @PatchMapping(path = "/{startTime}", consumes = "application/merge-patch+json")
  @Requires(Operations.RESERVE)
  @AnswersReservationProblems
  @Operation(
      operationId = "patchOccurrence",
      summary = "Another time or size of one occurrence",
      description =
          "The others stay as they are. Once it has begun its start and size are fixed, and its"
              + " devices stay.")
  @ApiResponse(responseCode = "200", description = "As it is now, or in a dry run would be.")
  ResponseEntity<OccurrenceResponse> patch(
      @PathVariable UUID id,
      @PathVariable String startTime,
      @RequestBody OccurrencePatch patch,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Written<OccurrenceResponse> written =
        service.changeOccurrence(id, startTime, patch, calls.change(null, dryRun, ifMatch));
    return Answers.changed(written, written.value().revision());
  }

  @PostMapping("/{startTime}/cancel")
  @Requires(Operations.RESERVE)
  @AnswersReservationProblems
  @Operation(
      operationId = "cancelOccurrence",
      summary = "Take one time back",
      description = "409 in-use while leases draw on it.")
  @ApiResponse(responseCode = "200", description = "As it is now, or in a dry run would be.")
  ResponseEntity<OccurrenceResponse> cancel(
      @PathVariable UUID id,
      @PathVariable String startTime,
      @RequestParam(defaultValue = "false") boolean dryRun,
      @Nullable IdempotencyKey key,
      @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch) {
    Written<OccurrenceResponse> written =
        service.cancelOccurrence(id, startTime, calls.change(key, dryRun, ifMatch));
    return Answers.changed(written, written.value().revision());
  }
}
