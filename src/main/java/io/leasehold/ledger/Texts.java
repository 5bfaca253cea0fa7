package io.leasehold.ledger;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Lease;
import java.util.IdentityHashMap;
import java.util.Map;

/** What a batch writes to a row and to the log alike is made into JSON once. */
final class Texts {

  private final Map<Record, String> written = new IdentityHashMap<>();

  String status(Lease lease) {
    return written.computeIfAbsent(lease, _ -> Payload.status(lease));
  }

  String ask(Ask ask) {
    return written.computeIfAbsent(ask, Json::write);
  }
}
