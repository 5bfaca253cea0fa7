package io.leasehold.lease;

import io.leasehold.contract.Contracts;
import io.leasehold.engine.Command;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.web.Access;
import io.leasehold.web.Problem;
import io.leasehold.web.Rights;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/**
 * Reads who shall have a lease. Another tenant's side is asked as well: the caller must be allowed
 * to ask for leases there, and that tenant to use the pool.
 */
@Component
class TransferReader {

  private static final int LONGEST_OWNER = 128;

  private final Access access;
  private final Rights rights;
  private final Contracts contracts;
  private final Restatement restatement;

  TransferReader(Access access, Rights rights, Contracts contracts, Restatement restatement) {
    this.access = access;
    this.rights = rights;
    this.contracts = contracts;
    this.restatement = restatement;
  }

  Function<LeaseRecord, Verb> read(VerbRequests.Transfer sent) {
    Faults faults = new Faults("");
    if ((sent.owner() == null) == (sent.tenant() == null)) {
      faults.add("/owner", "exactly-one", "Either owner or tenant.");
    }
    faults.text("/owner", sent.owner(), LONGEST_OWNER);
    faults.throwIfAny();
    return sent.tenant() == null
        ? seen ->
            new Verb(
                new Command.Annotate(seen.lease().id()), restatement.ownedBy(seen, sent.owner()))
        : seen -> toTenant(seen, sent.tenant());
  }

  private Verb toTenant(LeaseRecord seen, String tenant) {
    access.require(tenant);
    if (!rights.covers(access.scope(Operations.CREATE), tenant)) {
      throw Problem.of(
          403, "forbidden", "Not allowed", "You may not ask for leases of " + tenant + ".");
    }
    if (!contracts.poolsOf(tenant).contains(seen.pool())) {
      throw Problem.invalid(
          Problem.Fault.at(
              "/tenant",
              "no-pool",
              "No contract lets " + tenant + " use pool " + seen.pool() + "."));
    }
    return new Verb(
        new Command.Transfer(seen.lease().id(), tenant), restatement.ofTenant(seen, tenant));
  }
}
