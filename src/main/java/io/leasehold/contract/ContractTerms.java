package io.leasehold.contract;

import io.leasehold.engine.Contract.Entitlement;
import java.time.Instant;
import java.util.List;

/** What a draft says, checked: every name is known and every number in its bounds. */
record ContractTerms(
    String pool,
    String tenant,
    Instant startTime,
    Instant endTime,
    List<Entitlement> entitlements) {

  ContractTerms {
    entitlements = List.copyOf(entitlements);
  }

  boolean describe(ContractRecord record) {
    return record.pool().equals(pool)
        && record.tenant().equals(tenant)
        && record.startTime().equals(startTime)
        && record.endTime().equals(endTime)
        && record.entitlements().equals(entitlements);
  }
}
