package io.leasehold.lease;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.Verdict;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When each request could be had, in the order sent. */
@Schema(
    name = "Availability",
    requiredProperties = {"book", "shapes"})
record AvailabilityResponse(
    @Schema(description = "Pool and revision that was looked at.", example = "main:88213")
        String book,
    List<Of> shapes) {

  @JsonInclude(JsonInclude.Include.NON_NULL)
  @Schema(
      name = "ShapeAvailability",
      requiredProperties = {"verdict", "intervals", "reasons"})
  record Of(
      @Schema(description = "What the request would be answered now.")
          @ExtensibleEnum(of = Verdict.class)
          String verdict,
      @ExtensibleEnum({"never", "shortage", "limit"}) @Nullable String refusal,
      @Schema(
              description =
                  "The first start at which all of it fits for as long as it lasts, if nothing is"
                      + " booked before; absent if there is none in the time looked at.")
          @Nullable Instant firstStartTime,
      @Schema(
              description =
                  "In order, with the gaps left out: the time asked for, else the next 14 days. At"
                      + " most 200; with more changes than that, times are merged and show the"
                      + " least.")
          List<Interval> intervals,
      List<DecisionResponse.Reason> reasons) {}

  @Schema(
      name = "AvailableInterval",
      requiredProperties = {"startTime", "endTime", "gpus"})
  record Interval(
      Instant startTime,
      Instant endTime,
      @Schema(
              description =
                  "GPUs (or MIG instances, or fractions) that could be in use at each instant, in"
                      + " the shape asked for and within the tenant's limits; up to as many as"
                      + " asked for.",
              minimum = "1",
              maximum = "6400000")
          long gpus) {}
}
