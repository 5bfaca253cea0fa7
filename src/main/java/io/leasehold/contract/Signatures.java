package io.leasehold.contract;

import io.leasehold.ledger.Actor;
import io.leasehold.web.Problem;
import org.springframework.stereotype.Component;

/** A contract is signed and terminated by somebody who wrote nothing of it. */
@Component
class Signatures {

  private final ContractRepository repository;
  private final ContractProperties properties;

  Signatures(ContractRepository repository, ContractProperties properties) {
    this.repository = repository;
    this.properties = properties;
  }

  /** Passes unless the actor, or the owner of the key it acts with, is an author: 403. */
  void require(ContractRecord record, Actor actor) {
    if (properties.authorMaySign()) {
      return;
    }
    boolean isAuthor =
        record.authors().contains(repository.responsible(actor.principal()))
            || record.authors().contains(actor.principal());
    if (isAuthor) {
      throw Problem.of(
          403,
          "same-author",
          "Same author",
          "Somebody else than those who wrote this contract signs and terminates it.");
    }
  }
}
