package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.ServiceClass;
import io.leasehold.lease.LeaseRendering.View;
import io.leasehold.lease.Translation.Translated;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Outcome.Committed;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Access;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.springframework.stereotype.Service;

/**
 * Turns a call into a command for the ledger, and its outcome into an answer. Every change goes the
 * same steps: read and check the right, make the command, submit or rehearse it, answer.
 */
@Service
class LeaseService {

  /** From this priority on a request is real-time: decided first, in small batches. */
  static final int URGENT = 1000;

  private final Ledger ledger;
  private final ActingTenant tenants;
  private final Translation translation;
  private final LeaseReads reads;
  private final LeaseRendering rendering;
  private final Waits waits;
  private final SameRequest sameRequest;
  private final Access access;
  private final Viewer viewer;

  LeaseService(
      Ledger ledger,
      ActingTenant tenants,
      Translation translation,
      LeaseReads reads,
      LeaseRendering rendering,
      Waits waits,
      SameRequest sameRequest,
      Access access,
      Viewer viewer) {
    this.ledger = ledger;
    this.tenants = tenants;
    this.translation = translation;
    this.reads = reads;
    this.rendering = rendering;
    this.waits = waits;
    this.sameRequest = sameRequest;
    this.access = access;
    this.viewer = viewer;
  }

  LeaseAnswer create(LeaseRequest sent, String raw, UUID id, Call call) {
    String tenant = tenants.actingFor(sent.tenant(), "");
    try {
      return create(translation.translate(sent, raw, tenant, id, List.of(), ""), call);
    } catch (Problem fault) {
      return answeredBefore(fault, call).orElseThrow(() -> fault);
    }
  }

  /** A retry may come when the start it names has passed: the first answer still stands. */
  private Optional<LeaseAnswer> answeredBefore(Problem fault, Call call) {
    return fault.status() != 400 || call.key() == null
        ? Optional.empty()
        : reads
            .answered(call.key())
            .map(List::getFirst)
            .filter(Committed.class::isInstance)
            .map(Committed.class::cast)
            .filter(committed -> committed.decision() instanceof Decision.Decided)
            .map(committed -> decided(committed, call));
  }

  private LeaseAnswer create(Translated asked, Call call) {
    Submission submission = submission(asked, call);
    Outcome outcome =
        call.dryRun()
            ? ledger.rehearse(asked.pool(), submission)
            : ledger.submit(asked.pool(), submission, call.key());
    Committed committed = outcomes().committed(outcome, asked.pool(), asked.text());
    return switch (committed.decision()) {
      case Decision.Decided _ -> decided(committed, call);
      case Declined declined ->
          throw outcomes()
              .declined(declined, asked.pool(), committed.bookRevision(), asked.text(), null);
      case Decision.DecidedAtomic _, Decision.Done _, Decision.Changed _, Decision.Shortfalls _ ->
          throw unexpected(committed.decision());
    };
  }

  /** Creates under an id that the client chose; the same request again finds what it made. */
  LeaseAnswer put(UUID id, LeaseRequest sent, String raw, Call call) {
    return reads
        .find(id)
        .map(taken -> again(taken, raw))
        .orElseGet(
            () -> {
              try {
                return create(sent, raw, id, call);
              } catch (Problem problem) {
                if (!problem.code().equals("id-taken")) {
                  throw problem;
                }
                return again(reads.find(id).orElseThrow(() -> problem), raw);
              }
            });
  }

  private LeaseAnswer again(LeaseRecord taken, String raw) {
    boolean same =
        access.covers(taken.lease().ask().tenant())
            && sameRequest.test(taken.text().request(), raw);
    if (!same) {
      throw Outcomes.idTaken();
    }
    return new LeaseAnswer(200, rendering.of(taken, View.FULL, viewer.sight()), false, false);
  }

  private LeaseAnswer decided(Committed committed, Call call) {
    LeaseRecord lease = committed.leases().getFirst();
    if (call.dryRun()) {
      return new LeaseAnswer(200, rendering.of(lease, View.DRY_RUN, viewer.sight()), false, false);
    }
    LeaseRecord latest =
        waits.until(
            lease,
            call.patience(),
            seen -> seen.lease().state() == LeaseState.ACTIVE || seen.lease().state().isFinal());
    int status = Outcomes.status(latest.answer().verdict());
    if (status == 409) {
      throw outcomes().refused(latest);
    }
    return new LeaseAnswer(
        status,
        rendering.of(latest, View.FULL, viewer.sight()),
        committed.replayed(),
        !call.patience().isZero());
  }

  static Submission submission(Translated asked, Call call) {
    return new Submission(
        new Command.Create(asked.ask()),
        call.actor(),
        call.traceId(),
        null,
        Map.of(asked.ask().lease(), asked.text()),
        null,
        asked.ifBook(),
        isUrgent(asked.serviceClass()),
        null);
  }

  static boolean isUrgent(ServiceClass serviceClass) {
    return serviceClass.priority() >= URGENT;
  }

  /** A verb that needs nothing of the lease but its id. */
  LeaseAnswer change(UUID id, Command command, Call call) {
    return apply(readable(id), command, Map.of(), call);
  }

  /**
   * A verb that is made from what the lease is; tried once more if the lease changed in between and
   * the caller did not insist on a revision.
   */
  LeaseAnswer changeFrom(UUID id, Function<LeaseRecord, Command> verb, Call call) {
    return insist(id, call, seen -> apply(seen, verb.apply(seen), Map.of(), call.onSeen(seen)));
  }

  LeaseAnswer patch(UUID id, LeasePatch patch, Call call) {
    return insist(
        id,
        call,
        seen -> {
          requireRevision(seen, call);
          LeaseText text = patch.on(seen.text());
          return text.equals(seen.text())
              ? new LeaseAnswer(200, rendering.of(seen, View.FULL, viewer.sight()), false, false)
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
    Committed committed = outcomes().committed(outcome, seen.pool(), seen.text());
    return switch (committed.decision()) {
      case Decision.Done _ ->
          new LeaseAnswer(
              200,
              rendering.of(committed.leases().getFirst(), View.FULL, viewer.sight()),
              committed.replayed(),
              false);
      case Declined declined when declined.why() == Declined.Why.NOT_FOUND ->
          onFinal(seen.lease().id(), command, call);
      case Declined declined ->
          throw outcomes()
              .declined(
                  declined, seen.pool(), committed.bookRevision(), seen.text(), seen.lease().id());
      case Decision.Decided _,
          Decision.DecidedAtomic _,
          Decision.Changed _,
          Decision.Shortfalls _ ->
          throw unexpected(committed.decision());
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
    return new LeaseAnswer(200, rendering.of(over, View.FULL, viewer.sight()), false, false);
  }

  private static void requireRevision(LeaseRecord seen, Call call) {
    if (call.ifRevision() != null && call.ifRevision() != seen.lease().revision()) {
      throw Outcomes.stale(seen);
    }
  }

  private Outcomes outcomes() {
    return new Outcomes(rendering, viewer.sight());
  }

  private static IllegalStateException unexpected(Decision decision) {
    return new IllegalStateException("The engine answered a lease's command with " + decision);
  }
}
