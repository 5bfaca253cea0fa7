package io.leasehold.lease;

import io.leasehold.web.Access;
import io.leasehold.web.Rights;
import io.leasehold.web.Scope;
import org.springframework.stereotype.Component;

/** What the present caller sees of leases, whatever he is doing. */
@Component
class Viewer {

  private final Access access;
  private final Rights rights;

  Viewer(Access access, Rights rights) {
    this.access = access;
    this.rights = rights;
  }

  Scope scope() {
    return access.scope(Operations.READ);
  }

  /** Fixed to the present caller: may be used after the request. */
  Sight sight() {
    Scope scope = scope();
    return scope.everything() ? Sight.EVERYTHING : tenant -> rights.covers(scope, tenant);
  }
}
