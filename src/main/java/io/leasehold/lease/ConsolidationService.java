package io.leasehold.lease;

import io.leasehold.engine.Booking;
import io.leasehold.engine.Command;
import io.leasehold.engine.ConsolidationPlan;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Engine;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Relocation;
import io.leasehold.fleet.GpuModels;
import io.leasehold.lease.Translation.Translated;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Consulted;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Ids;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Asks the book for a plan, and has an approved one done if it is still the one that is due. */
@Service
class ConsolidationService {

  private final Ledger ledger;
  private final BookQuestions questions;
  private final ActingTenant tenants;
  private final Translation translation;
  private final GpuModels models;
  private final FirstAnswers first;
  private final Presentation presentation;

  ConsolidationService(
      Ledger ledger,
      BookQuestions questions,
      ActingTenant tenants,
      Translation translation,
      GpuModels models,
      FirstAnswers first,
      Presentation presentation) {
    this.ledger = ledger;
    this.questions = questions;
    this.tenants = tenants;
    this.translation = translation;
    this.models = models;
    this.first = first;
    this.presentation = presentation;
  }

  ConsolidationPlanBody plan(String pool, ConsolidationRequest sent) {
    Translated asked = read(pool, sent.request(), "/request");
    Consulted<ConsolidationPlan> found =
        questions.askBook(pool, (book, now) -> Engine.consolidation(book, asked.ask(), now));
    return body(found.found(), pool, found.bookRevision(), sent.request());
  }

  ConsolidationPlanBody apply(String pool, ConsolidationApproval sent, Call call) {
    ConsolidationPlanBody plan = sent.plan();
    if (plan == null) {
      throw Problem.invalid(Problem.Fault.at("/plan", "required", "Send the plan as it came."));
    }
    Optional<Outcome.Committed> before = first.to(call.key());
    if (before.isPresent() && before.get().decision() instanceof Decision.Consolidated done) {
      return body(done.plan(), pool, before.get().bookRevision(), plan.request());
    }
    Translated asked = read(pool, plan.request(), "/plan/request");
    Faults faults = new Faults("");
    Long ifBook = Translation.ifBook(sent.ifBook(), pool, faults);
    List<Relocation> moves = moves(plan.moves() == null ? List.of() : plan.moves(), faults);
    faults.throwIfAny();
    Submission submission =
        new Submission(
            new Command.Consolidate(asked.ask(), moves),
            call.actor(),
            call.traceId(),
            null,
            Map.of(),
            null,
            ifBook,
            false,
            null);
    return answer(ledger.submit(pool, submission, call.key()), pool, asked, plan.request());
  }

  private ConsolidationPlanBody answer(
      Outcome outcome, String pool, Translated asked, LeaseRequest request) {
    if (outcome instanceof Outcome.BookChanged changed) {
      throw changed(changed.fresh(), pool, changed.bookRevision(), request);
    }
    Outcome.Committed committed = presentation.outcomes().committed(outcome, pool, asked.text());
    if (committed.decision() instanceof Decision.Consolidated done && done.applied()) {
      return body(done.plan(), pool, committed.bookRevision(), request);
    }
    throw changed(committed.decision(), pool, committed.bookRevision(), request);
  }

  private Problem changed(Decision fresh, String pool, long bookRevision, LeaseRequest request) {
    if (!(fresh instanceof Decision.Consolidated consolidated)) {
      throw LeaseService.unexpected(fresh);
    }
    return Problem.of(
            412,
            "book-changed",
            "The pool has moved on",
            "The book is now " + pool + ":" + bookRevision + "; look at the plan that is due now.")
        .retryable(null)
        .with("plan", body(consolidated.plan(), pool, bookRevision, request));
  }

  /** As if its owner had sent it, for this pool. */
  private Translated read(String pool, @Nullable LeaseRequest request, String at) {
    questions.require(pool);
    if (request == null) {
      throw Problem.invalid(Problem.Fault.at(at, "required", "Say what shall fit."));
    }
    String tenant = tenants.actingFor(request.tenant(), at);
    Translated asked = translation.translate(request, "", tenant, Ids.next(), List.of(), at);
    if (!asked.pool().equals(pool)) {
      throw Problem.invalid(
          Problem.Fault.at(at + "/pool", "other-pool", "This is about pool " + pool + "."));
    }
    return asked;
  }

  private static List<Relocation> moves(List<ConsolidationPlanBody.Move> sent, Faults faults) {
    IntStream.range(0, sent.size())
        .filter(i -> !isWhole(sent.get(i)))
        .forEach(i -> faults.required("/plan/moves/" + i, "Send each move as it came."));
    faults.throwIfAny();
    return sent.stream()
        .map(
            each ->
                new Relocation(
                    each.leaseId(),
                    each.tenant() == null ? "" : each.tenant(),
                    each.fromNodeIds(),
                    each.toNodeIds(),
                    0))
        .toList();
  }

  private static boolean isWhole(ConsolidationPlanBody.@Nullable Move move) {
    return move != null
        && move.leaseId() != null
        && move.fromNodeIds() != null
        && move.toNodeIds() != null
        && !move.fromNodeIds().contains(null)
        && !move.toNodeIds().contains(null);
  }

  private ConsolidationPlanBody body(
      ConsolidationPlan plan, String pool, long bookRevision, LeaseRequest request) {
    return new ConsolidationPlanBody(
        pool + ":" + bookRevision,
        request,
        plan.moves().stream().map(ConsolidationService::move).toList(),
        plan.fits() == null ? null : fits(plan.fits()),
        plan.reasons().isEmpty()
            ? null
            : plan.reasons().stream().map(each -> DecisionRendering.reason(each, pool)).toList());
  }

  private static ConsolidationPlanBody.Move move(Relocation move) {
    return new ConsolidationPlanBody.Move(
        move.lease(),
        move.tenant(),
        move.fromNodes(),
        move.toNodes(),
        DecisionRendering.gpus(move.gpuMilli()));
  }

  private ConsolidationPlanBody.Fits fits(ConsolidationPlan.Fits fits) {
    Booking booking = fits.booking();
    String model = models.find(booking.model()).map(GpuModel::canonical).orElse(booking.model());
    return new ConsolidationPlanBody.Fits(
        Wire.instant(Long.valueOf(fits.window().start())),
        Wire.instant(Long.valueOf(fits.window().end())),
        booking.cluster(),
        model,
        booking.slots().stream().map(Booking.Slot::node).distinct().toList());
  }
}
