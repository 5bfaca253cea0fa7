package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.ledger.LeaseText;
import org.jspecify.annotations.Nullable;

/**
 * A change as it is handed to the ledger.
 *
 * @param text what the lease carries afterwards, if the command is taken; null = as before
 */
record Verb(Command command, @Nullable LeaseText text) {

  static Verb of(Command command) {
    return new Verb(command, null);
  }
}
