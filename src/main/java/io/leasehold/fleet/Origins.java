package io.leasehold.fleet;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Key;
import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.IdempotencyKey;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Who asks for a change by the present request. */
@Component
public class Origins {

  private final Access access;

  Origins(Access access) {
    this.access = access;
  }

  public Origin of(@Nullable IdempotencyKey key) {
    Caller caller = access.caller();
    return new Origin(
        new Actor(caller.principal(), caller.kind(), caller.name()),
        access.traceId(),
        key == null ? null : new Key(key.scope(), key.value(), key.fingerprint()));
  }
}
