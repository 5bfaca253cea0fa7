package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.TestClassPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The sample start as a newcomer meets it: one command, then the README's first request. */
class SampleStartIT {

  private static final JsonMapper JSON = new JsonMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path directory;

  private Sample sample;

  /** The server ends by itself a moment later; its directory is deleted after that. */
  @AfterEach
  void end() throws InterruptedException {
    if (sample != null) {
      sample.process().destroyForcibly().waitFor();
    }
    Path running = directory.resolve("postgres/data/postmaster.pid");
    await().atMost(Duration.ofSeconds(30)).until(() -> Files.notExists(running));
  }

  @Test
  void admitsTheReadmesFirstRequestAndKeepsItThroughAKilledProcess() throws Exception {
    sample = start();
    String firstKey = key();
    HttpResponse<String> created = post("/api/v1/leases", readmesFirstRequest());
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    JsonNode lease = JSON.readTree(created.body());
    assertThat(lease.at("/decision/verdict").asString()).isEqualTo("ADMITTED");
    assertThat(lease.at("/gpuCount").asInt()).isEqualTo(8);

    sample.process().destroyForcibly().waitFor();
    sample = start();

    HttpResponse<String> kept = get("/api/v1/leases/" + lease.at("/id").asString(), key());
    assertThat(kept.statusCode()).as(kept.body()).isEqualTo(200);
    assertThat(JSON.readTree(kept.body()).at("/allocations")).isEqualTo(lease.at("/allocations"));
    assertThat(get("/api/v1/whoami", firstKey).statusCode()).isEqualTo(401);
    becomesActive(lease.at("/id").asString());
  }

  @Test
  void keepsItsKeyForItsOwnerAndAnswersThisMachineOnly() throws Exception {
    sample = start();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyFile())))
        .isEqualTo("rw-------");
    assertThat(sample.said()).contains(key()).contains(":" + sample.port() + "/swagger-ui.html");
    assertThat(get("/swagger-ui.html", key()).statusCode()).isIn(200, 302);
    assertThat(get("/actuator/health", key()).statusCode()).isEqualTo(200);
    assertThat(get("/actuator/env", key()).statusCode()).isEqualTo(404);
    assertThat(statusOfAnotherHost()).isEqualTo(400);
  }

  private void becomesActive(String lease) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        JSON.readTree(get("/api/v1/leases/" + lease, key()).body())
                            .at("/state")
                            .asString())
                    .isEqualTo("ACTIVE"));
  }

  /** What the README's curl sends. */
  private static String readmesFirstRequest() throws IOException {
    Matcher body =
        Pattern.compile("(?s)/api/v1/leases.*?-d '(\\{.*?})'")
            .matcher(Files.readString(Path.of("README.md")));
    assertThat(body.find()).isTrue();
    return body.group(1);
  }

  private record Sample(Process process, int port, String said) {}

  private Sample start() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                TestClassPath.get(),
                "io.leasehold.Main",
                "--spring.profiles.active=sample",
                "--server.port=0",
                "--leasehold.sample.directory=" + directory)
            .redirectErrorStream(true)
            .start();
    return CompletableFuture.supplyAsync(() -> welcome(process)).get(120, TimeUnit.SECONDS);
  }

  /**
   * Reads up to the welcome; what comes later is read and dropped, so that the process can write.
   */
  private static Sample welcome(Process process) {
    BufferedReader lines = process.inputReader();
    StringBuilder said = new StringBuilder();
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.append(line).append('\n');
        if (line.contains("(also in")) {
          Matcher address = Pattern.compile("127\\.0\\.0\\.1:(\\d+)/swagger").matcher(said);
          assertThat(address.find()).isTrue();
          Thread.ofVirtual().start(() -> lines.lines().forEach(rest -> {}));
          return new Sample(process, Integer.parseInt(address.group(1)), said.toString());
        }
      }
    } catch (IOException e) {
      said.append(e);
    }
    throw new AssertionError("The sample did not start:\n" + said);
  }

  private Path keyFile() {
    return directory.resolve("key");
  }

  private String key() throws IOException {
    return Files.readString(keyFile()).strip();
  }

  private HttpResponse<String> get(String path, String key) throws Exception {
    return HTTP.send(request(path, key).GET().build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return HTTP.send(
        request(path, key())
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path, String key) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sample.port() + path))
        .header("Authorization", "Bearer " + key);
  }

  /** As a page elsewhere would ask that made its own name point here. */
  private int statusOfAnotherHost() throws IOException {
    try (java.net.Socket socket = new java.net.Socket("127.0.0.1", sample.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /livez HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".getBytes());
      String answer = new String(socket.getInputStream().readAllBytes());
      return Integer.parseInt(answer.split(" ")[1]);
    }
  }
}
