package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.ServiceClass;
import io.leasehold.lease.Translation.Translated;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Outcome.Committed;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;

/**
 * Asks for leases: turns a request into a command for the ledger, and its outcome into an answer.
 * Always the same steps: check the right, translate, submit or rehearse, answer.
 */
@Service
class LeaseService {

  /** From this priority on a request is real-time: decided first, in small batches. */
  static final int URGENT = 1000;

  private final Ledger ledger;
  private final ActingTenant tenants;
  private final Translation translation;
  private final LeaseReads reads;
  private final FirstAnswers first;
  private final Waits waits;
  private final SameRequest sameRequest;
  private final Presentation presentation;

  LeaseService(
      Ledger ledger,
      ActingTenant tenants,
      Translation translation,
      LeaseReads reads,
      FirstAnswers first,
      Waits waits,
      SameRequest sameRequest,
      Presentation presentation) {
    this.ledger = ledger;
    this.tenants = tenants;
    this.translation = translation;
    this.reads = reads;
    this.first = first;
    this.waits = waits;
    this.sameRequest = sameRequest;
    this.presentation = presentation;
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
        : first
            .to(call.key())
            .filter(committed -> committed.decision() instanceof Decision.Decided)
            .map(committed -> decided(committed, call));
  }

  private LeaseAnswer create(Translated asked, Call call) {
    Submission submission = submission(asked, call);
    Outcome outcome =
        call.dryRun()
            ? ledger.rehearse(asked.pool(), submission)
            : ledger.submit(asked.pool(), submission, call.key());
    Committed committed = presentation.outcomes().committed(outcome, asked.pool(), asked.text());
    return switch (committed.decision()) {
      case Decision.Decided _ -> decided(committed, call);
      case Declined declined ->
          throw presentation
              .outcomes()
              .declined(declined, asked.pool(), committed.bookRevision(), asked.text(), null);
      case Decision.DecidedAtomic _,
          Decision.Done _,
          Decision.Changed _,
          Decision.Consolidated _,
          Decision.Reserved _,
          Decision.Shortfalls _ ->
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
    boolean same = presentation.sees(taken) && sameRequest.test(taken.text().request(), raw);
    if (!same) {
      throw Outcomes.idTaken();
    }
    return presentation.answer(200, taken);
  }

  private LeaseAnswer decided(Committed committed, Call call) {
    LeaseRecord lease = committed.leases().getFirst();
    if (call.dryRun()) {
      return presentation.dryRun(lease);
    }
    LeaseRecord latest =
        waits.until(
            lease,
            call.patience(),
            seen -> seen.lease().state() == LeaseState.ACTIVE || seen.lease().state().isFinal());
    int status = Outcomes.status(latest.answer().verdict());
    if (status == 409) {
      throw presentation.outcomes().refused(latest);
    }
    return presentation.answer(status, latest).afterWaiting(!call.patience().isZero());
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
        Heartbeats.expecting(List.of(asked.ask())));
  }

  static boolean isUrgent(ServiceClass serviceClass) {
    return serviceClass.priority() >= URGENT;
  }

  static IllegalStateException unexpected(Decision decision) {
    return new IllegalStateException("The engine answered a lease's command with " + decision);
  }
}
