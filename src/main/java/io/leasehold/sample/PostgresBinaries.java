package io.leasehold.sample;

import io.leasehold.CannotStart;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The server's programs for this platform, unpacked once per content: the cache's name is the
 * archive's checksum, so another version never mixes with this one.
 */
final class PostgresBinaries {

  private PostgresBinaries() {}

  /** The directory that has {@code bin/}, below {@code cache}; unpacks when it is not there yet. */
  static Path unpackedIn(Path cache) throws IOException {
    URL archive = archive();
    Path home = cache.resolve("postgres-" + key(archive));
    if (Files.exists(home)) {
      return home;
    }
    Files.createDirectories(cache);
    Path unpacking = Files.createTempDirectory(cache, "unpacking-");
    unpack(archive, unpacking);
    Files.setPosixFilePermissions(unpacking, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      Files.move(unpacking, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
      delete(unpacking); // Another process was faster with the same content.
    }
    return home;
  }

  private static URL archive() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch");
    String platform =
        (os.contains("mac") ? "darwin" : os.contains("linux") ? "linux" : os)
            + "-"
            + (arch.equals("aarch64") ? "arm_64" : "x86_64");
    URL found = PostgresBinaries.class.getResource("/postgres-" + platform + ".txz");
    if (found == null) {
      throw new CannotStart(
          "The sample brings no PostgreSQL for "
              + platform
              + ". Start the service on a PostgreSQL of your own with SPRING_DATASOURCE_URL.");
    }
    return found;
  }

  private static String key(URL archive) throws IOException {
    URLConnection connection = archive.openConnection();
    return connection instanceof JarURLConnection jar
        ? Long.toHexString(jar.getJarEntry().getCrc())
        : Long.toHexString(connection.getContentLengthLong());
  }

  private static void unpack(URL archive, Path into) throws IOException {
    try (InputStream raw = archive.openStream();
        TarArchiveInputStream tar =
            new TarArchiveInputStream(
                new XZCompressorInputStream(new BufferedInputStream(raw, 1 << 16)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException("The archive leaves its directory: " + entry.getName());
        }
        write(tar, entry, target);
      }
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path target)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target);
      boolean executable = (entry.getMode() & 0100) != 0;
      Files.setPosixFilePermissions(
          target, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
