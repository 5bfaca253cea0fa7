package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.FreshDatabase;
import io.leasehold.web.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** A stream shows each event of its scope once, in order, and goes on where it was cut. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@AutoConfigureMockMvc
@FreshDatabase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventStreamIT {

  @Autowired MockMvc mvc;
  @Autowired Events events;
  @Autowired DataSource dataSource;
  @LocalServerPort int port;

  private Scene scene;
  private String key;

  @BeforeAll
  void scene() {
    scene = new Scene(mvc, 2);
    key = scene.visionKey();
  }

  /** One event as it came. */
  private record Seen(String id, JsonNode data) {}

  private final class Stream implements AutoCloseable {

    private final InputStream body;
    private final BufferedReader lines;

    Stream(String query, String lastEventId) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + port + "/api/v1/events/stream" + query))
              .header("Authorization", "Bearer " + key);
      if (lastEventId != null) {
        request.header("Last-Event-ID", lastEventId);
      }
      try {
        HttpResponse<InputStream> response =
            HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse(""))
            .startsWith("text/event-stream");
        body = response.body();
        lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    Seen next() {
      try {
        String id = "";
        while (true) {
          String line = lines.readLine();
          assertThat(line).as("the stream ended").isNotNull();
          if (line.startsWith("id: ")) {
            id = line.substring(4);
          } else if (line.startsWith("data: ")) {
            return new Seen(id, Fleet.JSON.readTree(line.substring(6)));
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  private String leaseOf(Doors caller) {
    return caller
        .post("/leases", scene.request(1, "PT1H", ""), "Prefer", "wait=20")
        .hasStatus(201)
        .at("/id");
  }

  @Test
  void goesOnWhereItWasCut() throws IOException {
    String position = scene.vision.get("/leases").at("/eventPosition");
    String first = leaseOf(scene.vision);
    leaseOf(scene.nlp);
    List<String> states = new ArrayList<>();
    String last = null;
    try (Stream stream = new Stream("?after=" + position, null)) {
      for (int i = 0; i < 2; i++) {
        Seen seen = stream.next();
        assertThat(seen.data().at("/leaseId").asString()).isEqualTo(first);
        states.add(seen.data().at("/toState").asString());
        last = seen.id();
      }
    }
    scene.vision.post("/leases/" + first + "/release", "").hasStatus(200);
    try (Stream stream = new Stream("", last)) {
      while (!states.contains("ENDED")) {
        Seen seen = stream.next();
        assertThat(seen.data().at("/leaseId").asString()).isEqualTo(first);
        states.add(seen.data().at("/toState").asString());
      }
    }
    assertThat(states).startsWith("ALLOCATED").endsWith("ENDED").doesNotHaveDuplicates();
  }

  /** E27: a fact that is committed late, behind a later one of another pool, is still shown. */
  @Test
  void neverSkipsALateCommit() throws Exception {
    EventPosition start = EventPosition.of(events.heads());
    Events.Wanted wanted = new Events.Wanted(List.of(scene.visionTeam), List.of(), List.of());
    try (Connection late = dataSource.getConnection()) {
      late.setAutoCommit(false);
      JdbcClient slow =
          JdbcClient.create(
              new org.springframework.jdbc.datasource.SingleConnectionDataSource(late, true));
      String other = "late-" + UUID.randomUUID().toString().substring(24);
      slow.sql("insert into pool (slug, revision) values (?, 1)").param(other).update();
      slow.sql(
              """
              insert into audit_fact (pool, revision, ord, at, actor, subject, tenant, lease,
                lease_revision, to_state, cause, trace_id)
              values (?, 1, 0, clock_timestamp(), ?, 'lease', ?, ?, 1, 'WAITING', 'waiting', '0')\
              """)
          .param(other)
          .param(new UUID(0, 3))
          .param(scene.visionTeam)
          .param(new UUID(7, 7))
          .update();
      leaseOf(scene.vision);
      EventPage before = events.after(start, wanted, Scope.EVERYTHING, 100);
      assertThat(before.items()).isNotEmpty();
      late.commit();
      EventPage after =
          events.after(
              EventPosition.decoded(before.eventPosition(), "after"),
              wanted,
              Scope.EVERYTHING,
              100);
      assertThat(after.items().stream().map(EventResponse::leaseId)).contains(new UUID(7, 7));
    }
  }

  @Test
  void aPositionWhoseEventsAreNotKeptIsExpired() {
    String old = "old-" + UUID.randomUUID().toString().substring(24);
    JdbcClient jdbc = JdbcClient.create(dataSource);
    jdbc.sql("insert into pool (slug, revision) values (?, 1)").param(old).update();
    jdbc.sql(
            """
            insert into audit_fact (pool, revision, ord, at, actor, subject, cause, trace_id)
            values (?, 1, 0, clock_timestamp() - interval '8 days', ?, 'node', 'changed', '0')\
            """)
        .param(old)
        .param(new UUID(0, 3))
        .update();
    String before = EventPosition.of(java.util.Map.of(old, 0L)).encoded();
    scene.vision.get("/events?after=" + before).isProblem(410, "position-expired");
    scene
        .vision
        .get("/events?after=" + EventPosition.of(java.util.Map.of(old, 1L)).encoded())
        .hasStatus(200);
  }
}
