package io.leasehold.lease;

import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Asking before asking. */
@RestController
@Tag(name = "availability")
class AvailabilityController {

  private final AvailabilityService service;

  AvailabilityController(AvailabilityService service) {
    this.service = service;
  }

  @PostMapping(
      path = "/api/v1/availability",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.AVAILABILITY)
  @Operation(
      operationId = "getAvailability",
      summary = "When requests could be had",
      description =
          "For up to 20 requests, each judged alone, within the limits of its tenant. Books"
              + " nothing, and promises nothing.")
  @ApiResponse(responseCode = "200", description = "As of now, in the order sent.")
  AvailabilityResponse availability(@RequestBody AvailabilityRequest body) {
    return service.of(body);
  }
}
