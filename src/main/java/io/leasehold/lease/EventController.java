package io.leasehold.lease;

import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What happens to leases, to be polled or followed. */
@RestController
@RequestMapping(path = "/api/v1/events")
@Tag(name = "events")
class EventController {

  private final Events events;
  private final Viewer viewer;

  EventController(Events events, Viewer viewer) {
    this.events = events;
    this.viewer = viewer;
  }

  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.READ)
  @Operation(
      operationId = "listEvents",
      summary = "Events after a position",
      description = "In order within a pool; over several pools no order is promised.")
  @ApiResponse(responseCode = "200", description = "Events, and where to go on.")
  EventPage list(
      @Parameter(description = "An event position; from now on if absent.")
          @RequestParam(required = false)
          @Nullable String after,
      @Parameter(description = "With its subtree.") @RequestParam(required = false)
          @Nullable List<String> tenant,
      @RequestParam(required = false) @Nullable List<UUID> lease,
      @Parameter(
              schema =
                  @Schema(
                      type = "integer",
                      minimum = "1",
                      maximum = "2147483647",
                      defaultValue = "50"))
          @RequestParam(required = false)
          @Nullable String pageSize) {
    EventPosition position =
        after == null ? EventPosition.of(events.heads()) : EventPosition.decoded(after, "after");
    events.requireKept(position);
    return events.after(
        position,
        wanted(tenant, lease),
        viewer.scope(),
        PageRequest.of(pageSize, null, "").size());
  }

  static Events.Wanted wanted(@Nullable List<String> tenant, @Nullable List<UUID> lease) {
    return new Events.Wanted(
        tenant == null ? List.of() : tenant, lease == null ? List.of() : lease);
  }
}
