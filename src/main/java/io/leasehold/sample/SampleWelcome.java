package io.leasehold.sample;

import io.leasehold.tenancy.DevelopmentKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Says where the sample is and with which key, on standard output and never in the log. The key is
 * new at each start and also lies in the sample's directory, for its owner only.
 */
@Component
@Profile("sample")
class SampleWelcome {

  private static final String WELCOME =
      """

      Leasehold runs with a sample fleet.
        try it   http://127.0.0.1:%1$s/swagger-ui.html
        key      %2$s
                 (also in %3$s; the "Authorize" button of the page takes it)
      """;

  private final DevelopmentKey keys;
  private final SampleProperties properties;

  SampleWelcome(DevelopmentKey keys, SampleProperties properties) {
    this.keys = keys;
    this.properties = properties;
  }

  @EventListener
  void welcome(ApplicationReadyEvent ready) throws IOException {
    String key = keys.issue("acme");
    Path file = properties.directory().resolve("key");
    write(file, key);
    Environment environment = ready.getApplicationContext().getEnvironment();
    System.out.printf(WELCOME, environment.getProperty("local.server.port", "8080"), key, file);
    System.out.flush();
  }

  private static void write(Path file, String key) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Path aside = file.resolveSibling("key.new");
    Files.deleteIfExists(aside);
    Files.createFile(
        aside, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(aside, key + "\n");
    Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
