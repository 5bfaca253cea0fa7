package io.leasehold.sample;

import io.leasehold.CannotStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;

/**
 * A PostgreSQL server in a directory of its own, alive exactly as long as this process. Listens on
 * the loopback address only, on a free port, with a password for each role; the service is not its
 * superuser. Commits are durable.
 */
public final class EmbeddedPostgres implements AutoCloseable {

  private static final String DATABASE = "leasehold";

  private final DataDirectory directory;
  private final Postmaster postmaster;
  private final Properties passwords;

  private EmbeddedPostgres(DataDirectory directory, Postmaster postmaster, Properties passwords) {
    this.directory = directory;
    this.postmaster = postmaster;
    this.passwords = passwords;
  }

  /** Who may log in where. */
  public record Login(String url, String user, String password) {}

  private enum Life {
    KEPT,
    THROWAWAY
  }

  /** Starts the server on the directory, with what it holds or a new database. */
  public static EmbeddedPostgres start(Path directory) {
    return start(directory, Map.of(), Life.KEPT);
  }

  /** A server for tests: its directory is deleted with it. */
  public static EmbeddedPostgres startThrowaway(Path directory, Map<String, String> settings) {
    return start(directory, settings, Life.THROWAWAY);
  }

  private static EmbeddedPostgres start(Path directory, Map<String, String> settings, Life life) {
    try {
      DataDirectory taken = DataDirectory.take(directory);
      try {
        return start(taken, settings, life);
      } catch (Exception e) {
        taken.close();
        throw e;
      }
    } catch (IOException e) {
      throw new CannotStart("The embedded PostgreSQL can not start: " + e.getMessage(), e);
    } catch (SQLException e) {
      throw new CannotStart("The embedded PostgreSQL can not be set up: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CannotStart("Interrupted while the embedded PostgreSQL started.", e);
    }
  }

  private static EmbeddedPostgres start(
      DataDirectory directory, Map<String, String> settings, Life life)
      throws IOException, InterruptedException, SQLException {
    ServerUser user = ServerUser.choose();
    Path cache = user.other().isEmpty() ? userCache() : directory.root();
    Path bin = PostgresBinaries.unpackedIn(cache).resolve("bin");
    Postmaster postmaster = new Postmaster(directory, user, bin);
    if (directory.isEmpty()) {
      postmaster.initialise();
    }
    directory.check();
    postmaster.endOrphan();
    directory.configure(settings);
    postmaster.start(life == Life.THROWAWAY ? directory.root() : null);
    EmbeddedPostgres server = new EmbeddedPostgres(directory, postmaster, directory.passwords());
    server.setUp();
    return server;
  }

  private static Path userCache() {
    String chosen = System.getenv("XDG_CACHE_HOME");
    Path caches =
        chosen == null || chosen.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(chosen);
    return caches.resolve("leasehold");
  }

  /** Roles and database; as often as wanted. */
  private void setUp() throws SQLException, IOException {
    Login superuser = superuser();
    try (Connection connection =
            DriverManager.getConnection(superuser.url(), superuser.user(), superuser.password());
        Statement statement = connection.createStatement()) {
      statement.execute(rolesScript());
      for (String role : DataDirectory.ROLES) {
        // The passwords are base64url of ours: no quote can be in them.
        statement.execute(
            "alter role %s password '%s'".formatted(role, passwords.getProperty(role)));
      }
      try (ResultSet found =
          statement.executeQuery(
              "select 1 from pg_database where datname = '%s'".formatted(DATABASE))) {
        if (found.next()) {
          return;
        }
      }
      statement.execute("create database %s owner leasehold_owner".formatted(DATABASE));
    }
  }

  private static String rolesScript() throws IOException {
    try (var script = EmbeddedPostgres.class.getResourceAsStream("/db/roles.sql")) {
      return script == null
          ? Files.readString(Path.of("db/roles.sql"))
          : new String(script.readAllBytes());
    }
  }

  /** Creates databases and roles; never handed to the service. */
  public Login superuser() {
    return login("postgres", "postgres");
  }

  /** Migrates. */
  public Login owner() {
    return login(DATABASE, "leasehold_owner");
  }

  /** What the service uses: rows only. */
  public Login app() {
    return login(DATABASE, "leasehold_app");
  }

  /** The same role's login to another database of this server. */
  public Login at(Login login, String database) {
    return login(database, login.user());
  }

  private Login login(String database, String role) {
    return new Login(
        "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port(), database),
        role,
        passwords.getProperty(role));
  }

  public int port() {
    return postmaster.port();
  }

  /** Where the server's files are, and what else this installation keeps. */
  public Path directory() {
    return directory.root();
  }

  /** Stops the server and waits until it has stopped. */
  @Override
  public void close() {
    try {
      postmaster.stop();
      directory.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
