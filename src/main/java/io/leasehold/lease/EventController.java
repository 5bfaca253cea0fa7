package io.leasehold.lease;

import io.leasehold.web.Access;
import io.leasehold.web.EventStreams;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Requires;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What happens to leases and reservations, to be polled or followed. */
@RestController
@RequestMapping(path = "/api/v1/events")
@Tag(name = "events")
class EventController {

  private final Events events;
  private final EventFeed feed;
  private final EventStreams streams;
  private final Access access;

  EventController(Events events, EventFeed feed, EventStreams streams, Access access) {
    this.events = events;
    this.feed = feed;
    this.streams = streams;
    this.access = access;
  }

  @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
  @Requires(Operations.EVENTS)
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
      @RequestParam(required = false) @Nullable List<UUID> reservation,
      @Parameter(
              schema =
                  @Schema(
                      type = "integer",
                      format = "int64",
                      minimum = "1",
                      maximum = "1000000000000000000",
                      defaultValue = "50"))
          @RequestParam(required = false)
          @Nullable String pageSize) {
    EventPosition position =
        after == null ? EventPosition.of(events.heads()) : EventPosition.decoded(after, "after");
    events.requireKept(position);
    return events.after(
        position,
        wanted(tenant, lease, reservation),
        access.scope(),
        PageRequest.of(pageSize, null, "").size());
  }

  @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  @Requires(Operations.EVENTS)
  @Operation(
      operationId = "streamEvents",
      summary = "Events as they happen",
      description =
          "Server-sent events named `lease` or `occurrence`, each with its position as id and an"
              + " Event as data. A stream lives 30 minutes; go on with `Last-Event-ID`.")
  @ApiResponse(
      responseCode = "200",
      description = "A stream.",
      content =
          @Content(
              mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
              schema = @Schema(type = "string")))
  void stream(
      @Parameter(description = "The position of the last event seen; from now on if absent.")
          @RequestHeader(name = "Last-Event-ID", required = false)
          @Nullable String lastEventId,
      @Parameter(description = "The same, for who can not send the header.")
          @RequestParam(required = false)
          @Nullable String after,
      @Parameter(description = "With its subtree.") @RequestParam(required = false)
          @Nullable List<String> tenant,
      @RequestParam(required = false) @Nullable List<UUID> lease,
      @RequestParam(required = false) @Nullable List<UUID> reservation,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    String position = lastEventId != null ? lastEventId : after;
    if (position != null) {
      events.requireKept(EventPosition.decoded(position, "Last-Event-ID"));
    }
    streams.serve(request, response, access, position, feed.of(wanted(tenant, lease, reservation)));
  }

  private static Events.Wanted wanted(
      @Nullable List<String> tenant, @Nullable List<UUID> lease, @Nullable List<UUID> reservation) {
    return new Events.Wanted(orEmpty(tenant), orEmpty(lease), orEmpty(reservation));
  }

  private static <T> List<T> orEmpty(@Nullable List<T> sent) {
    return sent == null ? List.of() : sent;
  }
}
