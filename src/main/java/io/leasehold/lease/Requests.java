package io.leasehold.lease;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Ask.When;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Shape.Slice;
import io.leasehold.engine.Span;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The way back from an {@link Ask} to a request that can be sent as it is: what {@link Translation}
 * makes of it is that ask again.
 */
final class Requests {

  private final UnaryOperator<String> canonical;

  /**
   * @param canonical name of a model's slug
   */
  Requests(UnaryOperator<String> canonical) {
    this.canonical = canonical;
  }

  /**
   * @param base where names, labels and the like come from
   */
  LeaseRequest of(Ask ask, String pool, LeaseRequest base) {
    Shape shape = ask.shape();
    Times times = times(ask.when());
    return new LeaseRequest(
        ask.tenant(),
        pool,
        base.name(),
        ask.serviceClass(),
        gpu(shape),
        orAbsent(shape.cpuMilli()),
        orAbsent(shape.memoryMiB()),
        topology(shape),
        placement(shape.where()),
        ask.movable() ? true : null,
        times.start,
        times.window,
        times.duration,
        times.end,
        word(ask.onShortage()),
        base.maxWait(),
        ask.preemptible(),
        orAbsent(ask.preemptionCost()),
        ask.reservation() == null ? null : ask.reservation().toString(),
        base.owner(),
        base.labels(),
        base.annotations(),
        base.notifyBefore(),
        ask.heartbeatTimeout() == null ? null : Wire.duration(ask.heartbeatTimeout()),
        null);
  }

  List<LeaseRequest.Topology> topology(Shape shape) {
    return shape.topology().stream().map(Requests::topology).toList();
  }

  LeaseRequest.Gpu gpu(Shape shape) {
    boolean grouped = shape.groups() > 0;
    return new LeaseRequest.Gpu(
        shape.models().stream().map(canonical).toList(),
        orAbsent(shape.minMemoryMiB()),
        grouped ? null : Long.valueOf(shape.count()),
        grouped ? Long.valueOf(shape.groups()) : null,
        grouped ? Long.valueOf(shape.count()) : null,
        shape.slice() instanceof Slice.Mig(String profile) ? profile : null,
        shape.slice() instanceof Slice.Share(int milli) ? Long.valueOf(milli) : null,
        orAbsent(shape.minCount()));
  }

  private static LeaseRequest.Topology topology(Shape.Spread rule) {
    return new LeaseRequest.Topology(
        word(rule.level()),
        word(rule.rule()),
        rule.atMost() == null ? null : Long.valueOf(rule.atMost()));
  }

  private static LeaseRequest.@Nullable Placement placement(Shape.Where where) {
    return where.equals(Shape.Where.ANYWHERE)
        ? null
        : new LeaseRequest.Placement(
            where.clusters(),
            where.avoidClusters(),
            where.avoidNodes().stream().map(UUID::toString).toList(),
            where.within());
  }

  private record Times(
      @Nullable String start,
      LeaseRequest.@Nullable Window window,
      @Nullable String duration,
      @Nullable String end) {}

  private static Times times(When when) {
    return switch (when) {
      case When.Now(long length) -> new Times(null, null, duration(length), null);
      case When.NowUntil(long end) -> new Times(null, null, null, instant(end));
      case When.At(var span) ->
          new Times(
              instant(span.start()),
              null,
              span.end() == Span.FOREVER ? null : duration(span.end() - span.start()),
              null);
      case When.Within(var span, long length) ->
          new Times(
              null,
              new LeaseRequest.Window(instant(span.start()), instant(span.end())),
              Wire.duration(length),
              null);
    };
  }

  /** Absent without an end. */
  private static @Nullable String duration(long length) {
    return length == Span.FOREVER ? null : Wire.duration(length);
  }

  private static String instant(long micros) {
    Instant instant = Wire.instant(micros);
    return instant.toString();
  }

  private static @Nullable Long orAbsent(long value) {
    return value == 0 ? null : value;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
