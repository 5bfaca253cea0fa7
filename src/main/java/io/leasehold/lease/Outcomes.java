package io.leasehold.lease;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Decision.Decided;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Verdict;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.Problem;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Says in HTTP's words what the ledger and the engine answered. */
final class Outcomes {

  private final LeaseRendering rendering;
  private final Sight sight;

  Outcomes(LeaseRendering rendering, Sight sight) {
    this.rendering = rendering;
    this.sight = sight;
  }

  /**
   * What was committed, or the problem there was.
   *
   * @param text of the lease the command is about
   */
  Outcome.Committed committed(Outcome outcome, String pool, LeaseText text) {
    return switch (outcome) {
      case Outcome.Committed committed -> {
        if (committed.replayed()) {
          ReplayMark.put();
        }
        yield committed;
      }
      case Outcome.Stale(var current) ->
          throw current == null ? Problem.notFound() : stale(current);
      case Outcome.BookChanged changed -> throw bookChanged(changed, pool, text);
      case Outcome.KeyReused() -> throw keyReused();
      case Outcome.KeyInFlight() ->
          throw Problem.of(
                  409,
                  "key-in-flight",
                  "Still being answered",
                  "The first request with this Idempotency-Key is still being answered.")
              .retryable(1);
      case Outcome.Undone(String reason) ->
          throw Problem.of(409, "changed-meanwhile", "Changed meanwhile", reason).retryable(null);
      case Outcome.Unavailable(String reason, int retryAfterSeconds) ->
          throw Problem.of(503, "unavailable", "Not able now", reason).retryable(retryAfterSeconds);
      case Outcome.Broken _ ->
          throw Problem.of(
              500,
              "internal-error",
              "Internal error",
              "This request could not be written and was put aside; tell us the traceId.");
    };
  }

  static Problem keyReused() {
    return Problem.of(
        422,
        "key-reused",
        "Idempotency key reused",
        "This Idempotency-Key came with another body before; use a new one.");
  }

  static Problem stale(LeaseRecord current) {
    return Problem.changedMeanwhile(
        "The lease is at revision " + current.lease().revision() + "; read it again.");
  }

  private Problem bookChanged(Outcome.BookChanged changed, String pool, LeaseText text) {
    Problem problem =
        Problem.of(
                412,
                "book-changed",
                "The pool has moved on",
                "The book is now "
                    + pool
                    + ":"
                    + changed.bookRevision()
                    + "; the decision is what it would be now.")
            .retryable(null);
    return answerOf(changed.fresh(), changed.leases().stream().findFirst().orElse(null))
        .map(
            answer ->
                problem.with(
                    "decision",
                    rendering.decision(answer, pool, changed.bookRevision(), text, sight)))
        .orElse(problem);
  }

  private static java.util.Optional<Answer> answerOf(
      io.leasehold.engine.Decision decision, @Nullable LeaseRecord lease) {
    return switch (decision) {
      case Decided decided -> java.util.Optional.of(decided.answer());
      case Declined declined -> java.util.Optional.ofNullable(declined.answer());
      default -> java.util.Optional.ofNullable(lease).map(LeaseRecord::answer);
    };
  }

  /** 201 booked, 202 waiting, 409 refused. */
  static int status(Verdict verdict) {
    return switch (verdict) {
      case ADMITTED, PLANNED -> 201;
      case WAITING, UNDECIDED -> 202;
      case REFUSED -> 409;
    };
  }

  /** A request that was refused, and is kept as a lease in state REFUSED. */
  Problem refused(LeaseRecord refused) {
    return refused(refused.answer(), refused.pool(), refused.bookRevision(), refused.text())
        .with("leaseId", refused.lease().id());
  }

  /** A request that was refused and is not kept. */
  Problem refused(Answer answer, String pool, long bookRevision, LeaseText text) {
    return refusal(answer.refusal(), detail(answer))
        .with("decision", rendering.decision(answer, pool, bookRevision, text, sight));
  }

  /** A command that changed nothing. */
  Problem declined(
      Declined declined, String pool, long bookRevision, LeaseText text, @Nullable UUID lease) {
    Problem problem = problem(declined);
    Answer answer = declined.answer();
    if (answer != null) {
      problem =
          problem.with("decision", rendering.decision(answer, pool, bookRevision, text, sight));
    }
    return lease == null ? problem : problem.with("leaseId", lease);
  }

  static Problem problem(Declined declined) {
    return switch (declined.why()) {
      case NOT_FOUND -> Problem.notFound();
      case ILLEGAL_MOVE -> illegalMove(declined.detail());
      case SHORTAGE -> refusal(Answer.Refusal.SHORTAGE, declined.detail());
      case LIMIT -> refusal(Answer.Refusal.LIMIT, declined.detail());
      case NEVER -> refusal(Answer.Refusal.NEVER, declined.detail());
      case ID_TAKEN -> idTaken();
      case TOO_MANY ->
          Problem.of(429, "too-many-leases", "Too many leases", declined.detail()).retryable(30);
      case IN_USE -> Problem.of(409, "in-use", "In use", declined.detail());
    };
  }

  static Problem illegalMove(String detail) {
    return Problem.of(409, "illegal-move", "Not possible in this state", detail);
  }

  static Problem idTaken() {
    return Problem.of(409, "id-taken", "Id taken", "Another lease has this id; choose a new one.");
  }

  private static Problem refusal(Answer.@Nullable Refusal refusal, String detail) {
    return switch (refusal == null ? Answer.Refusal.SHORTAGE : refusal) {
      case NEVER -> Problem.of(409, "refused-never", "Can never fit", detail);
      case SHORTAGE ->
          Problem.of(409, "refused-shortage", "Does not fit now", detail).retryable(null);
      case LIMIT -> Problem.of(409, "refused-limit", "Over a limit", detail);
    };
  }

  private static String detail(Answer answer) {
    return answer.reasons().isEmpty()
        ? "The request was refused."
        : answer.reasons().getFirst().detail();
  }
}
