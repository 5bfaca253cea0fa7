package io.leasehold.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api;
import io.leasehold.tenancy.TwoTenants;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Streams of events: bounded in number, alive, and over when access is. */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {"leasehold.web.streams.heartbeat=PT0.3S", "leasehold.web.streams.caller=2"})
@FreshDatabase
@ExtendWith(OutputCaptureExtension.class)
class EventStreamsIT {

  @LocalServerPort int port;
  @Autowired Environment environment;
  @Autowired EventStreams streams;
  @Autowired JdbcClient jdbc;
  final HttpClient http = HttpClient.newHttpClient();
  final List<InputStream> opened = new ArrayList<>();
  TwoTenants two;

  @BeforeEach
  void tenants() {
    two = new TwoTenants(port, environment);
  }

  @AfterEach
  void close() throws IOException {
    for (InputStream stream : opened) {
      stream.close();
    }
    await().until(() -> streams.open() == 0);
  }

  private HttpResponse<InputStream> open(Api caller) {
    try {
      HttpResponse<InputStream> answer =
          http.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + port + "/api/v1/events/stream"))
                  .header("Authorization", "Bearer " + caller.key())
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              HttpResponse.BodyHandlers.ofInputStream());
      opened.add(answer.body());
      return answer;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String readUntil(InputStream stream, String text) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int next = stream.read();
      if (next < 0) {
        throw new AssertionError("ended after: " + read);
      }
      read.append((char) next);
    }
    return read.toString();
  }

  @Test
  void aStreamBeatsAndIsNotStored() throws IOException {
    HttpResponse<InputStream> stream = open(two.member);
    assertThat(stream.statusCode()).isEqualTo(200);
    assertThat(stream.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    assertThat(stream.headers().firstValue("Cache-Control").orElse("")).contains("no-store");
    assertThat(readUntil(stream.body(), ": alive")).contains("retry: ");
    readUntil(stream.body(), ": alive");
  }

  @Test
  void aCallerHasAFewStreamsAndGetsThemBack() throws IOException {
    open(two.member);
    HttpResponse<InputStream> second = open(two.member);
    HttpResponse<InputStream> third = open(two.member);
    assertThat(third.statusCode()).isEqualTo(429);
    assertThat(third.headers().firstValue("Retry-After")).isPresent();
    assertThat(new String(third.body().readAllBytes(), StandardCharsets.UTF_8))
        .contains("too-many-streams");
    assertThat(open(two.viewer).statusCode()).isEqualTo(200);
    second.body().close();
    await().until(() -> streams.open() == 2);
    assertThat(open(two.member).statusCode()).isEqualTo(200);
  }

  @Test
  void aStreamEndsQuietlyWhenTheDatabaseDoes(CapturedOutput output) throws Exception {
    HttpResponse<InputStream> stream = open(two.member);
    readUntil(stream.body(), ": alive");
    try (Connection owner =
            DriverManager.getConnection(
                environment.getRequiredProperty("spring.flyway.url"),
                environment.getRequiredProperty("spring.flyway.user"),
                environment.getRequiredProperty("spring.flyway.password"));
        Statement statement = owner.createStatement()) {
      String database = owner.getCatalog();
      statement.execute("alter database %s connection limit 0".formatted(database));
      try {
        endAllConnections();
        await().until(() -> streams.open() == 0);
      } finally {
        statement.execute("alter database %s connection limit -1".formatted(database));
      }
    }
    assertThat(output).doesNotContain("nobody expected");
    await().untilAsserted(() -> new TwoTenants(port, environment));
  }

  /** Those of the service; the one that asks comes last. */
  private void endAllConnections() {
    try {
      jdbc.sql(
              """
              select pg_terminate_backend(pid) from
                (select pid from pg_stat_activity
                  where datname = current_database() and usename = current_user
                  order by pid = pg_backend_pid()) as mine
              """)
          .query(Boolean.class)
          .list();
    } catch (DataAccessException ended) {
      // It has ended itself.
    }
  }

  @Test
  void aStreamEndsWhenItsKeyDoes() throws IOException {
    HttpResponse<InputStream> stream = open(two.member);
    readUntil(stream.body(), ": alive");
    String id =
        two.teamAdmin
            .get("/api/v1/tenants/" + two.team + "/api-keys")
            .body()
            .path("items")
            .valueStream()
            .filter(k -> k.path("name").asString().equals("key of member"))
            .map(k -> k.path("id").asString())
            .findFirst()
            .orElseThrow();
    assertThat(two.teamAdmin.post("/api/v1/api-keys/" + id + "/revoke", null).status())
        .isEqualTo(200);
    long begin = System.nanoTime();
    stream.body().readAllBytes();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
  }
}
