package io.leasehold.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The connections of the deciders, apart from those of the doors, so that neither can starve the
 * other. A holder of a pool's lock that stops is thrown out after two seconds.
 *
 * <p>A server that has gone silent is left after 12 s, which is above every statement's own limit;
 * who may take longer says so by {@link #patient}.
 *
 * <p>Their statements reach every row by an index, and their plans are kept; a plan made while a
 * table was small must not scan it when it has grown. What the planner is kept from looks dear to
 * it, and compiling such a plan would take longer than running it.
 */
record DeciderConnections(HikariDataSource pool) implements AutoCloseable {

  private static final String SETTINGS =
      """
      set idle_in_transaction_session_timeout = '2s';
      set lock_timeout = '5s';
      set statement_timeout = '10s';
      set plan_cache_mode = force_generic_plan;
      set enable_seqscan = off;
      set enable_hashjoin = off;
      set enable_mergejoin = off;
      set jit = off\
      """;

  static DeciderConnections open(String url, String user, String password, int most) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("deciders");
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setAutoCommit(false);
    config.setMaximumPoolSize(most);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(2_000);
    config.setInitializationFailTimeout(-1);
    config.setConnectionInitSql(SETTINGS);
    config.setExceptionOverrideClassName(LostConnections.class.getName());
    config.setIsolateInternalQueries(true); // else the first user finds a transaction open
    config.addDataSourceProperty("logServerErrorDetail", "false");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("connectTimeout", "3");
    config.addDataSourceProperty("socketTimeout", "12");
    config.addDataSourceProperty("prepareThreshold", "2");
    config.addDataSourceProperty("ApplicationName", "leasehold-decider");
    return new DeciderConnections(new HikariDataSource(config));
  }

  /** Waits for the server as long as this work may take, until the connection is given back. */
  static void patient(Connection connection, Duration limit) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(limit.plusSeconds(2).toMillis()));
    try (Statement statement = connection.createStatement()) {
      statement.execute("set local idle_in_transaction_session_timeout = " + limit.toMillis());
      statement.execute("set local statement_timeout = " + limit.toMillis());
    }
  }

  DataSource source() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
  }
}
