package io.leasehold.sample;

import io.leasehold.CannotStart;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A PostgreSQL server in a directory of its own, alive exactly as long as this process: a shell
 * holds the other end of a pipe and stops the server when the pipe closes, however this process
 * ends. Listens on the loopback address only, on a free port, with a password for each role; the
 * service is not its superuser. Commits are durable.
 */
public final class EmbeddedPostgres implements AutoCloseable {

  private static final String DATABASE = "leasehold";

  /** Seconds between attempts to start a server that ended by itself. */
  private static final long LONGEST_PAUSE = 30;

  /** Arguments: programs, data, log, port, and what to delete at the end. */
  private static final String WATCHDOG =
      """
      trap '' INT TERM HUP
      "$1/pg_ctl" start -w -t 60 -D "$2" -l "$3" -o "-p $4" >/dev/null 2>&1 || { echo failed; exit 1; }
      echo ready
      cat >/dev/null
      "$1/pg_ctl" stop -w -t 60 -m fast -D "$2" >/dev/null 2>&1 ||
        "$1/pg_ctl" stop -w -t 60 -m immediate -D "$2" >/dev/null 2>&1
      if [ -n "$5" ]; then rm -rf "$5"; fi
      """;

  private final DataDirectory directory;
  private final Process watchdog;
  private final List<String> startAgain;
  private final Properties passwords;
  private final int port;
  private final CountDownLatch closing = new CountDownLatch(1);

  private EmbeddedPostgres(
      DataDirectory directory,
      Process watchdog,
      List<String> startAgain,
      Properties passwords,
      int port) {
    this.directory = directory;
    this.watchdog = watchdog;
    this.startAgain = startAgain;
    this.passwords = passwords;
    this.port = port;
  }

  /** Who may log in where. */
  public record Login(String url, String user, String password) {}

  /** Starts the server on the directory, with what it holds or a new database. */
  public static EmbeddedPostgres start(Path directory) {
    return start(directory, Map.of(), Life.KEPT);
  }

  /** A server for tests: its directory is deleted with it. */
  public static EmbeddedPostgres startThrowaway(Path directory, Map<String, String> settings) {
    return start(directory, settings, Life.THROWAWAY);
  }

