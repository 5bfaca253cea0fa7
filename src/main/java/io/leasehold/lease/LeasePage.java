package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of leases. What happens after its event position is not on it yet. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(
    name = "LeasePage",
    requiredProperties = {"items", "eventPosition"})
record LeasePage(
    List<LeaseResponse> items,
    @Schema(description = "Absent at the end.") @Nullable String nextPageToken,
    @Schema(description = "Follow from here: `GET /events?after=`.") String eventPosition) {}
