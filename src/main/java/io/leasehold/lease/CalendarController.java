package io.leasehold.lease;

import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What is free when, without a word on who has the rest. */
@RestController
@Tag(name = "availability")
class CalendarController {

  private final CalendarService service;

  CalendarController(CalendarService service) {
    this.service = service;
  }

  @GetMapping(path = "/api/v1/pools/{pool}/calendar", produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.AVAILABILITY)
  @Operation(
      operationId = "getPoolCalendar",
      summary = "What a pool has free, leased and unhealthy over time",
      description = "As planned now. Whoever wants a shape asks `/availability`.")
  @ApiResponse(responseCode = "200", description = "For each GPU model.")
  CalendarResponse calendar(
      @Parameter(example = "main") @PathVariable String pool,
      @Parameter(description = "Now if absent; what is past is left out.")
          @RequestParam(required = false)
          @Nullable String startTime,
      @Parameter(description = "14 days after the start if absent, at most 366.")
          @RequestParam(required = false)
          @Nullable String endTime,
      @Parameter(description = "Slug, canonical name or alias; all if absent.")
          @RequestParam(required = false)
          @Nullable List<String> model) {
    return service.of(pool, startTime, endTime, model == null ? List.of() : model);
  }
}
