package io.leasehold.lease;

import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Occurrence;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.fleet.GpuModels;
import io.leasehold.fleet.Pools;
import io.leasehold.web.Ids;
import io.leasehold.web.WallClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Turns a request for a reservation into the occurrences the engine is asked for: those of the next
 * 366 days, which is as far as any lease is planned. Names every fault at once.
 */
@Component
class ReservationReader {

  /** How far ahead the times of a series are set aside. */
  static final Duration HORIZON = Duration.ofDays(366);

  static final int MOST_OCCURRENCES = 1_000;
  private static final int MOST_EXCEPTED = 1_000;
  private static final long PAST_THAT_MEANS_NOW = 60 * Wire.SECOND;

  private final Translation translation;
  private final GpuModels models;
  private final Pools pools;
  private final WallClock clock;

  ReservationReader(Translation translation, GpuModels models, Pools pools, WallClock clock) {
    this.translation = translation;
    this.models = models;
    this.pools = pools;
    this.clock = clock;
  }

  /**
   * @param start of the series
   * @param madeUntil every time that starts before this is in {@code asks}
   */
  record Read(
      String pool,
      String tenant,
      Shape shape,
      Instant start,
      List<Occurrence.Ask> asks,
      Instant madeUntil) {}

  Read read(ReservationRequest sent, String tenant, UUID id) {
    Faults faults = new Faults("");
    long now = clock.micros();
    String pool = translation.pool(sent.pool(), tenant, faults);
    Shape shape = shape(sent.gpu(), sent.topology(), pool, faults);
    OptionalLong length = length(sent.duration(), faults);
    OptionalLong start = start(sent.startTime(), now, faults);
    OptionalLong noShow =
        faults.duration(
            "/noShowAfter", sent.noShowAfter(), WhenReader.SHORTEST, WhenReader.LONGEST);
    Instant horizon = Wire.instant(now).plus(HORIZON);
    List<Instant> times =
        start.isEmpty()
            ? List.of()
            : times(sent.recurrence(), Wire.instant(start.getAsLong()), horizon, faults);
    length.ifPresent(each -> requireApart(times, each, faults));
    faults.throwIfAny();

    boolean lend = sent.lend() == null || sent.lend();
    List<Occurrence.Ask> asks =
        asks(id, tenant, shape, times, length.getAsLong(), lend, noShow.orElse(Span.FOREVER));
    return new Read(pool, tenant, shape, Wire.instant(start.getAsLong()), asks, horizon);
  }

  /** The pool that is meant; empty when there is none that may be used. */
  String pool(ReservationRequest sent, String tenant) {
    return translation.pool(sent.pool(), tenant, new Faults(""));
  }

  /** The times of a series that come into sight until an instant. */
  List<Occurrence.Ask> more(
      ReservationRequest sent, String tenant, UUID id, String pool, Instant from, Instant until) {
    Faults faults = new Faults("");
    Shape shape = shape(sent.gpu(), sent.topology(), pool, faults);
    OptionalLong start = faults.instant("/startTime", sent.startTime());
    OptionalLong length = length(sent.duration(), faults);
    OptionalLong noShow =
        faults.duration(
            "/noShowAfter", sent.noShowAfter(), WhenReader.SHORTEST, WhenReader.LONGEST);
    Optional<Recurrence> series =
        series(sent.recurrence(), Wire.instant(start.getAsLong()), faults);
    faults.throwIfAny();
    List<Instant> times = series.orElseThrow().between(from, until, MOST_OCCURRENCES);
    boolean lend = sent.lend() == null || sent.lend();
    return asks(id, tenant, shape, times, length.getAsLong(), lend, noShow.orElse(Span.FOREVER));
  }

  private static List<Occurrence.Ask> asks(
      UUID reservation,
      String tenant,
      Shape shape,
      List<Instant> times,
      long length,
      boolean lend,
      long noShowAfter) {
    return times.stream()
        .map(io.leasehold.web.WireTime::micros)
        .map(
            start ->
                new Occurrence.Ask(
                    Ids.next(),
                    reservation,
                    tenant,
                    shape,
                    start,
                    new Span(start, start + length),
                    lend,
                    noShowAfter))
        .toList();
  }

  Shape shape(
      LeaseRequest.@Nullable Gpu gpu,
      @Nullable List<LeaseRequest.Topology> topology,
      String pool,
      Faults faults) {
    if (gpu != null && (gpu.mig() != null || gpu.shareMilli() != null)) {
      String pointer = gpu.mig() != null ? "/gpu/mig" : "/gpu/shareMilli";
      faults.add(pointer, "not-allowed", "Whole GPUs are set aside; leave this out.");
    }
    return new ShapeReader(faults, models::find, models.all(), pools.clustersOf(pool))
        .read(gpu, topology);
  }

