package io.leasehold.contract;

import io.leasehold.engine.Contract;
import io.leasehold.engine.Contract.Entitlement;
import io.leasehold.engine.Span;
import io.leasehold.web.WireTime;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A contract as its row has it.
 *
 * @param authors everybody who wrote on the draft
 */
record ContractRecord(
    UUID id,
    String pool,
    String tenant,
    Instant startTime,
    Instant endTime,
    ContractState state,
    List<Entitlement> entitlements,
    List<UUID> authors,
    String createdByKind,
    String createdByName,
    @Nullable String signedByName,
    @Nullable Instant signTime,
    @Nullable Instant terminateTime,
    long revision,
    Instant createTime,
    Instant updateTime) {

  /** What the engine is to know of it. */
  Contract contract() {
    Span valid = new Span(WireTime.micros(startTime), WireTime.micros(endTime));
    return new Contract(id, tenant, valid, entitlements);
  }
}
