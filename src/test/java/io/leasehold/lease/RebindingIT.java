package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** Planned leases are bound elsewhere in the transaction of the request that needs their place. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class RebindingIT {

  @Autowired MockMvc mvc;

  private final Instant start =
      Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.HOURS);

  private static String groups(int groups, int each, String more) {
    return """
    {"gpu": {"models": ["h100"], "groups": %s, "perGroup": %s}, "duration": "PT4H", %s}\
    """
        .formatted(groups, each, more);
  }

  private String planned() {
    return "\"startTime\": \"%s\"".formatted(start);
  }

  @Test
  void aPlannedLeaseGivesWayAndKeepsItsPromise() {
    Scene scene = new Scene(mvc, 2);
    Answer small = scene.vision.post("/leases", groups(1, 3, planned())).hasStatus(201);
    Answer other = scene.vision.post("/leases", groups(1, 5, planned())).hasStatus(201);
    assertThat(other.at("/allocations/0/node")).isEqualTo(small.at("/allocations/0/node"));
    String node = small.at("/allocations/0/nodeId");
    String elsewhere =
        "\"placement\": {\"avoidNodeIds\": [\"%s\"]}, %s"
            .formatted(otherNode(scene, node), planned());
    Answer whole = scene.nlp.post("/leases", groups(1, 8, elsewhere)).hasStatus(201);
    assertThat(whole.at("/state")).isEqualTo("PLANNED");
    assertThat(whole.at("/allocations/0/nodeId")).isEqualTo(node);
    for (Answer each : java.util.List.of(small, other)) {
      Answer moved = scene.vision.get("/leases/" + each.at("/id")).hasStatus(200);
      assertThat(moved.at("/state")).isEqualTo("PLANNED");
      assertThat(moved.at("/startTime")).isEqualTo(each.at("/startTime"));
      assertThat(moved.at("/allocations/0/nodeId")).isNotEqualTo(node);
      assertThat(moved.at("/allocations/0/binding")).isEqualTo("TENTATIVE");
      assertThat(
              scene
                  .vision
                  .get("/leases/" + each.at("/id") + "/history")
                  .json()
                  .at("/items/0/cause")
                  .asString())
          .isEqualTo("rebound");
    }
  }

  private static String otherNode(Scene scene, String node) {
    return scene
        .operator
        .get("/clusters/" + scene.cluster + "/nodes")
        .json()
        .at("/items")
        .valueStream()
        .map(each -> each.at("/id").asString())
        .filter(id -> !id.equals(node))
        .findFirst()
        .orElseThrow();
  }
}