  private static OptionalLong length(@Nullable String sent, Faults faults) {
    if (sent == null) {
      faults.required("/duration", "Say how long.");
    }
    return faults.duration("/duration", sent, WhenReader.SHORTEST, WhenReader.LONGEST);
  }

  private static OptionalLong start(@Nullable String sent, long now, Faults faults) {
    if (sent == null) {
      return OptionalLong.of(now - now % Wire.SECOND);
    }
    OptionalLong start = faults.instant("/startTime", sent);
    if (start.isPresent() && start.getAsLong() < now - PAST_THAT_MEANS_NOW) {
      faults.add("/startTime", "start-in-past", sent + " is more than a minute ago.");
    } else if (start.isPresent() && start.getAsLong() > now + HORIZON.toSeconds() * Wire.SECOND) {
      faults.add("/startTime", "out-of-range", "More than 366 days ahead.");
    } else {
      return start;
    }
    return OptionalLong.empty();
  }

  private static List<Instant> times(
      ReservationRequest.@Nullable Rule rule, Instant start, Instant horizon, Faults faults) {
    if (rule == null) {
      return List.of(start);
    }
    Optional<Recurrence> series = series(rule, start, faults);
    if (series.isEmpty()) {
      return List.of();
    }
    for (Instant stranger : series.get().strangers(horizon)) {
      faults.add("/recurrence/exceptTimes", "not-in-series", stranger + " is no time of it.");
    }
    List<Instant> times = series.get().between(start, horizon, MOST_OCCURRENCES + 1);
    if (times.isEmpty()) {
      faults.add("/recurrence", "empty-series", "It has no time within 366 days.");
    } else if (times.size() > MOST_OCCURRENCES) {
      faults.add(
          "/recurrence/rrule",
          "too-many",
          "More than " + MOST_OCCURRENCES + " times within 366 days.");
    }
    return times;
  }

  private static Optional<Recurrence> series(
      ReservationRequest.@Nullable Rule rule, Instant start, Faults faults) {
    ZoneId zone = zone(rule, faults);
    Set<Instant> except = except(rule, faults);
    if (rule == null || rule.rrule() == null) {
      faults.required("/recurrence/rrule", "Say when it recurs, such as FREQ=WEEKLY;BYDAY=MO.");
    } else if (rule.rrule().length() > Recurrence.LONGEST_RULE) {
      faults.text("/recurrence/rrule", rule.rrule(), Recurrence.LONGEST_RULE);
    } else if (zone != null) {
      try {
        return Optional.of(Recurrence.of(rule.rrule(), zone, start, except));
      } catch (Recurrence.Unusable e) {
        faults.add("/recurrence/rrule", "unusable-rule", String.valueOf(e.getMessage()));
      }
    }
    return Optional.empty();
  }

  private static @Nullable ZoneId zone(ReservationRequest.@Nullable Rule rule, Faults faults) {
    if (rule == null || rule.zone() == null) {
      faults.required("/recurrence/zone", "Say in whose local time, such as Europe/Berlin.");
      return null;
    }
    try {
      if (ZoneId.getAvailableZoneIds().contains(rule.zone())) {
        return ZoneId.of(rule.zone());
      }
    } catch (DateTimeException unknown) {
      // Said below.
    }
    faults.add(
        "/recurrence/zone", "unknown-zone", Faults.quote(rule.zone()) + " is no IANA time zone.");
    return null;
  }

  private static Set<Instant> except(ReservationRequest.@Nullable Rule rule, Faults faults) {
    Set<Instant> except = new HashSet<>();
    List<String> sent = rule == null || rule.exceptTimes() == null ? List.of() : rule.exceptTimes();
    faults.size("/recurrence/exceptTimes", sent, MOST_EXCEPTED);
    for (int i = 0; i < sent.size(); i++) {
      faults
          .instant("/recurrence/exceptTimes/" + i, sent.get(i))
          .ifPresent(each -> except.add(Wire.instant(each)));
    }
    return except;
  }

  /** One ends before the next begins. */
  private static void requireApart(List<Instant> times, long length, Faults faults) {
    List<Instant> tooLong = new ArrayList<>();
    for (int i = 1; i < times.size(); i++) {
      if (Duration.between(times.get(i - 1), times.get(i)).toSeconds() * Wire.SECOND < length) {
        tooLong.add(times.get(i - 1));
      }
    }
    if (!tooLong.isEmpty()) {
      faults.add(
          "/duration", "overlaps", "From " + tooLong.getFirst() + " on it lasts into the next.");
    }
  }

  Optional<GpuModel> model(String slug) {
    return models.find(slug);
  }
}
