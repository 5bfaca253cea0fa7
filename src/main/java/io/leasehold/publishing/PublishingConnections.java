package io.leasehold.publishing;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The connections of publishing, apart from those of the doors and the deciders, so that none can
 * starve another. Nothing written on them waits for the disk: what a crash of the database takes
 * back is only delivered again, and whatever the ledger commits afterwards carries it to the disk.
 *
 * <p>The index of what is due is mostly of rows that are gone: a plain scan marks their entries and
 * passes over them the next time, a bitmap scan would visit each again until the next vacuum.
 */
public final class PublishingConnections implements AutoCloseable {

  private static final String SETTINGS =
      """
      set synchronous_commit = off;
      set statement_timeout = '10s';
      set lock_timeout = '2s';
      set enable_bitmapscan = off;
      set jit = off\
      """;

  private final HikariDataSource pool;

  PublishingConnections(HikariDataSource pool) {
    this.pool = pool;
  }

  static PublishingConnections open(String url, String user, String password, int most) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("publishing");
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(most);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(2_000);
    config.setInitializationFailTimeout(-1);
    config.setConnectionInitSql(SETTINGS);
    config.addDataSourceProperty("logServerErrorDetail", "false");
    config.addDataSourceProperty("connectTimeout", "3");
    config.addDataSourceProperty("socketTimeout", "30");
    config.addDataSourceProperty("ApplicationName", "leasehold-publishing");
    return new PublishingConnections(new HikariDataSource(config));
  }

  /** Each statement commits by itself. */
  public JdbcClient database() {
    return JdbcClient.create(pool);
  }

  @Override
  public void close() {
    pool.close();
  }
}
