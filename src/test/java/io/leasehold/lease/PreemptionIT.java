package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** One lease ends for another, through the doors and in a simulated cluster. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class PreemptionIT {

  private static final String LOW = "\"serviceClass\": \"opportunistic\"";
  private static final String URGENT = "\"serviceClass\": \"realtime\"";

  @Autowired MockMvc mvc;

  private Scene scene;

  /** Eight GPUs, four guaranteed to each of two teams. */
  @BeforeEach
  void scene() {
    scene = new Scene(mvc, 1);
  }

  private Answer active(Doors by, String body) {
    Answer lease = by.post("/leases", body, "Prefer", "wait=20").hasStatus(201);
    assertThat(lease.at("/state")).isEqualTo("ACTIVE");
    return lease;
  }

  private static Answer become(Doors by, Answer lease, String state) {
    String path = "/leases/" + lease.at("/id");
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> by.get(path).at("/state").equals(state));
    return by.get(path);
  }

  private static List<String> codes(Answer lease) {
    return lease
        .json()
        .at("/decision/reasons")
        .valueStream()
        .map(reason -> reason.at("/code").asString())
        .toList();
  }

  @Test
  void aRealtimeRequestTakesItsTeamsLowerLeaseAndStartsOnceThatIsWithdrawn() {
    Answer victim = active(scene.vision, scene.request(8, "PT4H", LOW));
    Answer urgent = scene.vision.post("/leases", scene.request(4, "PT1H", URGENT)).hasStatus(201);
    assertThat(urgent.at("/decision/verdict")).isEqualTo("PLANNED");
    assertThat(codes(urgent)).containsExactly("preempting");
    assertThat(urgent.at("/decision/blockedBy/0/leaseId")).isEqualTo(victim.at("/id"));

    Answer started = become(scene.vision, urgent, "ACTIVE");
    assertThat(started.json().at("/allocations/0/gpus")).hasSize(4);
    Answer ended = become(scene.vision, victim, "ENDED");
    assertThat(ended.at("/endCause")).isEqualTo("preempted");
    assertThat(ended.json().has("endedTime")).isTrue();
    assertThat(codes(ended)).containsExactly("preempted", "share");

    JsonNode history =
        scene.vision.get("/leases/" + victim.at("/id") + "/history").json().at("/items");
    assertThat(history.valueStream().map(move -> move.at("/cause").asString()))
        .containsSubsequence("withdrawn", "preempted", "active");
    JsonNode preempted =
        history
            .valueStream()
            .filter(move -> move.at("/cause").asString().equals("preempted"))
            .findFirst()
            .orElseThrow();
    assertThat(preempted.at("/fromState").asString()).isEqualTo("ACTIVE");
    assertThat(preempted.at("/toState").asString()).isEqualTo("ENDING");
  }

  @Test
  void whatAnotherTeamBorrowsIsTakenAndShownAsAnAmountOnly() {
    Answer first = active(scene.nlp, scene.request(4, "PT4H", LOW));
    Answer second = active(scene.nlp, scene.request(4, "PT4H", LOW));
    Answer guaranteed = scene.vision.post("/leases", scene.request(4, "PT1H", "")).hasStatus(201);
    assertThat(guaranteed.at("/decision/verdict")).isEqualTo("PLANNED");
    JsonNode victim = guaranteed.json().at("/decision/blockedBy/0");
    assertThat(victim.at("/own").asBoolean()).isFalse();
    assertThat(victim.at("/gpus").asInt()).isEqualTo(4);
    assertThat(victim.has("leaseId")).isFalse();
    become(scene.vision, guaranteed, "ACTIVE");
    Answer ended = become(scene.nlp, second, "ENDED");
    assertThat(codes(ended)).containsExactly("reclaimed", "share");
    assertThat(ended.text()).doesNotContain(guaranteed.at("/id"), scene.visionTeam);
    assertThat(scene.nlp.get("/leases/" + first.at("/id")).at("/state")).isEqualTo("ACTIVE");
  }

  @Test
  void whatAnotherTeamIsGuaranteedIsNotTaken() {
    Answer spared = active(scene.nlp, scene.request(8, "PT4H", LOW));
    Answer waiting = scene.vision.post("/leases", scene.request(4, "PT1H", "")).hasStatus(202);
    assertThat(codes(waiting)).contains("no-preemption");
    assertThat(scene.nlp.get("/leases/" + spared.at("/id")).at("/state")).isEqualTo("ACTIVE");
  }

  @Test
  void aDryRunTellsTheSameAndEndsNobody() {
    Answer victim = active(scene.vision, scene.request(8, "PT4H", LOW));
    Answer dry =
        scene.vision.post("/leases?dryRun=true", scene.request(4, "PT1H", URGENT)).hasStatus(200);
    assertThat(dry.at("/decision/verdict")).isEqualTo("PLANNED");
    assertThat(scene.vision.get("/leases/" + victim.at("/id")).at("/state")).isEqualTo("ACTIVE");
  }

  @Test
  void aLeaseIsToldBeforeItEnds() {
    String slug = "told-" + scene.pool;
    scene
        .operator
        .put(
            "/service-classes/" + slug,
            """
            {"priority": 50, "mayBePreempted": true, "minimumRun": "PT0S", "notice": "PT30M"}\
            """)
        .hasStatus(201);
    Answer victim =
        active(scene.nlp, scene.request(8, "PT4H", "\"serviceClass\": \"%s\"".formatted(slug)));
    Answer urgent = scene.nlp.post("/leases", scene.request(4, "PT1H", URGENT)).hasStatus(201);
    Answer told = scene.nlp.get("/leases/" + victim.at("/id"));
    assertThat(told.at("/state")).isEqualTo("ACTIVE");
    assertThat(told.at("/notice/cause")).isEqualTo("preempted");
    assertThat(told.at("/notice/effectiveTime")).isEqualTo(told.at("/endTime"));
    JsonNode events = scene.nlp.get("/leases/" + victim.at("/id") + "/history").json().at("/items");
    assertThat(events.get(0).at("/cause").asString()).isEqualTo("noticed");
    assertThat(told.text()).doesNotContain(urgent.at("/id"));

    scene.nlp.post("/leases/" + urgent.at("/id") + "/cancel", "{}").hasStatus(200);
    Answer spared = scene.nlp.get("/leases/" + victim.at("/id"));
    assertThat(spared.json().has("notice")).isFalse();
    assertThat(spared.at("/endTime")).isEqualTo(victim.at("/endTime"));
    assertThat(codes(spared)).containsExactly("reprieved");
  }

  @Test
  void aGangGivesOfItsSurplusAndGoesOnSmaller() {
    Answer gang =
        active(
            scene.nlp,
            """
            {"gpu": {"models": ["h100"], "count": 8, "minCount": 3}, "duration": "PT4H",
             "serviceClass": "opportunistic"}\
            """);
    Answer urgent = scene.vision.post("/leases", scene.request(4, "PT1H", URGENT)).hasStatus(201);
    assertThat(urgent.json().at("/decision/blockedBy/0/gpus").asInt()).isEqualTo(4);
    become(scene.vision, urgent, "ACTIVE");
    Answer smaller = scene.nlp.get("/leases/" + gang.at("/id"));
    assertThat(smaller.at("/state")).isEqualTo("ACTIVE");
    assertThat(smaller.json().at("/gpuCount").asInt()).isEqualTo(4);
    assertThat(smaller.at("/endTime")).isEqualTo(gang.at("/endTime"));
    assertThat(codes(smaller)).containsExactly("reclaimed", "surplus", "share");
    JsonNode history = scene.nlp.get("/leases/" + gang.at("/id") + "/history").json().at("/items");
    assertThat(history.valueStream().map(move -> move.at("/cause").asString()))
        .containsSubsequence("confirmed", "reduced", "active");
  }

  @Test
  void theCostIsAHintOfWhoMayBePreemptedOnly() {
    String cost = ", \"preemptionCost\": 7";
    Answer low = scene.vision.post("/leases", scene.request(1, "PT1H", LOW + cost)).hasStatus(201);
    assertThat(low.json().at("/effective/preemptionCost").asInt()).isEqualTo(7);
    scene
        .vision
        .post("/leases", scene.request(1, "PT1H", URGENT + cost))
        .faults("/preemptionCost", "not-allowed");
    scene
        .vision
        .post("/leases", scene.request(1, "PT1H", LOW + ", \"preemptionCost\": 1001"))
        .faults("/preemptionCost", "out-of-range");
  }
}
