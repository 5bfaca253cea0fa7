package io.leasehold.ledger;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What a feature writes in its own tables when its command took effect, in the same transaction.
 * Runs under the pool's lock: a few statements, no waiting. Throws {@link Refused} to take the
 * whole command back.
 */
@FunctionalInterface
public interface Rider {

  void write(Connection connection) throws SQLException;

  /** The feature's own row was not as expected (changed meanwhile): the command is undone. */
  final class Refused extends RuntimeException {
    public Refused(String reason) {
      super(reason);
    }
  }
}
