package io.leasehold.contract;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Decision.Shortfall;
import io.leasehold.engine.GpuModel;
import io.leasehold.fleet.GpuModels;
import io.leasehold.fleet.Origin;
import io.leasehold.fleet.Outcomes;
import io.leasehold.fleet.Revisions;
import io.leasehold.fleet.Written;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Problem;
import io.leasehold.web.WireTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * Makes contracts bind, and ends them early. A signature is refused where the guarantees could not
 * be held at every instant, at every level of the tree. What was booked outlives a contract.
 */
@Service
public class SigningService {

  private final ContractService contracts;
  private final ContractRepository repository;
  private final Contracts signed;
  private final Signatures signatures;
  private final GpuModels models;
  private final Ledger ledger;

  SigningService(
      ContractService contracts,
      ContractRepository repository,
      Contracts signed,
      Signatures signatures,
      GpuModels models,
      Ledger ledger) {
    this.contracts = contracts;
    this.repository = repository;
    this.signed = signed;
    this.signatures = signatures;
    this.models = models;
    this.ledger = ledger;
  }

  /** Drafts and signs, unless the tenant has had a contract in the pool. */
  public void ensure(ContractRequest request, Origin origin) {
    Optional<ContractRecord> newest = repository.newest(request.pool(), request.tenant());
    if (newest.isEmpty()) {
      ContractResponse draft = contracts.draft(request, origin).value();
      sign(draft.id(), draft.revision(), origin);
    } else if (newest.get().state() == ContractState.DRAFT) {
      sign(newest.get().id(), newest.get().revision(), origin);
    }
  }

  /** Signs the draft that was seen. */
  public Written<ContractResponse> sign(UUID id, @Nullable Long seen, Origin origin) {
    ContractRecord record = contracts.find(id);
    signatures.require(record, origin.actor());
    if (isReached(record, ContractState.SIGNED, seen)) {
      return new Written<>(contracts.response(record), Written.How.UNCHANGED);
    }
    requireState(record, ContractState.DRAFT, seen, origin);
    if (record.state() == ContractState.DRAFT && !record.endTime().isAfter(repository.now())) {
      throw ContractService.illegal(record, "its end is past");
    }
    return submit(
        record,
        new Command.Sign(record.contract()),
        connection -> refuseUnless(repository.sign(connection, id, origin.actor(), seen)),
        origin);
  }

  /** Ends the signed contract that was seen, now. */
  public Written<ContractResponse> terminate(UUID id, @Nullable Long seen, Origin origin) {
    ContractRecord record = contracts.find(id);
    signatures.require(record, origin.actor());
    if (isReached(record, ContractState.TERMINATED, seen)) {
      return new Written<>(contracts.response(record), Written.How.UNCHANGED);
    }
    requireState(record, ContractState.SIGNED, seen, origin);
    Instant now = repository.now();
    return submit(
        record,
        new Command.Terminate(id, WireTime.micros(now)),
        connection -> refuseUnless(repository.terminate(connection, id, now, seen)),
        origin);
  }

  private static boolean isReached(
      ContractRecord record, ContractState target, @Nullable Long seen) {
    return record.state() == target && seen != null && seen == record.revision();
  }

  /** A repeated key is answered by the ledger, which knows it, whatever the state is by now. */
  private static void requireState(
      ContractRecord record, ContractState state, @Nullable Long seen, Origin origin) {
    if (seen == null || origin.key() == null) {
      Revisions.require(record.revision(), seen);
      if (record.state() != state) {
        throw ContractService.illegal(record, "it must be " + state);
      }
    }
  }

  private static void refuseUnless(boolean written) {
    if (!written) {
      throw new Rider.Refused("the contract is not as it was seen");
    }
  }

  private Written<ContractResponse> submit(
      ContractRecord record, Command command, Rider rider, Origin origin) {
    Submission submission =
        new Submission(
            command,
            origin.actor(),
            origin.traceId(),
            "contract:" + record.id(),
            Map.of(),
            null,
            null,
            false,
            rider);
    try {
      Outcome.Committed committed =
          Outcomes.committed(ledger.submit(record.pool(), submission, origin.key()));
      requireHeld(committed);
      signed.forget();
      return new Written<>(
          contracts.response(contracts.find(record.id())),
          committed.replayed() ? Written.How.REPLAYED : Written.How.CHANGED);
    } catch (Outcomes.LostRace lost) {
      throw ContractService.changed();
    }
  }

  private void requireHeld(Outcome.Committed committed) {
    if (committed.decision() instanceof Decision.Shortfalls missing) {
      throw shortfall(missing.shortfalls());
    }
    Outcomes.changed(committed);
  }

  private Problem shortfall(List<Shortfall> shortfalls) {
    Shortfall first = shortfalls.getFirst();
    return Problem.of(
            409,
            "shortfall",
            "Shortfall",
            "Guarantees of %d GPUs of %s can not be held by %s, which has %d; see shortfalls."
                .formatted(first.promised(), first.model(), first.scope(), first.available()))
        .with(
            "shortfalls",
            shortfalls.stream().map(each -> ShortfallResponse.of(each, canonical(each))).toList());
  }

  private String canonical(Shortfall shortfall) {
    return models.find(shortfall.model()).map(GpuModel::canonical).orElse(shortfall.model());
  }
}
