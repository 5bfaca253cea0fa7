package io.leasehold.fleet;

import java.sql.Connection;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Statements with named parameters in the ledger's transaction. */
public final class Statements {

  private Statements() {}

  /** The connection stays open and its transaction stays the ledger's. */
  public static JdbcClient on(Connection connection) {
    return JdbcClient.create(new SingleConnectionDataSource(connection, true));
  }
}