  private enum Life {
    KEPT,
    THROWAWAY
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
      throw new IllegalStateException("Interrupted while the embedded PostgreSQL started", e);
    }
  }

  private static EmbeddedPostgres start(
      DataDirectory directory, Map<String, String> settings, Life life)
      throws IOException, InterruptedException, SQLException {
    ServerUser user = ServerUser.choose();
    Path cache = user.other().isEmpty() ? userCache() : directory.root();
    Path bin = PostgresBinaries.unpackedIn(cache).resolve("bin");
    if (directory.isEmpty()) {
      create(directory, user, bin);
    }
    directory.check();
    endOrphan(directory, user, bin);
    configure(directory, settings);
    EmbeddedPostgres server = watch(directory, user, bin, life);
    server.setUp();
    Thread.ofVirtual().name("embedded-postgres").start(server::keepUp);
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

  private static void create(DataDirectory directory, ServerUser user, Path bin)
      throws IOException, InterruptedException {
    Path aside = directory.aside();
    user.own(aside);
    run(
        user.command(
            List.of(
                bin.resolve("initdb").toString(),
                "--pgdata=" + aside.resolve("data"),
                "--username=postgres",
                "--pwfile=" + aside.resolve("superuser"),
                "--auth=scram-sha-256",
                "--data-checksums",
                "--encoding=UTF8",
                "--locale=C",
                "--no-instructions")));
    directory.keep(aside);
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException(said.strip());
    }
  }

  /** A server that outlived its process (somebody killed the watchdog too) is ended first. */
  private static void endOrphan(DataDirectory directory, ServerUser user, Path bin)
      throws IOException, InterruptedException {
    Path file = directory.data().resolve("postmaster.pid");
    if (Files.notExists(file)) {
      return;
    }
    List<String> lines = Files.readAllLines(file);
    if (!lines.isEmpty() && isServerOf(directory, Long.parseLong(lines.getFirst().strip()))) {
      run(
          user.command(
              List.of(
                  bin.resolve("pg_ctl").toString(),
                  "stop",
                  "-w",
                  "-m",
                  "fast",
                  "-D",
                  directory.data().toString())));
    } else {
      Files.delete(file); // Its number may be another program's by now, and we hold the lock.
    }
  }

  private static boolean isServerOf(DataDirectory directory, long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().commandLine())
        .filter(line -> line.contains(directory.data().toString()))
        .isPresent();
  }

  private static void configure(DataDirectory directory, Map<String, String> settings)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("listen_addresses", "127.0.0.1");
    all.put("unix_socket_directories", "");
    all.put("password_encryption", "scram-sha-256");
    all.put("fsync", "on");
    all.put("synchronous_commit", "on");
    all.put("max_connections", "100");
    all.put("shared_buffers", "128MB");
    all.put("max_wal_size", "1GB");
    all.put("timezone", "UTC");
    all.put("log_timezone", "UTC");
    all.putAll(settings);
    StringBuilder text = new StringBuilder("# Written at each start.\n");
    all.forEach(
        (name, value) ->
            text.append(name).append(" = '").append(value.replace("'", "''")).append("'\n"));
    Files.writeString(directory.data().resolve("postgresql.conf"), text);
  }

  private static EmbeddedPostgres watch(
      DataDirectory directory, ServerUser user, Path bin, Life life)
      throws IOException, InterruptedException {
    int port = freePort();
    List<String> words =
        List.of(
            "sh",
            "-c",
            WATCHDOG,
            "leasehold-postgres",
            bin.toString(),
            directory.data().toString(),
            directory.log().toString(),
            Integer.toString(port),
            life == Life.THROWAWAY ? directory.root().toString() : "");
    Process watchdog =
        new ProcessBuilder(user.command(new ArrayList<>(words)))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader said = watchdog.inputReader();
    if (!"ready".equals(said.readLine())) {
      watchdog.waitFor(10, TimeUnit.SECONDS);
      throw new IOException(
          "PostgreSQL did not start on %s. Its last words: %s"
              .formatted(directory.home(), lastWords(directory.log())));
    }
    List<String> startAgain =
        user.command(
            List.of(
                bin.resolve("pg_ctl").toString(),
                "start",
                "-w",
                "-D",
                directory.data().toString(),
                "-l",
                directory.log().toString(),
                "-o",
                "-p " + port));
    return new EmbeddedPostgres(directory, watchdog, startAgain, directory.passwords(), port);
  }

  private static String lastWords(Path log) throws IOException {
    if (Files.notExists(log)) {
      return "none";
    }
    List<String> lines = Files.readAllLines(log);
    return String.join(" / ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** A server that ended by itself (the disk was full) is started again, ever more slowly. */
  private void keepUp() {
    try {
      long pause = 1;
      while (!closing.await(pause, TimeUnit.SECONDS)) {
        pause = isUp() ? 1 : Math.min(LONGEST_PAUSE, pause * 2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isUp() throws InterruptedException {
    try {
      Path file = directory.data().resolve("postmaster.pid");
      if (closing.getCount() == 0
          || Files.exists(file)
              && isServerOf(directory, Long.parseLong(Files.readAllLines(file).getFirst()))) {
        return true;
      }
      Files.deleteIfExists(file);
      Process start =
          new ProcessBuilder(startAgain)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return start.waitFor() == 0;
    } catch (IOException | NumberFormatException | NoSuchElementException e) {
      return false; // Half-written or unreadable now; looked at again after the pause.
    }
  }

  /** Roles and database; as often as wanted. */
  private void setUp() throws SQLException, IOException {
    try (Connection connection = connect(superuser());
        Statement statement = connection.createStatement()) {
      statement.execute(rolesScript());
      for (String role : DataDirectory.ROLES.subList(1, DataDirectory.ROLES.size())) {
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

  private static Connection connect(Login login) throws SQLException {
    return DriverManager.getConnection(login.url(), login.user(), login.password());
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

  private Login login(String database, String role) {
    return new Login(
        "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database),
        role,
        passwords.getProperty(role));
  }

  /** The same role's login to another database of this server. */
  public Login at(Login login, String database) {
    return new Login(
        "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database),
        login.user(),
        login.password());
  }

  public int port() {
    return port;
  }

  /** Stops the server and waits until it has stopped. */
  @Override
  public void close() {
    closing.countDown();
    stop();
  }

  private synchronized void stop() {
    try {
      watchdog.getOutputStream().close();
      watchdog.waitFor(130, TimeUnit.SECONDS);
      directory.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
