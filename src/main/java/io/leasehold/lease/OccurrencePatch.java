package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Occurrence;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Another time or size of one occurrence; what is absent stays as it is. */
@Schema(
    name = "OccurrencePatch",
    description = "What is absent stays. Once it has begun only its end moves.",
    example = "{\"duration\": \"PT6H\"}")
record OccurrencePatch(
    @Schema(format = "date-time") @Nullable String startTime,
    @Schema(description = "ISO 8601, PT1M to P366D.", example = "PT6H") @Nullable String duration,
    LeaseRequest.@Nullable Gpu gpu) {

  Command on(Occurrence seen, ReservationRecord reservation, ReservationReader reader) {
    Faults faults = new Faults("");
    OptionalLong start = faults.instant("/startTime", startTime);
    OptionalLong length =
        faults.duration("/duration", duration, WhenReader.SHORTEST, WhenReader.LONGEST);
    Shape shape = gpu == null ? seen.shape() : reader.shape(gpu, null, reservation.pool(), faults);
    faults.throwIfAny();
    long from = start.orElse(seen.window().start());
    long lasts = length.orElse(seen.window().end() - seen.window().start());
    Shape wanted =
        gpu == null
            ? shape
            : new Shape(
                shape.models(),
                shape.minMemoryMiB(),
                shape.groups(),
                shape.count(),
                shape.slice(),
                shape.cpuMilli(),
                shape.memoryMiB(),
                seen.shape().topology(),
                seen.shape().where());
    return new Command.ChangeOccurrence(seen.id(), new Span(from, from + lasts), wanted);
  }
}
