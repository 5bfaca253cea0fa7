package io.leasehold.contract;

import io.leasehold.ledger.Actor;
import io.leasehold.tenancy.People;
import io.leasehold.web.Problem;
import org.springframework.stereotype.Component;

/** A contract is signed and terminated by somebody who wrote nothing of it. */
@Component
class Signatures {

  private final People people;
  private final ContractProperties properties;

  Signatures(People people, ContractProperties properties) {
    this.people = people;
    this.properties = properties;
  }

  /** Passes unless the actor, or the owner of the key it acts with, is an author: 403. */
  void require(ContractRecord record, Actor actor) {
    if (properties.authorMaySign()) {
      return;
    }
    if (record.authors().contains(people.behind(actor.principal()))) {
      throw Problem.of(
          403,
          "same-author",
          "Same author",
          "Somebody else than those who wrote this contract signs and terminates it.");
    }
  }
}
