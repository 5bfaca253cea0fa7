package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** What a lease is told before a drain takes its node. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class NoticeIT {

  @Autowired MockMvc mvc;

  @Test
  void aLeaseTellsOfTheDrainUntilItIsCalledOff() {
    Scene scene = new Scene(mvc, 1);
    Answer lease =
        scene
            .vision
            .post("/leases", scene.request(8, "PT4H", ""), "Prefer", "wait=20")
            .hasStatus(201);
    String path = "/leases/" + lease.at("/id");
    assertThat(lease.json().has("notice")).isFalse();
    Instant deadline = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(3_600);
    String node = lease.at("/allocations/0/nodeId");

    scene
        .operator
        .post(
            "/nodes/drain",
            "{\"nodeIds\": [\"%s\"], \"deadlineTime\": \"%s\"}".formatted(node, deadline))
        .hasStatus(200);
    Answer told = scene.vision.get(path).hasStatus(200);
    assertThat(told.at("/notice/cause")).isEqualTo("drained");
    assertThat(Instant.parse(told.at("/notice/effectiveTime"))).isEqualTo(deadline);
    assertThat(told.at("/state")).isEqualTo("ACTIVE");
    assertThat(told.header("ETag")).isNotEqualTo(lease.header("ETag"));

    scene.operator.post("/nodes/undrain", "{\"nodeIds\": [\"" + node + "\"]}").hasStatus(200);
    Answer calledOff = scene.vision.get(path).hasStatus(200);
    assertThat(calledOff.json().has("notice")).isFalse();
    assertThat(causes(scene, lease)).containsSubsequence("active", "noticed", "notice-lifted");
  }

  private static List<String> causes(Scene scene, Answer lease) {
    return scene
        .vision
        .get("/events?after=&lease=" + lease.at("/id"))
        .json()
        .at("/items")
        .valueStream()
        .map((JsonNode event) -> event.at("/cause").asString())
        .toList();
  }
}
