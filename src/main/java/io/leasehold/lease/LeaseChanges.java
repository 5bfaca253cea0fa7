package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Verdict;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Outcome.Committed;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Access;
import io.leasehold.web.Problem;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.stereotype.Service;

/**
 * Changes leases that exist. Always the same steps: read and check the right, make the command,
 * submit or rehearse it, answer.
 */
@Service
class LeaseChanges {

  private final Ledger ledger;
  private final LeaseReads reads;
  private final Access access;
  private final Presentation presentation;

  LeaseChanges(Ledger ledger, LeaseReads reads, Access access, Presentation presentation) {
    this.ledger = ledger;
    this.reads = reads;
    this.access = access;
    this.presentation = presentation;
  }

  /** A verb that needs nothing of the lease but its id. */
  LeaseAnswer change(UUID id, Command command, Call call) {
    return apply(readable(id), command, Map.of(), call);
  }

  /**
   * A verb that is made from what the lease is; tried once more if the lease changed in between and
   * the caller did not insist on a revision.
   */
  LeaseAnswer changeFrom(UUID id, Function<LeaseRecord, Verb> verb, Call call) {
    return insist(
        id,
        call,
        seen -> {
          Verb made = verb.apply(seen);
          Map<UUID, LeaseText> texts = made.text() == null ? Map.of() : Map.of(id, made.text());
          return apply(seen, made.command(), texts, call.onSeen(seen));
        });
  }

  LeaseAnswer patch(UUID id, LeasePatch patch, Call call) {
    return insist(
        id,
        call,
        seen -> {
          requireRevision(seen, call);
          LeaseText text = patch.on(seen.text());
          return text.equals(seen.text())
              ? presentation.answer(200, seen)
              : apply(seen, new Command.Annotate(id), Map.of(id, text), call.onSeen(seen));
        });
  }

  private LeaseAnswer insist(UUID id, Call call, Function<LeaseRecord, LeaseAnswer> attempt) {
    try {
      return attempt.apply(readable(id));
    } catch (Problem lost) {
      if (call.ifRevision() != null || lost.status() != 412) {
        throw lost;
      }
      try {
        return attempt.apply(readable(id));
      } catch (Problem lostAgain) {
        throw lostAgain.status() == 412
            ? Problem.of(409, "changed-meanwhile", "Changed meanwhile", lostAgain.getMessage())
                .retryable(1)
            : lostAgain;
      }
    }
  }

  private LeaseRecord readable(UUID id) {
    LeaseRecord seen = reads.find(id).orElseThrow(Problem::notFound);
    access.require(seen.lease().ask().tenant());
    return seen;
  }

  private LeaseAnswer apply(
      LeaseRecord seen, Command command, Map<UUID, LeaseText> texts, Call call) {
    Submission submission =
        new Submission(
            command,
            call.actor(),
            call.traceId(),
            null,
            texts,
            call.ifRevision(),
            null,
            false,
            null);
    Outcome outcome =
        call.dryRun()
            ? ledger.rehearse(seen.pool(), submission)
            : ledger.submit(seen.pool(), submission, call.key());
    Committed committed = presentation.outcomes().committed(outcome, seen.pool(), seen.text());
    return switch (committed.decision()) {
      case Decision.Done _ -> presentation.answer(200, committed.leases().getFirst());
      case Decision.Decided waits when waits.answer().verdict() == Verdict.WAITING ->
          presentation.answer(202, committed.leases().getFirst());
      case Declined declined when declined.why() == Declined.Why.NOT_FOUND ->
          onFinal(seen.lease().id(), command, call);
      case Declined declined ->
          throw presentation
              .outcomes()
              .declined(
                  declined, seen.pool(), committed.bookRevision(), seen.text(), seen.lease().id());
      case Decision.Decided _,
          Decision.DecidedAtomic _,
          Decision.Changed _,
          Decision.Consolidated _,
          Decision.Reserved _,
          Decision.Shortfalls _ ->
          throw LeaseService.unexpected(committed.decision());
    };
  }

  /**
   * The engine has forgotten leases that are over: what was to be reached may be reached already.
   */
  private LeaseAnswer onFinal(UUID id, Command command, Call call) {
    LeaseRecord over = readable(id);
    requireRevision(over, call);
    LeaseState state = over.lease().state();
    boolean reached =
        switch (command) {
          case Command.Cancel _ -> state == LeaseState.CANCELLED;
          case Command.Release _, Command.Revoke _ ->
              state == LeaseState.ENDED || state == LeaseState.CANCELLED;
          default -> false;
        };
    if (!reached) {
      throw Outcomes.illegalMove("The lease is " + state + ", and that is final.");
    }
    return presentation.answer(200, over);
  }

  private static void requireRevision(LeaseRecord seen, Call call) {
    if (call.ifRevision() != null && call.ifRevision() != seen.lease().revision()) {
      throw Outcomes.stale(seen);
    }
  }
}
