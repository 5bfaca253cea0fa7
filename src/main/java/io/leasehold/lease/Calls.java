package io.leasehold.lease;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Key;
import io.leasehold.web.Access;
import io.leasehold.web.Caller;
import io.leasehold.web.ETag;
import io.leasehold.web.IdempotencyKey;
import io.leasehold.web.Preference;
import io.leasehold.web.Problem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Makes a {@link Call} of the present request and its headers. */
@Component
class Calls {

  private final Access access;

  Calls(Access access) {
    this.access = access;
  }

  Call create(@Nullable IdempotencyKey key, boolean dryRun, @Nullable String prefer) {
    return call(key, dryRun, null, dryRun ? Duration.ZERO : Preference.waiting(prefer));
  }

  Call change(@Nullable IdempotencyKey key, boolean dryRun, @Nullable String ifMatch) {
    return call(key, dryRun, ETag.ifMatch(ifMatch), Duration.ZERO);
  }

  private Call call(
      @Nullable IdempotencyKey key, boolean dryRun, @Nullable Long ifRevision, Duration wait) {
    Caller caller = access.caller();
    return new Call(
        new Actor(caller.principal(), caller.kind(), caller.name()),
        access.traceId(),
        key == null ? null : new Key(key.scope(), key.value(), key.fingerprint()),
        dryRun,
        ifRevision,
        wait);
  }

  /** The body of a request that has one, exactly as sent. */
  static String raw(jakarta.servlet.http.HttpServletRequest request) {
    String raw = io.leasehold.web.RawBody.text(request);
    if (raw == null) {
      throw Problem.invalid(Problem.Fault.at("", "required", "The request has no body."));
    }
    return raw;
  }
}
