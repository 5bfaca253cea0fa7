package io.leasehold.lease;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/** What a pool has of each GPU model over time: counts only. */
@Schema(
    name = "PoolCalendar",
    requiredProperties = {"pool", "book", "startTime", "endTime", "models"})
record CalendarResponse(
    String pool,
    @Schema(description = "Pool and revision that was looked at.", example = "main:88213")
        String book,
    Instant startTime,
    Instant endTime,
    List<OfModel> models) {

  @Schema(
      name = "ModelCalendar",
      requiredProperties = {"model", "gpus", "steps"})
  record OfModel(
      @Schema(description = "Slug of the GPU model.", example = "h100") String model,
      @Schema(
              description = "GPUs that are not retired: the sum of the numbers of each step.",
              minimum = "0",
              maximum = "64000000")
          long gpus,
      @Schema(
              description =
                  "In order, without gaps. At most 336; with more changes than that, times are"
                      + " merged and show how it is when least is free.")
          List<Step> steps) {}

  @Schema(
      name = "CalendarStep",
      requiredProperties = {
        "startTime",
        "endTime",
        "free",
        "leased",
        "reserved",
        "lent",
        "earmarked",
        "unhealthy"
      })
  record Step(
      Instant startTime,
      Instant endTime,
      @Schema(minimum = "0", maximum = "64000000") long free,
      @Schema(
              description = "Usable GPUs of which a lease holds at least a part.",
              minimum = "0",
              maximum = "64000000")
          long leased,
      @Schema(description = "Set aside, and nobody has them.", minimum = "0", maximum = "64000000")
          long reserved,
      @Schema(
              description = "Set aside and idle, and lent to who may be preempted.",
              minimum = "0",
              maximum = "64000000")
          long lent,
      @Schema(description = "Held for who is next in line.", minimum = "0", maximum = "64000000")
          long earmarked,
      @Schema(
              description = "Broken, doubtful, or on a draining node: nothing new is placed there.",
              minimum = "0",
              maximum = "64000000")
          long unhealthy) {}
}
