package io.leasehold.lease;

import io.leasehold.engine.Engine;
import io.leasehold.engine.PoolCalendar;
import io.leasehold.fleet.GpuModels;
import io.leasehold.fleet.ModelNames;
import io.leasehold.ledger.Ledger.Consulted;
import io.leasehold.web.Problem;
import io.leasehold.web.WallClock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Reads which time and models are meant, and asks the book. */
@Service
class CalendarService {

  private static final long DAY = 86_400L * Wire.SECOND;
  private static final long USUAL = 14 * DAY;
  private static final long LONGEST = 366 * DAY;

  private final BookQuestions questions;
  private final GpuModels models;
  private final WallClock clock;

  CalendarService(BookQuestions questions, GpuModels models, WallClock clock) {
    this.questions = questions;
    this.models = models;
    this.clock = clock;
  }

  CalendarResponse of(
      String pool, @Nullable String startTime, @Nullable String endTime, List<String> named) {
    long now = clock.micros();
    List<Problem.Fault> faults = new ArrayList<>();
    long start = Math.max(now, instant("startTime", startTime, now, faults));
    long end = instant("endTime", endTime, start + USUAL, faults);
    List<String> slugs = slugs(named, faults);
    if (faults.isEmpty() && (end <= start || end - start > LONGEST)) {
      faults.add(
          Problem.Fault.in(
              "endTime",
              "out-of-range",
              "The end lies after the start and now, by 366 days at most."));
    }
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    Consulted<List<PoolCalendar>> found =
        questions.askBook(pool, (book, _) -> Engine.calendar(book, slugs, start, end));
    return new CalendarResponse(
        pool,
        pool + ":" + found.bookRevision(),
        Wire.instant(start),
        Wire.instant(end),
        found.found().stream().map(CalendarService::response).toList());
  }

  private static long instant(
      String name, @Nullable String sent, long otherwise, List<Problem.Fault> faults) {
    if (sent == null || sent.isEmpty()) {
      return otherwise;
    }
    return Wire.instant(sent)
        .orElseGet(
            () -> {
              faults.add(
                  Problem.Fault.in(
                      name,
                      "malformed",
                      Faults.quote(sent) + " is no instant such as 2027-03-01T19:00:00Z."));
              return otherwise;
            });
  }

  private List<String> slugs(List<String> named, List<Problem.Fault> faults) {
    List<String> slugs = new ArrayList<>();
    for (String name : named) {
      models
          .find(name)
          .ifPresentOrElse(
              model -> slugs.add(model.slug()),
              () ->
                  faults.add(
                      Problem.Fault.in(
                          "model", "unknown-model", ModelNames.unknown(name, models))));
    }
    return slugs;
  }

  private static CalendarResponse.OfModel response(PoolCalendar calendar) {
    return new CalendarResponse.OfModel(
        calendar.model(),
        calendar.gpus(),
        calendar.steps().stream()
            .map(
                step ->
                    new CalendarResponse.Step(
                        Wire.instant(step.start()),
                        Wire.instant(step.end()),
                        step.free(),
                        step.leased(),
                        step.reserved(),
                        step.lent(),
                        step.earmarked(),
                        step.unhealthy()))
            .toList());
  }
}
