package io.leasehold.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.engine.Disruption;
import io.leasehold.web.Problem.Fault;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How many leases of a class and tenant may be preempted within a time, and when none. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "DisruptionBudget")
record DisruptionBudget(
    @Nullable
        @Min(0)
        @Max(Disruption.MOST)
        @Schema(
            example = "10",
            description = "Leases of one tenant; with `within`. Absent = any number")
        Integer most,
    @Nullable @Schema(example = "PT1H") Duration within,
    @Valid @Size(max = 8) @Schema(description = "Hours of each day at which none ends for another")
        @Nullable List<@NotNull @Valid Quiet> quiet) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(30);

  /** Hours by the clock on the wall; an end that is not after the start is on the next day. */
  @Schema(name = "QuietHours")
  record Quiet(
      @NotNull @Schema(example = "22:00") String start,
      @NotNull @Schema(example = "06:00") String end,
      @NotNull @Schema(example = "Europe/Berlin", description = "An IANA zone") String zone) {

    static Quiet of(Disruption.Quiet quiet) {
      return new Quiet(text(quiet.fromMinute()), text(quiet.toMinute()), quiet.zone());
    }

    private static String text(int minute) {
      return TIME.format(LocalTime.ofSecondOfDay(60L * minute));
    }

    Disruption.@Nullable Quiet read(String pointer, List<Fault> faults) {
      int from = minute(pointer + "/start", start, faults);
      int to = minute(pointer + "/end", end, faults);
      if (!ZoneId.getAvailableZoneIds().contains(zone)) {
        faults.add(Fault.at(pointer + "/zone", "unknown-zone", "no such IANA time zone"));
        return null;
      }
      return from < 0 || to < 0 ? null : new Disruption.Quiet(from, to, zone);
    }

    private static int minute(String pointer, String text, List<Fault> faults) {
      try {
        return LocalTime.parse(text, TIME).toSecondOfDay() / 60;
      } catch (DateTimeException e) {
        faults.add(Fault.at(pointer, "not-a-time", "a time of day is written like 22:00"));
        return -1;
      }
    }
  }

  static @Nullable DisruptionBudget of(@Nullable Disruption disruption) {
    if (disruption == null) {
      return null;
    }
    boolean any = disruption.most() == Disruption.ANY;
    return new DisruptionBudget(
        any ? null : Integer.valueOf(disruption.most()),
        any ? null : Duration.ofSeconds(disruption.within() / 1_000_000),
        disruption.quiet().isEmpty() ? null : disruption.quiet().stream().map(Quiet::of).toList());
  }

  /** Null where it says nothing, or too little. */
  @Nullable Disruption read(String pointer, List<Fault> faults) {
    if ((most == null) != (within == null)) {
      String missing = most == null ? "/most" : "/within";
      faults.add(Fault.at(pointer + missing, "required", "`most` and `within` go together"));
      return null;
    }
    List<Disruption.Quiet> hours = new ArrayList<>();
    for (int i = 0; quiet != null && i < quiet.size(); i++) {
      Disruption.Quiet each = quiet.get(i).read(pointer + "/quiet/" + i, faults);
      if (each != null) {
        hours.add(each);
      }
    }
    long time =
        ServiceClassRequest.micros(pointer + "/within", within, 0, SHORTEST, LONGEST, faults);
    return most == null && hours.isEmpty()
        ? null
        : new Disruption(most == null ? Disruption.ANY : most, time, hours);
  }
}
