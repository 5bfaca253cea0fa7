package io.leasehold.lease;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Availability;
import io.leasehold.engine.Engine;
import io.leasehold.lease.Translation.Translated;
import io.leasehold.ledger.Ledger.Consulted;
import io.leasehold.web.Ids;
import io.leasehold.web.Problem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.stereotype.Service;

/** Reads requests as if they were sent, and asks the book when each could be had. */
@Service
class AvailabilityService {

  static final int MOST = 20;
  private static final long HORIZON = 14 * 86_400L * Wire.SECOND;

  private final BookQuestions questions;
  private final ActingTenant tenants;
  private final Translation translation;

  AvailabilityService(BookQuestions questions, ActingTenant tenants, Translation translation) {
    this.questions = questions;
    this.tenants = tenants;
    this.translation = translation;
  }

  AvailabilityResponse of(AvailabilityRequest sent) {
    List<Translated> asked = read(sent.shapes() == null ? List.of() : sent.shapes());
    String pool = asked.getFirst().pool();
    List<Ask> asks = asked.stream().map(Translated::ask).toList();
    Consulted<List<Availability>> found =
        questions.askBook(pool, (book, now) -> Engine.availability(book, asks, HORIZON, now));
    return new AvailabilityResponse(
        pool + ":" + found.bookRevision(),
        found.found().stream().map(each -> response(each, pool)).toList());
  }

  /** All faults of all requests at once. */
  private List<Translated> read(List<LeaseRequest> shapes) {
    if (shapes.isEmpty() || shapes.size() > MOST) {
      throw Problem.invalid(
          Problem.Fault.at(
              "/shapes",
              shapes.isEmpty() ? "required" : "too-many",
              shapes.size() + " requests; 1 to " + MOST + " are looked at in one call."));
    }
    List<Translated> asked = new ArrayList<>();
    List<Problem.Fault> faults = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      try {
        asked.add(read(shapes.get(i), "/shapes/" + i));
      } catch (Problem problem) {
        if (problem.faults().isEmpty()) {
          throw problem;
        }
        faults.addAll(problem.faults());
      }
    }
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    requireOnePool(asked);
    return asked;
  }

  private Translated read(LeaseRequest shape, String at) {
    if (shape == null) {
      throw Problem.invalid(Problem.Fault.at(at, "wrong-type", "A request is an object."));
    }
    String tenant = tenants.actingFor(shape.tenant(), at);
    return translation.translate(shape, "", tenant, Ids.next(), List.of(), at);
  }

  private static void requireOnePool(List<Translated> asked) {
    String pool = asked.getFirst().pool();
    Faults faults = new Faults("");
    for (int i = 1; i < asked.size(); i++) {
      if (!asked.get(i).pool().equals(pool)) {
        faults.add(
            "/shapes/" + i + "/pool",
            "other-pool",
            "The first request is in pool " + pool + "; ask once for each pool.");
      }
    }
    faults.throwIfAny();
  }

  private static AvailabilityResponse.Of response(Availability found, String pool) {
    return new AvailabilityResponse.Of(
        found.verdict().name(),
        found.refusal() == null ? null : found.refusal().name().toLowerCase(Locale.ROOT),
        Wire.instant(found.firstStart()),
        found.intervals().stream().map(AvailabilityService::interval).toList(),
        found.reasons().stream().map(each -> DecisionRendering.reason(each, pool)).toList());
  }

  private static AvailabilityResponse.Interval interval(Availability.Interval each) {
    Instant start = Wire.instant(each.start());
    return new AvailabilityResponse.Interval(start, Wire.instant(each.end()), each.gpus());
  }
}
