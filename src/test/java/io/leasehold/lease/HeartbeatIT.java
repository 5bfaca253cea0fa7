package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import io.leasehold.ledger.Ledger;
import io.leasehold.web.WallClock;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Leases whose holders are to be heard from, on the whole application. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HeartbeatIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String SOON = "\"heartbeatTimeout\": \"PT10S\"";

  @Autowired MockMvc mvc;
  @Autowired Heartbeats heartbeats;
  @Autowired Ledger ledger;
  @Autowired WallClock clock;
  @Autowired DataSource dataSource;
  @Autowired JdbcClient jdbc;

  private Scene scene;

  @BeforeAll
  void scene() {
    scene = new Scene(mvc, 2);
  }

  private Answer active(String more) {
    Answer lease =
        scene
            .vision
            .post("/leases", scene.request(4, "PT1H", more), "Prefer", "wait=20")
            .hasStatus(201);
    assertThat(lease.at("/state")).isEqualTo("ACTIVE");
    return lease;
  }

  private Answer beat(String lease, String... headers) {
    return scene.vision.post("/leases/" + lease + "/heartbeat", "", headers);
  }

  /** L33: who is heard from stays, however little else it does; and two who watch end one once. */
  @Test
  void l33WhoIsSilentEndsOnceAndWhoIsHeardFromStays() {
    String quiet = active(SOON).at("/id");
    Answer loud = active(SOON);
    HeartbeatWatch other = new HeartbeatWatch(heartbeats, ledger, clock);
    other.start();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Answer seen = scene.vision.get("/leases/" + quiet);
    while (seen.at("/state").equals("ACTIVE") && System.nanoTime() < deadline) {
      beat(loud.at("/id")).hasStatus(200);
      Answer next =
          scene.vision.getWith(
              "/leases/" + quiet, "If-None-Match", seen.header("ETag"), "Prefer", "wait=1");
      seen = next.response().getStatus() == 304 ? seen : next;
    }
    other.stop();
    assertThat(seen.at("/endCause")).isEqualTo("heartbeat-lost");
    Answer still = scene.vision.get("/leases/" + loud.at("/id")).hasStatus(200);
    assertThat(still.at("/state")).isEqualTo("ACTIVE");
    assertThat(still.header("ETag")).as("no change of the lease").isEqualTo(loud.header("ETag"));
    assertThat(still.at("/effective/heartbeatTimeout")).isEqualTo("PT10S");
    JsonNode history = scene.vision.get("/leases/" + quiet + "/history").hasStatus(200).json();
    assertThat(history.at("/items").valueStream())
        .filteredOn(each -> each.at("/cause").asString().equals("heartbeat-lost"))
        .hasSize(1);
    beat(quiet).isProblem(409, "illegal-move");
    scene.vision.post("/leases/" + loud.at("/id") + "/release", "").hasStatus(200);
  }

  @Test
  void isForWhomMustBeHeardFromOnly() {
    String lease = active("").at("/id");
    beat(lease).isProblem(409, "illegal-move");
    scene.vision.post("/leases/" + lease + "/release", "").hasStatus(200);
    Answer heard = active("\"heartbeatTimeout\": \"P7D\"");
    String path = "/leases/" + heard.at("/id") + "/heartbeat";
    scene.viewer.post(path, "").isProblem(403, "forbidden");
    scene.stranger.post(path, "").isProblem(404, "not-found");
    beat(heard.at("/id"), "If-Match", "\"99\"").hasStatus(412);
    jdbc.sql("update heartbeat set seen_time = 'epoch' where lease = ?")
        .param(UUID.fromString(heard.at("/id")))
        .update();
    scene.vision.post(path + "?dryRun=true", "").hasStatus(200);
    assertThat(heard(heard.at("/id"))).as("only rehearsed").isFalse();
    beat(heard.at("/id")).hasStatus(200);
    assertThat(heard(heard.at("/id"))).isTrue();
    scene.vision.post("/leases/" + heard.at("/id") + "/release", "").hasStatus(200);
    scene
        .vision
        .post("/leases", scene.request(1, "PT1H", "\"heartbeatTimeout\": \"PT9S\""))
        .faults("/heartbeatTimeout", "out-of-range");
  }

  @Test
  void leasesOfABatchAreHeardFromToo() {
    String one = scene.request(1, "PT1H", "\"heartbeatTimeout\": \"PT1H\"");
    for (String atomic : new String[] {"true", "false"}) {
      String batch = "{\"atomic\": %s, \"leases\": [%s, %s]}".formatted(atomic, one, one);
      Answer made = scene.vision.post("/leases/batch", batch).hasStatus(200);
      made.json()
          .at("/results")
          .forEach(
              each -> {
                String id = each.at("/lease/id").asString();
                beat(id).hasStatus(200);
                scene.vision.post("/leases/" + id + "/release", "").hasStatus(200);
              });
    }
  }

  /** Either the sign of life is too late and says so, or the end is taken back. */
  @Test
  void aSignOfLifeAndTheEndForSilenceExcludeEachOther() throws Exception {
    UUID lease = UUID.randomUUID();
    jdbc.sql("insert into heartbeat (lease, timeout) values (?, 1)").param(lease).update();
    long before = clock.micros() - Wire.SECOND;
    assertThat(heartbeats.beat(lease)).isTrue();
    try (Connection connection = dataSource.getConnection()) {
      assertThat(heartbeats.close(connection, lease, before)).as("heard since").isFalse();
      assertThat(heartbeats.close(connection, lease, clock.micros() + Wire.SECOND)).isTrue();
      assertThat(heartbeats.close(connection, lease, clock.micros() + Wire.SECOND)).isFalse();
    }
    assertThat(heartbeats.beat(lease)).as("too late").isFalse();
    heartbeats.forget();
    assertThat(rows(lease.toString())).isZero();
  }

  /** A holder who could not reach us has not been silent. */
  @Test
  void silenceCountsFromWhenWeCouldHear() {
    String lease = active("\"heartbeatTimeout\": \"PT1H\"").at("/id");
    beat(lease).hasStatus(200);
    jdbc.sql("update heartbeat set seen_time = seen_time - interval '2 hours' where lease = ?")
        .param(UUID.fromString(lease))
        .update();
    long now = clock.micros();
    long hour = 3600 * Wire.SECOND;
    UUID id = UUID.fromString(lease);
    assertThat(heartbeats.quiet(now - hour / 2, now, 10))
        .noneMatch(each -> each.lease().equals(id));
    assertThat(heartbeats.quiet(now, now + 2 * hour, 10))
        .filteredOn(each -> each.lease().equals(id))
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.heardAt()).isEqualTo(now);
              assertThat(each.dueAt()).isEqualTo(now + hour);
            });
    scene.vision.post("/leases/" + lease + "/release", "").hasStatus(200);
  }

  private boolean heard(String lease) {
    return jdbc.sql("select seen_time > 'epoch' from heartbeat where lease = ?")
        .param(UUID.fromString(lease))
        .query(Boolean.class)
        .single();
  }

  private long rows(String lease) {
    return jdbc.sql("select count(*) from heartbeat where lease = ?")
        .param(UUID.fromString(lease))
        .query(Long.class)
        .single();
  }
}
