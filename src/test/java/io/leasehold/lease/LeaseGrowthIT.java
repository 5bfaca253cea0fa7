package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import io.leasehold.engine.Engine;
import io.leasehold.ledger.Ledger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** Leases without an end, and leases that grow, shrink, move and change hands, by the doors. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class LeaseGrowthIT {

  @Autowired MockMvc mvc;
  @Autowired Ledger ledger;

  private static final String OPEN_ENDED =
      """
      {"gpu": {"models": ["h100"], "count": %s}, "serviceClass": "interactive"}\
      """;

  private Answer active(Scene scene, String body) {
    Answer lease = scene.vision.post("/leases", body, "Prefer", "wait=20").hasStatus(201);
    assertThat(lease.at("/state")).isEqualTo("ACTIVE");
    return lease;
  }

  private void assertSound(Scene scene) {
    List<String> faults = ledger.consult(scene.pool, (book, _) -> Engine.audit(book));
    assertThat(faults).isEmpty();
  }

  @Test
  void aLeaseWithoutAnEndLastsUntilItIsGivenOne() {
    Scene scene = new Scene(mvc, 2);
    Answer lease = active(scene, OPEN_ENDED.formatted(8));
    assertThat(lease.json().has("endTime")).isFalse();
    String path = "/leases/" + lease.at("/id");
    assertThat(scene.viewer.get(path).hasStatus(200).json()).isEqualTo(lease.json());
    assertThat(lease.json().at("/effective").has("duration")).isFalse();

    scene
        .vision
        .post("/leases", "{\"gpu\": {\"models\": [\"h100\"], \"count\": 1}}")
        .faults("/duration", "required");

    assertThat(
            scene
                .vision
                .get("/leases?tenant=" + scene.visionTeam + "&endAfter=2180-01-01T00:00:00Z")
                .hasStatus(200)
                .json()
                .at("/items"))
        .hasSize(1);

    Answer waiting =
        scene.nlp.post("/leases", scene.request(16, "PT1H", "")).hasStatus(202);
    assertThat(waiting.text()).contains("held-open-ended");
    assertThat(waiting.json().at("/decision").has("startTime")).isFalse();
    Answer explained =
        scene.nlp.get("/leases/" + waiting.at("/id") + "/explanation").hasStatus(200);
    assertThat(explained.json().has("expectedStartTime")).isFalse();
    assertThat(explained.json().at("/decision/blockedBy/0").has("untilTime")).isFalse();

    scene.vision.post(path + "/extend", "{\"by\": \"PT1H\"}").isProblem(409, "illegal-move");
    Answer ends =
        scene
            .vision
            .post(path + "/shorten", "{\"endTime\": \"" + inAnHour() + "\"}")
            .hasStatus(200);
    assertThat(ends.at("/endTime")).isEqualTo(inAnHour());
    assertSound(scene);
    Answer released = scene.vision.post(path + "/release", "").hasStatus(200);
    assertThat(released.at("/state")).isEqualTo("ENDING");
    scene.nlp.post("/leases/" + waiting.at("/id") + "/release", "").hasStatus(200);
  }

  private final String anHourOn =
      java.time.Instant.now()
          .plusSeconds(3600)
          .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
          .toString();

  private String inAnHour() {
    return anHourOn;
  }
}
