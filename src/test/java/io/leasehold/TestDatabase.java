package io.leasehold;

import io.leasehold.sample.EmbeddedPostgres;
import io.leasehold.sample.EmbeddedPostgres.Login;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A database for a test: new, migrated, nobody else's. All databases of a JVM live in one server,
 * which ends with it.
 *
 * <pre>
 * TestDatabase database = TestDatabase.fresh();
 * DataSource dataSource = database.dataSource();
 * </pre>
 *
 * <p>Logs in as the service does (rows only, audit tables append only); {@link #asOwner} may more.
 * For a whole application put {@link FreshDatabase} on the test class.
 *
 * @param url the JDBC URL, the same for both roles
 * @param user the service's role
 * @param owner the migrations' role
 */
public record TestDatabase(String url, String user, String password, Login owner) {

  private static final AtomicInteger COUNT = new AtomicInteger();

  public static TestDatabase fresh() {
    return Server.ONLY.fresh("test_" + COUNT.incrementAndGet());
  }

  /** A data source without a pool: a connection each time. */
  public DataSource dataSource() {
    return new DriverManagerDataSource(url, user, password);
  }

  /** For what the service may not: changing tables, deleting audit rows. */
  public DataSource asOwner() {
    return new DriverManagerDataSource(owner.url(), owner.user(), owner.password());
  }

  /** The server of this JVM, started and migrated at first use. */
  private record Server(TestServer server) {

    static final Server ONLY = new Server(TestServer.start());
    private static final String TEMPLATE = "leasehold_template";

    Server {
      create(server, TEMPLATE, "");
      Login owner = server.owner(TEMPLATE);
      if (!TestDate.ahead().isZero()) {
        moveClock(server.at(TEMPLATE));
      }
      Flyway.configure()
          .dataSource(owner.url(), owner.user(), owner.password())
          .locations("filesystem:db/migration")
          .load()
          .migrate();
    }

    private static void create(TestServer server, String name, String more) {
      Login superuser = server.superuser();
      run(superuser, "create database " + name + more + " owner leasehold_owner");
      if (!TestDate.ahead().isZero()) {
        run(superuser, "alter database " + name + " set search_path = public, moved, pg_catalog");
      }
    }

    /** Of this name before PostgreSQL's own, as {@code search_path} has it. */
    private static void moveClock(Login superuser) {
      run(superuser, "create schema moved");
      run(superuser, "grant usage on schema moved to public");
      for (String clock : List.of("clock_timestamp", "now", "statement_timestamp")) {
        run(
            superuser,
            "create function moved.%1$s() returns timestamptz language sql volatile parallel safe"
                    .formatted(clock)
                + " return pg_catalog.%s() + interval '%d days'"
                    .formatted(clock, TestDate.ahead().toDays()));
      }
    }

    synchronized TestDatabase fresh(String name) {
      create(server, name, " template " + TEMPLATE);
      Login app = server.app(name);
      return new TestDatabase(app.url(), app.user(), app.password(), server.owner(name));
    }

    private static void run(Login login, String sql) {
      try (Connection connection =
              DriverManager.getConnection(login.url(), login.user(), login.password());
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new IllegalStateException(sql, e);
      }
    }
  }

  /** Where the databases live. */
  interface TestServer {

    /** Of the server's configuration, wherever it runs. */
    Map<String, String> SETTINGS =
        Map.of(
            "fsync", System.getProperty("leasehold.test.fsync", "off"),
            "shared_buffers", System.getProperty("leasehold.test.shared-buffers", "64MB"),
            "max_connections", "600");

    Login superuser();

    /** The superuser in a database. */
    Login at(String database);

    Login owner(String database);

    Login app(String database);

    static TestServer start() {
      return ContainerServer.isWanted() ? new ContainerServer() : new EmbeddedServer();
    }
  }

  private record EmbeddedServer(EmbeddedPostgres postgres) implements TestServer {

    EmbeddedServer() {
      this(
          EmbeddedPostgres.startThrowaway(
              Path.of("target", "postgres-" + ProcessHandle.current().pid()), SETTINGS));
    }

    @Override
    public Login superuser() {
      return postgres.superuser();
    }

    @Override
    public Login at(String database) {
      return postgres.at(postgres.superuser(), database);
    }

    @Override
    public Login owner(String database) {
      return postgres.at(postgres.owner(), database);
    }

    @Override
    public Login app(String database) {
      return postgres.at(postgres.app(), database);
    }
  }
}
