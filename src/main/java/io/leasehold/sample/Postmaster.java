package io.leasehold.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server's process on a data directory, kept up while this process lives and never longer: a
 * shell holds the other end of a pipe and stops the server when the pipe closes, however this
 * process ends.
 */
final class Postmaster {

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

  /** Seconds between attempts to start a server that ended by itself. */
  private static final long LONGEST_PAUSE = 30;

  private final DataDirectory directory;
  private final ServerUser user;
  private final Path bin;
  private final int port;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private @Nullable Process watchdog;

  Postmaster(DataDirectory directory, ServerUser user, Path bin) throws IOException {
    this.directory = directory;
    this.user = user;
    this.bin = bin;
    this.port = freePort();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  int port() {
    return port;
  }

  /** A new database, in a directory aside that becomes the database's when it is whole. */
  void initialise() throws IOException, InterruptedException {
    Path aside = directory.aside();
    user.own(aside);
    run(
        program("initdb"),
        "--pgdata=" + aside.resolve("data"),
        "--username=postgres",
        "--pwfile=" + aside.resolve("superuser"),
        "--auth=scram-sha-256",
        "--data-checksums",
        "--encoding=UTF8",
        "--locale=C",
        "--no-instructions");
    directory.keep(aside);
  }

  /** A server that outlived its process (somebody killed the watchdog too) is ended. */
  void endOrphan() throws IOException, InterruptedException {
    if (Files.notExists(pidFile())) {
      return;
    }
    if (isRunning()) {
      run(program("pg_ctl"), "stop", "-w", "-m", "fast", "-D", directory.data().toString());
    } else {
      Files.delete(pidFile()); // Its number may be another program's by now; the lock is ours.
    }
  }

  /**
   * Starts the server and waits until it answers.
   *
   * @param deleted what the watchdog deletes when the server has stopped; null = nothing
   */
  void start(@Nullable Path deleted) throws IOException, InterruptedException {
    Process started =
        new ProcessBuilder(
                user.command(
                    List.of(
                        "sh",
                        "-c",
                        WATCHDOG,
                        "leasehold-postgres",
                        bin.toString(),
                        directory.data().toString(),
                        directory.log().toString(),
                        Integer.toString(port),
                        deleted == null ? "" : deleted.toString())))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader said = started.inputReader();
    if (!"ready".equals(said.readLine())) {
      started.waitFor(10, TimeUnit.SECONDS);
      throw new IOException(
          "PostgreSQL did not start on %s. Its last words: %s"
              .formatted(directory.home(), directory.lastWords()));
    }
    watchdog = started;
    Thread.ofVirtual().name("embedded-postgres").start(this::keepUp);
  }

  /** A server that ended by itself (the disk was full) is started again, ever more slowly. */
  private void keepUp() {
    try {
      long pause = 1;
      while (!stopping.await(pause, TimeUnit.SECONDS)) {
        pause = isUp() ? 1 : Math.min(LONGEST_PAUSE, pause * 2);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isUp() throws InterruptedException {
    try {
      if (stopping.getCount() == 0 || isRunning()) {
        return true;
      }
      Files.deleteIfExists(pidFile());
      run(
          program("pg_ctl"),
          "start",
          "-w",
          "-D",
          directory.data().toString(),
          "-l",
          directory.log().toString(),
          "-o",
          "-p " + port);
      return true;
    } catch (IOException e) {
      return false; // Looked at again after the pause.
    }
  }

  /** Stops the server and waits until it has stopped. */
  void stop() throws IOException, InterruptedException {
    stopping.countDown();
    synchronized (this) {
      if (watchdog != null) {
        watchdog.getOutputStream().close();
        watchdog.waitFor(130, TimeUnit.SECONDS);
      }
    }
  }

  private Path pidFile() {
    return directory.data().resolve("postmaster.pid");
  }

  /** Whether the process of the pid file is a server of this very directory. */
  private boolean isRunning() throws IOException {
    try {
      return Files.exists(pidFile())
          && ProcessHandle.of(Long.parseLong(Files.readAllLines(pidFile()).getFirst().strip()))
              .flatMap(process -> process.info().commandLine())
              .filter(line -> line.contains(directory.data().toString()))
              .isPresent();
    } catch (NumberFormatException | NoSuchElementException e) {
      return false; // Half-written.
    }
  }

  private String program(String name) {
    return bin.resolve(name).toString();
  }

  private void run(String... command) throws IOException, InterruptedException {
    Path said = Files.createTempFile("leasehold-postgres", ".out");
    try {
      Process process =
          new ProcessBuilder(user.command(new ArrayList<>(List.of(command))))
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new IOException(Files.readString(said).strip());
      }
    } finally {
      Files.delete(said);
    }
  }
}
