package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import io.leasehold.engine.Engine;
import io.leasehold.ledger.Ledger;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

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

    Answer waiting = scene.nlp.post("/leases", scene.request(16, "PT1H", "")).hasStatus(202);
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

  @Test
  void l21GrowthIsSeenInTheClusterAndARefusedOneChangesNothing() {
    Scene scene = new Scene(mvc, 2);
    Answer lease = active(scene, scene.request(2, "PT1H", ""));
    String path = "/leases/" + lease.at("/id");
    Answer dry =
        scene.vision.post(path + "/resize?dryRun=true", "{\"gpu\": {\"count\": 4}}").hasStatus(200);
    assertThat(dry.at("/gpuCount")).isEqualTo("4");
    assertThat(scene.vision.get(path).json()).isEqualTo(lease.json());
    scene
        .vision
        .post(path + "/resize", "{\"gpu\": {\"count\": 4}}", "If-Match", "\"99\"")
        .isProblem(412, "changed-meanwhile");
    String[] key = {"Idempotency-Key", "grow-" + lease.at("/id")};
    Answer grown =
        scene.vision.post(path + "/resize", "{\"gpu\": {\"count\": 4}}", key).hasStatus(200);
    assertThat(grown.at("/gpuCount")).isEqualTo("4");
    assertThat(grown.at("/state")).isEqualTo("ACTIVE");
    assertThat(grown.at("/generation")).isEqualTo("2");
    assertThat(grown.at("/effective/gpu/count")).isEqualTo("4");
    assertThat(grown.at("/request/gpu/count")).isEqualTo("2");
    assertThat(grown.json().at("/allocations")).hasSize(1);
    assertThat(grown.json().at("/allocations/0/gpus")).hasSize(4);
    Answer replayed =
        scene.vision.post(path + "/resize", "{\"gpu\": {\"count\": 4}}", key).hasStatus(200);
    assertThat(replayed.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(replayed.at("/revision")).isEqualTo(grown.at("/revision"));
    Answer usable = awaitUsable(scene, path);
    assertThat(usable.at("/activeTime")).isEqualTo(lease.at("/activeTime"));
    assertThat(usable.at("/publishing/generation")).isEqualTo("2");
    assertSound(scene);

    Answer refused =
        scene
            .vision
            .post(path + "/resize", "{\"gpu\": {\"count\": 40}}")
            .isProblem(409, "refused-shortage");
    assertThat(refused.at("/decision/alternatives/0/kind")).isEqualTo("fewer-gpus");
    assertThat(refused.at("/decision/alternatives/0/request/gpu/count")).isEqualTo("16");
    assertThat(scene.vision.get(path).json()).isEqualTo(usable.json());
    scene
        .vision
        .post(path + "/resize", "{\"gpu\": {\"groups\": 2, \"perGroup\": 4}}")
        .faults("/gpu/groups", "not-allowed");
    scene
        .vision
        .post(path + "/resize", "{\"gpu\": {\"count\": 4, \"models\": [\"a100\"]}}")
        .faults("/gpu/models", "not-allowed");
    scene.viewer.post(path + "/resize", "{\"gpu\": {\"count\": 1}}").hasStatus(403);
    scene.stranger.post(path + "/resize", "{\"gpu\": {\"count\": 1}}").hasStatus(404);
    scene.vision.post(path + "/release", "").hasStatus(200);
  }

  @Test
  void aShrinkKeepsTheNamedNodesAndGivesTheOthersToWhoWaits() {
    Scene scene = new Scene(mvc, 2);
    Answer lease =
        active(
            scene,
            "{\"gpu\": {\"models\": [\"h100\"], \"groups\": 2, \"perGroup\": 8}, \"duration\": \"PT1H\"}");
    String path = "/leases/" + lease.at("/id");
    String keep = lease.at("/allocations/1/nodeId");
    Answer waiting = scene.nlp.post("/leases", scene.request(8, "PT1H", "")).hasStatus(202);
    Answer shrunk =
        scene
            .vision
            .post(
                path + "/resize", "{\"gpu\": {\"groups\": 1}, \"keepNodeIds\": [\"" + keep + "\"]}")
            .hasStatus(200);
    assertThat(shrunk.json().at("/allocations")).hasSize(1);
    assertThat(shrunk.at("/allocations/0/nodeId")).isEqualTo(keep);
    awaitUsable(scene, path);
    Answer started = awaitState(scene, waiting, "ACTIVE");
    assertThat(started.at("/allocations/0/nodeId")).isNotEqualTo(keep);
    assertSound(scene);
    scene
        .vision
        .post(path + "/resize", "{\"gpu\": {\"groups\": 1}, \"keepNodeIds\": [\"nonsense\"]}")
        .faults("/keepNodeIds/0", "malformed");
    JsonNode history = scene.viewer.get(path + "/history").hasStatus(200).json().at("/items");
    assertThat(history.valueStream().map(move -> move.at("/cause").asString()))
        .contains("resized", "confirmed");
  }

  @Test
  void aLostNodeIsReplacedAtOnceOrWhenASpareComes() {
    Scene scene = new Scene(mvc, 2);
    Answer lease =
        active(
            scene,
            "{\"gpu\": {\"models\": [\"h100\"], \"groups\": 1, \"perGroup\": 8}, \"duration\": \"PT1H\"}");
    Answer other = scene.nlp.post("/leases", scene.request(8, "PT1H", "")).hasStatus(201);
    String path = "/leases/" + lease.at("/id");
    String node = lease.at("/allocations/0/nodeId");
    String body = "{\"nodeIds\": [\"" + node + "\"], \"reason\": \"ECC errors\"}";
    Answer waits = scene.vision.post(path + "/replace", body).hasStatus(202);
    assertThat(waits.at("/degraded")).isEqualTo("true");
    assertThat(waits.at("/state")).isEqualTo("ACTIVE");
    assertThat(waits.at("/decision/reasons/0/code")).isEqualTo("no-spare");
    assertThat(scene.vision.get(path + "/explanation").at("/decision/reasons/0/code"))
        .isEqualTo("no-spare");
    scene.nlp.post("/leases/" + other.at("/id") + "/release", "").hasStatus(200);
    Answer replaced = await(scene, path, read -> read.at("/degraded").equals("false"));
    assertThat(replaced.at("/allocations/0/nodeId")).isNotEqualTo(node);
    assertThat(replaced.at("/decision/verdict")).isEqualTo("ADMITTED");
    assertThat(replaced.at("/generation")).isEqualTo("2");
    scene.vision.post(path + "/replace", body).isProblem(409, "illegal-move");
    scene.vision.post(path + "/replace", "{}").faults("/nodeIds", "required");
    assertSound(scene);
  }

  @Test
  void s35ATransferIsAdmittedOnTheOtherSideByWhoMayActThere() {
    Scene scene = new Scene(mvc, 2);
    Answer lease = active(scene, scene.request(8, "PT1H", "\"owner\": \"alice\""));
    String path = "/leases/" + lease.at("/id");
    assertThat(
            scene
                .vision
                .post(path + "/transfer", "{\"owner\": \"bob\"}")
                .hasStatus(200)
                .at("/owner"))
        .isEqualTo("bob");
    scene.vision.post(path + "/transfer", "{}").faults("/owner", "exactly-one");
    String toNlp = "{\"tenant\": \"" + scene.nlpTeam + "\"}";
    scene.vision.post(path + "/transfer", toNlp).hasStatus(404);
    scene.nlp.post(path + "/transfer", toNlp).hasStatus(404);
    Doors both = Doors.of(mvc, "", scene.visionTeam, scene.nlpTeam);
    Answer handed = both.post(path + "/transfer", toNlp).hasStatus(200);
    assertThat(handed.at("/tenant")).isEqualTo(scene.nlpTeam);
    assertThat(handed.at("/effective/tenant")).isEqualTo(scene.nlpTeam);
    assertThat(handed.at("/owner")).isEqualTo("bob");
    scene.vision.get(path).hasStatus(404);
    assertThat(scene.nlp.get(path).hasStatus(200).json()).isEqualTo(handed.json());
    assertThat(scene.nlp.get("/leases?tenant=" + scene.nlpTeam).hasStatus(200).json().at("/items"))
        .hasSize(1);
    assertSound(scene);
  }

  /** Rule 15: what breaks counts against whose promise it breaks, and everybody sees his part. */
  @Test
  void thePoolSaysWhosePromisesBrokenGpusBreak() {
    Scene scene = new Scene(mvc, 2);
    assertThat(scene.operator.get("/pools/" + scene.pool).json().has("brokenPromises")).isFalse();
    Answer lease = active(scene, scene.request(8, "PT1H", ""));
    String node = lease.at("/allocations/0/nodeId");
    scene.operator.patch("/nodes/" + node + "/gpus/0", "{\"health\": \"BROKEN\"}").hasStatus(200);
    assertThat(scene.vision.get("/leases/" + lease.at("/id")).at("/degraded")).isEqualTo("true");
    JsonNode all =
        scene.operator.get("/pools/" + scene.pool).hasStatus(200).json().at("/brokenPromises");
    assertThat(all).hasSize(3);
    assertThat(all.get(0).at("/tenant").asString()).isEqualTo(scene.root);
    assertThat(all.get(0).at("/guaranteedMilli").asInt()).isEqualTo(1000);
    JsonNode seen =
        scene.vision.get("/pools/" + scene.pool).hasStatus(200).json().at("/brokenPromises");
    assertThat(seen).hasSize(2);
    assertThat(seen.get(0).at("/tenant").asString()).isEqualTo(scene.visionTeam);
    assertThat(seen.get(0).at("/guaranteedMilli").asInt()).isEqualTo(500);
    assertThat(seen.get(1).has("tenant")).isFalse();
    assertThat(seen.get(1).at("/own").asBoolean()).isFalse();
    assertThat(scene.vision.get("/pools/" + scene.pool).text()).doesNotContain(scene.nlpTeam);
    assertSound(scene);
    scene.operator.patch("/nodes/" + node + "/gpus/0", "{\"health\": \"OK\"}").hasStatus(200);
    assertThat(scene.operator.get("/pools/" + scene.pool).json().has("brokenPromises")).isFalse();
  }

  @Test
  void aGangMayStartSmallerAndSaysHowMany() {
    Scene scene = new Scene(mvc, 2);
    scene.nlp.post("/leases", scene.request(6, "PT1H", "")).hasStatus(201);
    String body =
        "{\"gpu\": {\"models\": [\"h100\"], \"count\": 100, \"minCount\": 2}, \"duration\": \"PT1H\"}";
    Answer dry = scene.vision.post("/leases?dryRun=true", body).hasStatus(200);
    assertThat(dry.at("/gpuCount")).isEqualTo("10");
    Answer lease = active(scene, body);
    assertThat(lease.at("/gpuCount")).isEqualTo("10");
    assertThat(lease.at("/decision/reasons/0/code")).isEqualTo("starts-smaller");
    assertThat(lease.at("/decision/reasons/0/need")).isEqualTo("100");
    assertThat(lease.at("/request/gpu/count")).isEqualTo("100");
    scene
        .vision
        .post("/leases", body.replace(": 2}", ": 101}"))
        .faults("/gpu/minCount", "out-of-range");
    scene
        .vision
        .post("/leases", body.replace(": 2}", ": -4}"))
        .faults("/gpu/minCount", "out-of-range");
    assertSound(scene);
  }

  private Answer awaitUsable(Scene scene, String path) {
    return await(scene, path, read -> read.at("/publishing/state").equals("USABLE"));
  }

  private Answer awaitState(Scene scene, Answer lease, String state) {
    return await(scene.nlp, "/leases/" + lease.at("/id"), read -> read.at("/state").equals(state));
  }

  private Answer await(Scene scene, String path, Predicate<Answer> done) {
    return await(scene.vision, path, done);
  }

  /** By long polls. */
  private Answer await(Doors doors, String path, Predicate<Answer> done) {
    Answer read = doors.get(path).hasStatus(200);
    for (int i = 0; i < 20 && !done.test(read); i++) {
      doors.getWith(path, "If-None-Match", read.header("ETag"), "Prefer", "wait=5");
      read = doors.get(path).hasStatus(200);
    }
    assertThat(read).matches(done);
    return read;
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
