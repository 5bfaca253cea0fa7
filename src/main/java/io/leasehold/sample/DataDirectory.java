package io.leasehold.sample;

import io.leasehold.CannotStart;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of one embedded server. One process at a time uses them; a database is created only
 * where there is none, in a directory aside that is renamed when it is whole; what is there and not
 * understood is left as it is.
 *
 * <pre>
 * lock                  held while a process uses the directory
 * postgres/data         the server's own, mode 0700
 * postgres/passwords    of superuser and roles, mode 0600
 * postgres/log          what the server says
 * </pre>
 */
final class DataDirectory implements AutoCloseable {

  /** Major version of the server that this build brings. */
  private static final String VERSION = "18";

  static final List<String> ROLES =
      List.of("postgres", "leasehold_owner", "leasehold_app", "leasehold_reader");

  private static final Map<String, String> SETTINGS =
      Map.of(
          "listen_addresses", "127.0.0.1",
          "unix_socket_directories", "",
          "password_encryption", "scram-sha-256",
          "fsync", "on",
          "synchronous_commit", "on",
          "max_connections", "100",
          "shared_buffers", "128MB",
          "max_wal_size", "1GB",
          "timezone", "UTC",
          "log_timezone", "UTC");

  private final Path root;
  private final FileChannel channel;

  private DataDirectory(Path root, FileChannel channel) {
    this.root = root;
    this.channel = channel;
  }

  /** Takes the directory for this process; creates it when it is not there. */
  static DataDirectory take(Path directory) throws IOException {
    Path root = directory.toAbsolutePath().normalize();
    if (!Files.isDirectory(root)) {
      Files.createDirectories(root);
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
    }
    FileChannel channel =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      channel.close();
      throw new CannotStart(
          "Another Leasehold is running on %s. End it, or choose another directory with"
                  .formatted(root)
              + " --leasehold.sample.directory=<path>.");
    }
    return new DataDirectory(root, channel);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  Path root() {
    return root;
  }

  Path data() {
    return home().resolve("data");
  }

  Path log() {
    return home().resolve("log");
  }

  Path home() {
    return root.resolve("postgres");
  }

  boolean isEmpty() {
    return Files.notExists(home());
  }

  /** Refuses what is not a database of this version, in plain words and without a change. */
  void check() throws IOException {
    for (String needed : List.of("passwords", "data/PG_VERSION", "data/global/pg_control")) {
      if (Files.notExists(home().resolve(needed))) {
        throw refused("is damaged or not Leasehold's: " + needed + " is missing");
      }
    }
    String version = Files.readString(data().resolve("PG_VERSION")).strip();
    if (!version.equals(VERSION)) {
      throw refused(
          "was written by PostgreSQL %s, and this is PostgreSQL %s".formatted(version, VERSION));
    }
    for (String role : ROLES) {
      if (passwords().getProperty(role) == null) {
        throw refused("is damaged: the password of %s is missing".formatted(role));
      }
    }
  }

  private CannotStart refused(String why) {
    return new CannotStart(
        "The database in %s %s. Nothing was changed. Move it away to start with a new one, or choose"
                .formatted(home(), why)
            + " another directory with --leasehold.sample.directory=<path>.");
  }

  /** The server's settings, written anew at each start. */
  void configure(Map<String, String> more) throws IOException {
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    settings.putAll(more);
    StringBuilder text = new StringBuilder("# Written at each start.\n");
    settings.forEach(
        (name, value) ->
            text.append(name).append(" = '").append(value.replace("'", "''")).append("'\n"));
    Files.writeString(data().resolve("postgresql.conf"), text);
  }

  String lastWords() throws IOException {
    if (Files.notExists(log())) {
      return "none";
    }
    List<String> lines = Files.readAllLines(log());
    return String.join(" / ", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
  }

  Properties passwords() throws IOException {
    Properties passwords = new Properties();
    try (Reader reader = Files.newBufferedReader(home().resolve("passwords"))) {
      passwords.load(reader);
    }
    return passwords;
  }

  /** An empty directory aside with new passwords in it; {@link #keep} makes it the database's. */
  Path aside() throws IOException {
    Path aside = root.resolve("postgres.new");
    delete(aside);
    Files.createDirectories(aside);
    Files.setPosixFilePermissions(aside, PosixFilePermissions.fromString("rwx------"));
    Properties passwords = new Properties();
    SecureRandom random = new SecureRandom();
    for (String role : ROLES) {
      byte[] bytes = new byte[24];
      random.nextBytes(bytes);
      passwords.setProperty(role, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }
    Path file = createPrivate(aside.resolve("passwords"));
    try (Writer writer = Files.newBufferedWriter(file)) {
      passwords.store(writer, null);
    }
    Path superuser = createPrivate(aside.resolve("superuser"));
    Files.writeString(superuser, passwords.getProperty("postgres"));
    return aside;
  }

  void keep(Path aside) throws IOException {
    Files.delete(aside.resolve("superuser"));
    Files.move(aside, home(), StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path createPrivate(Path file) throws IOException {
    return Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  private static void delete(Path tree) throws IOException {
    if (Files.notExists(tree)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
