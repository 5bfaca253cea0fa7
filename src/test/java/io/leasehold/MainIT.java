package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MainIT {

  @Test
  void endsWithOneSentenceWithoutADatabase() throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            TestClassPath.get(),
            "io.leasehold.Main");
    command.environment().keySet().removeIf(name -> name.startsWith("SPRING_"));
    Process service = command.redirectErrorStream(true).start();

    assertThat(said(service))
        .singleElement()
        .asString()
        .startsWith("Leasehold needs a PostgreSQL database: set SPRING_DATASOURCE_URL");
    assertThat(service.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(service.exitValue()).isEqualTo(1);
  }

  private static List<String> said(Process service) throws IOException {
    return new String(service.getInputStream().readAllBytes()).lines().toList();
  }
}
