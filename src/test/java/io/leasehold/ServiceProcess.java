package io.leasehold;

import io.leasehold.tenancy.Api;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/** The service as a process of its own, in production mode, on a given database. */
final class ServiceProcess implements AutoCloseable {

  private final Process process;
  private final int port;

  private ServiceProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts it; {@link #awaitReady} tells when it can be used. */
  static ServiceProcess start(TestDatabase database) throws IOException {
    return start(database, Duration.ZERO);
  }

  /** The same on a machine whose clock is so far ahead (negative: behind). */
  static ServiceProcess start(TestDatabase database, Duration ahead) throws IOException {
    ProcessBuilder command = java(database);
    Duration moved = TestDate.ahead().plus(ahead);
    if (!moved.isZero()) {
      command.command().add(1, MovedClock.jvmArgument(moved));
    }
    int port = freePort();
    command.environment().put("SERVER_PORT", String.valueOf(port));
    command.environment().put("MANAGEMENT_SERVER_PORT", "0");
    command.redirectErrorStream(true);
    command.redirectOutput(new File("target/service-" + port + ".log"));
    return new ServiceProcess(command.start(), port);
  }

  /** The key of the first platform admin. */
  static String bootstrap(TestDatabase database) throws IOException {
    Process process = java(database, "bootstrap-admin", "--name", "first").start();
    List<String> said = new String(process.getInputStream().readAllBytes()).lines().toList();
    return said.getLast();
  }

  private static ProcessBuilder java(TestDatabase database, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx384m",
                "-cp",
                TestClassPath.get(),
                "io.leasehold.Main"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .putAll(
            Map.of(
                "SPRING_DATASOURCE_URL", database.url(),
                "SPRING_DATASOURCE_USERNAME", database.user(),
                "SPRING_DATASOURCE_PASSWORD", database.password(),
                "SPRING_FLYWAY_URL", database.owner().url(),
                "SPRING_FLYWAY_USER", database.owner().user(),
                "SPRING_FLYWAY_PASSWORD", database.owner().password(),
                "SPRING_FLYWAY_LOCATIONS", "filesystem:db/migration"));
    return builder;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  ServiceProcess awaitReady() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new IllegalStateException("ended by itself: target/service-" + port + ".log");
              }
              return new Api(port, null).get("/readyz").status() == 200;
            });
    return this;
  }

  Api as(String key) {
    return new Api(port, key);
  }

  /** Ends it with no chance to tidy up. */
  void kill() {
    process.destroyForcibly();
    join();
  }

  private void join() {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(e));
    }
  }

  @Override
  public void close() {
    kill();
  }
}
