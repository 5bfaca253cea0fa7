package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** Events in order of each pool. May be empty, and is when there is nothing new. */
@Schema(
    name = "EventPage",
    requiredProperties = {"items", "eventPosition"})
record EventPage(
    List<EventResponse> items, @Schema(description = "Ask on from here.") String eventPosition) {}
