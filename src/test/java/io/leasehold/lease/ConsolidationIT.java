package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Plans that make room, asked for and approved through the doors of the whole application. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class ConsolidationIT {

  @Autowired MockMvc mvc;

  private Scene scene;
  private List<String> leases;

  /** Two nodes; on each a small lease that may be moved, and nothing else. */
  @BeforeEach
  void scene() {
    scene = new Scene(mvc, 2);
    leases = new ArrayList<>();
    List<String> fillers = new ArrayList<>();
    for (int count : new int[] {3, 2}) {
      leases.add(active(scene.request(count, "PT10H", "\"movable\": true")));
      fillers.add(active(scene.request(8 - count, "PT10H", "")));
    }
    fillers.forEach(id -> scene.vision.post("/leases/" + id + "/release", "").hasStatus(200));
    fillers.forEach(id -> awaits(id, "ENDED"));
  }

  private String active(String request) {
    Answer lease = scene.vision.post("/leases", request, "Prefer", "wait=20").hasStatus(201);
    assertThat(lease.at("/state")).isEqualTo("ACTIVE");
    return lease.at("/id");
  }

  private JsonNode awaits(String id, String state) {
    Answer seen = scene.vision.get("/leases/" + id).hasStatus(200);
    for (int tries = 0; tries < 20 && !seen.at("/state").equals(state); tries++) {
      seen =
          scene.vision.getWith(
              "/leases/" + id, "Prefer", "wait=5", "If-None-Match", seen.header("ETag"));
      if (seen.response().getStatus() == 304) {
        seen = scene.vision.get("/leases/" + id);
      }
    }
    assertThat(seen.at("/state")).isEqualTo(state);
    return seen.json();
  }

  private String plans() {
    return "/pools/" + scene.pool + "/consolidations";
  }

  private String wholeNode() {
    return """
    {"tenant": "%s", "gpu": {"models": ["h100"], "groups": 1, "perGroup": 8}, "duration": "PT1H"}\
    """
        .formatted(scene.nlpTeam);
  }

  private Answer plan() {
    return scene.operator.post(plans(), "{\"request\": %s}".formatted(wholeNode())).hasStatus(200);
  }

  @Test
  void theApprovedPlanMovesTheLeaseAndTheRequestGetsItsNode() {
    Answer plan = plan();
    assertThat(plan.at("/book")).startsWith(scene.pool + ":");
    JsonNode moves = plan.json().at("/moves");
    assertThat(moves).hasSize(1);
    assertThat(moves.at("/0/leaseId").asString()).isEqualTo(leases.get(1));
    assertThat(moves.at("/0/tenant").asString()).isEqualTo(scene.visionTeam);
    assertThat(moves.at("/0/gpus").asInt()).isEqualTo(2);
    String from = moves.at("/0/fromNodeIds/0").asString();
    String to = moves.at("/0/toNodeIds/0").asString();
    assertThat(plan.json().at("/fits/nodeIds/0").asString()).isEqualTo(from);
    assertThat(plan.json().at("/fits/model").asString()).isEqualTo("NVIDIA-H100-80GB-HBM3");
    assertThat(scene.vision.get("/leases/" + leases.get(1)).at("/allocations/0/nodeId"))
        .as("a plan moves nothing")
        .isEqualTo(from);

    String approval = "{\"plan\": %s, \"ifBook\": \"%s\"}".formatted(plan.text(), plan.at("/book"));
    Answer done =
        scene.operator.post(plans() + "/apply", approval, "Idempotency-Key", "once").hasStatus(200);
    assertThat(done.json().at("/moves")).isEqualTo(moves);
    Answer again = scene.operator.post(plans() + "/apply", approval, "Idempotency-Key", "once");
    assertThat(again.hasStatus(200).header("Idempotency-Replayed")).isEqualTo("true");

    Answer moved = scene.vision.get("/leases/" + leases.get(1)).hasStatus(200);
    assertThat(moved.at("/state")).isEqualTo("ACTIVE");
    assertThat(moved.json().at("/degraded").asBoolean()).isFalse();
    assertThat(moved.at("/allocations/0/nodeId")).isEqualTo(to);
    JsonNode history =
        scene.vision.get("/leases/" + leases.get(1) + "/history").hasStatus(200).json();
    assertThat(history.at("/items").valueStream())
        .as(history.toString())
        .filteredOn(each -> each.at("/cause").asString().equals("consolidated"))
        .hasSize(1);
    Answer lease = scene.nlp.post("/leases", wholeNode(), "Prefer", "wait=20");
    assertThat(lease.at("/state")).as(lease.text()).isEqualTo("ACTIVE");
    assertThat(lease.at("/allocations/0/nodeId")).isEqualTo(from);

    scene.endContracts(mvc);
    Answer late = scene.operator.post(plans() + "/apply", approval, "Idempotency-Key", "once");
    assertThat(late.hasStatus(200).json().at("/moves"))
        .as("what it asks for would be refused by now")
        .isEqualTo(moves);
  }

  @Test
  void anotherPlanThanTheOneApprovedIsAnsweredWithTheFreshOneAndNothingMoves() {
    Answer plan = plan();
    scene.vision.post("/leases/" + leases.get(1) + "/release", "").hasStatus(200);
    awaits(leases.get(1), "ENDED");
    String approval = "{\"plan\": %s}".formatted(plan.text());
    Answer changed =
        scene.operator.post(plans() + "/apply", approval).isProblem(412, "book-changed");
    assertThat(changed.json().at("/plan/moves")).as("a node is free by now").isEmpty();
    assertThat(changed.json().at("/plan/fits/nodeIds")).hasSize(1);
    scene
        .operator
        .post(
            plans() + "/apply",
            "{\"plan\": {\"request\": %s, \"moves\": []}, \"ifBook\": \"%s\"}"
                .formatted(wholeNode(), plan.at("/book")))
        .isProblem(412, "book-changed");
  }

  @Test
  void onlyOperatorsPlanAndApprove() {
    String body = "{\"request\": %s}".formatted(wholeNode());
    scene.nlp.post(plans(), body).isProblem(403, "forbidden");
    scene.nlp.post(plans() + "/apply", "{\"plan\": {}}").isProblem(403, "forbidden");
  }

  @Test
  void namesWhatIsMissing() {
    scene.operator.post(plans(), "{}").faults("/request", "required");
    scene
        .operator
        .post(plans(), "{\"request\": {\"tenant\": \"%s\"}}".formatted(scene.nlpTeam))
        .faults("/request/gpu", "required");
    scene.operator.post(plans() + "/apply", "{}").faults("/plan", "required");
    scene
        .operator
        .post(
            plans() + "/apply",
            "{\"plan\": {\"request\": %s, \"moves\": [{}]}}".formatted(wholeNode()))
        .faults("/plan/moves/0", "required");
    scene
        .operator
        .post("/pools/no-such-pool/consolidations", "{\"request\": %s}".formatted(wholeNode()))
        .isProblem(404, "not-found");
  }
}
