package io.leasehold.contract;

import io.leasehold.fleet.GpuModels;
import io.leasehold.fleet.Origin;
import io.leasehold.fleet.Outcomes;
import io.leasehold.fleet.Revisions;
import io.leasehold.fleet.Written;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Ledger.Imposed;
import io.leasehold.tenancy.People;
import io.leasehold.web.Ids;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Scope;
import io.leasehold.web.WireTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Drafts of contracts: written, read, replaced. A draft binds nobody. */
@Service
public class ContractService {

  private final ContractRepository repository;
  private final ContractRules rules;
  private final People people;
  private final GpuModels models;
  private final Ledger ledger;

  ContractService(
      ContractRepository repository,
      ContractRules rules,
      People people,
      GpuModels models,
      Ledger ledger) {
    this.repository = repository;
    this.rules = rules;
    this.people = people;
    this.models = models;
    this.ledger = ledger;
  }

  ContractRecord find(UUID id) {
    return repository.find(id).orElseThrow(Problem::notFound);
  }

  ContractResponse response(ContractRecord record) {
    return ContractResponse.of(record, models);
  }

  Page<ContractResponse> page(ContractFilter filter, Scope scope, PageRequest page) {
    Page<ContractRecord> records =
        page.page(
            repository.page(filter, scope, page),
            record ->
                new PageRequest.Position(
                    WireTime.micros(record.createTime()), record.id().toString()));
    return new Page<>(
        records.items().stream().map(this::response).toList(), records.nextPageToken());
  }

  /** Writes a draft. */
  public Written<ContractResponse> draft(ContractRequest request, Origin origin) {
    ContractTerms terms = rules.check(request);
    UUID id = Ids.next();
    UUID author = people.behind(origin.actor().principal());
    Imposed imposed =
        ledger.impose(
            origin.actor(),
            origin.traceId(),
            "contract:" + id,
            terms.tenant(),
            "contract-drafted",
            List.of(),
            origin.key(),
            connection -> {
              repository.add(connection, id, terms, origin.actor(), author);
              return "\"" + id + "\"";
            });
    return switch (imposed) {
      case Imposed.KeyReused reused -> throw Outcomes.keyReused();
      case Imposed.Written written ->
          new Written<>(
              response(find(id(written.reply()))),
              written.replayed() ? Written.How.REPLAYED : Written.How.CREATED);
    };
  }

  /** Replaces a draft; whoever does becomes one of its authors. */
  Written<ContractResponse> replace(
      ContractRecord standing, ContractRequest request, @Nullable Long seen, Origin origin) {
    if (standing.state() != ContractState.DRAFT) {
      throw illegal(standing, "only a DRAFT can be replaced");
    }
    ContractTerms terms = rules.check(request);
    if (terms.describe(standing)) {
      Revisions.allow(standing.revision(), seen);
      return new Written<>(response(standing), Written.How.UNCHANGED);
    }
    Revisions.require(standing.revision(), seen);
    UUID author = people.behind(origin.actor().principal());
    ledger.impose(
        origin.actor(),
        origin.traceId(),
        "contract:" + standing.id(),
        terms.tenant(),
        "contract-redrafted",
        List.of(),
        null,
        connection -> {
          repository
              .replace(connection, standing.id(), terms, author, standing.revision())
              .orElseThrow(ContractService::changed);
          return "{}";
        });
    return new Written<>(response(find(standing.id())), Written.How.CHANGED);
  }

  static Problem illegal(ContractRecord record, String rule) {
    return Problem.of(
        409,
        "illegal-move",
        "Illegal move",
        "The contract is " + record.state() + "; " + rule + ".");
  }

  static Problem changed() {
    return Problem.changedMeanwhile("The contract was changed meanwhile; read it again.");
  }

  /** The reply kept for a key: the id as a JSON string. */
  private static UUID id(String reply) {
    return UUID.fromString(reply.replace("\"", ""));
  }
}
