package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** A lease through its doors, on the whole application. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeaseDoorsIT {

  @Autowired MockMvc mvc;

  private Scene scene;

  @BeforeAll
  void scene() {
    scene = new Scene(mvc, 4);
  }

  private Answer create(String body, String... headers) {
    return scene.vision.post("/leases", body, headers);
  }

  private void release(Answer lease) {
    scene.vision.post("/leases/" + lease.at("/id") + "/release", "").hasStatus(200);
  }

  @Test
  void admitsAndShowsALeaseThroughItsWholeLife() {
    Answer created =
        create(scene.request(8, "PT1H", "\"name\": \"resnet\""), "Prefer", "wait=20")
            .hasStatus(201);
    assertThat(created.at("/state")).isEqualTo("ACTIVE");
    assertThat(created.at("/tenant")).isEqualTo(scene.visionTeam);
    assertThat(created.at("/pool")).isEqualTo(scene.pool);
    assertThat(created.at("/decision/verdict")).isEqualTo("ADMITTED");
    assertThat(created.json().at("/allocations/0/gpus")).hasSize(8);
    assertThat(created.at("/publishing/state")).isEqualTo("USABLE");
    assertThat(created.at("/access/usable")).isEqualTo("true");
    assertThat(created.header("Location")).isEqualTo("/api/v1/leases/" + created.at("/id"));
    String path = "/leases/" + created.at("/id");
    Answer read = scene.viewer.get(path).hasStatus(200);
    assertThat(read.json()).isEqualTo(created.json());
    assertThat(read.header("ETag")).isEqualTo("\"" + created.at("/revision") + "\"");

    assertThat(scene.viewer.get(path + "/manifest").hasStatus(200).text())
        .contains("simulated")
        .contains(created.at("/id"))
        .contains(created.at("/allocations/0/node"));

    Answer released = scene.vision.post(path + "/release", "").hasStatus(200);
    assertThat(released.at("/state")).isEqualTo("ENDING");
    Answer again = scene.vision.post(path + "/release", "").hasStatus(200);
    assertThat(again.at("/state")).isIn("ENDING", "ENDED");

    JsonNode history = scene.viewer.get(path + "/history").hasStatus(200).json().at("/items");
    assertThat(history.valueStream().map(move -> move.at("/toState").asString()))
        .contains("ALLOCATED", "ACTIVE", "ENDING");
    assertThat(history.get(history.size() - 1).at("/cause").asString()).isEqualTo("admitted");
  }

  @Test
  void aDryRunStoresNothing() {
    Answer dry =
        create0("?dryRun=true", scene.request(1, "PT1H", "\"name\": \"dry\"")).hasStatus(200);
    assertThat(dry.at("/state")).isEqualTo("REQUESTED");
    assertThat(dry.json().has("id")).isFalse();
    assertThat(dry.at("/decision/verdict")).isEqualTo("ADMITTED");
    Answer never = create0("?dryRun=true", scene.request(1000, "PT1H", "")).hasStatus(200);
    assertThat(never.at("/decision/verdict")).isEqualTo("REFUSED");
    assertThat(
            scene
                .vision
                .get("/leases?tenant=" + scene.visionTeam + "&pageSize=200")
                .json()
                .at("/items")
                .valueStream()
                .map(lease -> lease.at("/name").asString()))
        .doesNotContain("dry");
  }

  private Answer create0(String query, String body, String... headers) {
    return scene.vision.post("/leases" + query, body, headers);
  }

  @Test
  void aRefusalCarriesItsDecisionAndIsKept() {
    Answer refused = create(scene.request(1000, "PT1H", "")).isProblem(409, "refused-never");
    assertThat(refused.at("/decision/verdict")).isEqualTo("REFUSED");
    assertThat(refused.at("/retryable")).isEqualTo("false");
    Answer kept = scene.vision.get("/leases/" + refused.at("/leaseId")).hasStatus(200);
    assertThat(kept.at("/state")).isEqualTo("REFUSED");
    create(scene.request(1, "P200D", "")).isProblem(409, "refused-limit");
  }

  @Test
  void oneKeyHasOneEffect() {
    String key = UUID.randomUUID().toString();
    String body = scene.request(1, "PT1H", "\"name\": \"keyed\"");
    Answer first = create(body, "Idempotency-Key", "\"" + key + "\"").hasStatus(201);
    Answer again = create(body, "Idempotency-Key", key).hasStatus(201);
    assertThat(again.at("/id")).isEqualTo(first.at("/id"));
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(first.header("Idempotency-Replayed")).isNull();
    create(scene.request(2, "PT1H", ""), "Idempotency-Key", key).isProblem(422, "key-reused");
    Answer no =
        create(scene.request(1000, "PT1H", ""), "Idempotency-Key", key + "-no")
            .isProblem(409, "refused-never");
    Answer noAgain =
        create(scene.request(1000, "PT1H", ""), "Idempotency-Key", key + "-no")
            .isProblem(409, "refused-never");
    assertThat(noAgain.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(noAgain.at("/leaseId")).isEqualTo(no.at("/leaseId"));
    String release = "/leases/" + first.at("/id") + "/release";
    scene.vision.post(release, "", "Idempotency-Key", key).hasStatus(200);
    assertThat(
            scene
                .vision
                .post(release, "", "Idempotency-Key", key)
                .hasStatus(200)
                .header("Idempotency-Replayed"))
        .isEqualTo("true");
    release(first);
  }

  @Test
  void anIdOfOnesOwnIsTakenOnce() {
    UUID id = UUID.randomUUID();
    String body = scene.request(1, "PT1H", "\"name\": \"mine\"");
    Answer first = scene.vision.put("/leases/" + id, body).hasStatus(201);
    assertThat(first.at("/id")).isEqualTo(id.toString());
    Answer again = scene.vision.put("/leases/" + id, " " + body).hasStatus(200);
    assertThat(again.at("/id")).isEqualTo(id.toString());
    scene.vision.put("/leases/" + id, scene.request(2, "PT1H", "")).isProblem(409, "id-taken");
    Answer other = scene.stranger.put("/leases/" + id, body).isProblem(409, "id-taken");
    assertThat(other.json().has("leaseId")).isFalse();
    scene.vision.put("/leases/00000000-0000-1000-8000-000000000000", body).hasStatus(400);
    release(first);
  }

  /** E2, I12: what is another's does not exist. */
  @Test
  void aStrangerFindsNothing() {
    Answer lease = create(scene.request(1, "PT1H", "")).hasStatus(201);
    String path = "/leases/" + lease.at("/id");
    for (String part : List.of("", "/explanation", "/history", "/manifest")) {
      scene.stranger.get(path + part).isProblem(404, "not-found");
      scene.nlp.get(path + part).isProblem(404, "not-found");
    }
    for (String verb : List.of("/release", "/cancel")) {
      scene.stranger.post(path + verb, "").isProblem(404, "not-found");
    }
    scene.stranger.post(path + "/extend", "{\"by\": \"PT1H\"}").isProblem(404, "not-found");
    scene.stranger.patch(path, "{\"name\": \"x\"}").isProblem(404, "not-found");
    scene.viewer.post(path + "/release", "").isProblem(403, "forbidden");
    scene.vision.post(path + "/revoke", "{\"reason\": \"x\"}").isProblem(403, "forbidden");
    create0("", scene.request(1, "PT1H", "\"tenant\": \"" + scene.nlpTeam + "\""))
        .isProblem(404, "not-found");
    assertThat(scene.stranger.get("/leases").json().at("/items")).isEmpty();
    assertThat(scene.stranger.get("/leases?id=" + lease.at("/id")).json().at("/items")).isEmpty();
    assertThat(scene.stranger.get("/leases?tenant=" + scene.visionTeam).json().at("/items"))
        .isEmpty();
    assertThat(scene.vision.get(path).at("/name")).as("nothing changed").isEmpty();
    assertThat(scene.vision.get(path).at("/state")).isIn("ALLOCATED", "PUBLISHING", "ACTIVE");
    release(lease);
  }

  @Test
  void verbsKeepToTheRevisionSeen() {
    Answer lease = create(scene.request(1, "PT1H", ""), "Prefer", "wait=20").hasStatus(201);
    String path = "/leases/" + lease.at("/id");
    scene
        .vision
        .post(path + "/extend", "{\"by\": \"PT1H\"}", "If-Match", "\"999\"")
        .isProblem(412, "changed-meanwhile");
    Answer dry =
        scene.vision.post(path + "/extend?dryRun=true", "{\"by\": \"PT1H\"}").hasStatus(200);
    scene.vision.post(path + "/extend?dryRun=", "{\"by\": \"PT1H\"}").hasStatus(400);
    assertThat(scene.vision.get(path).at("/endTime")).isEqualTo(lease.at("/endTime"));
    Answer extended =
        scene
            .vision
            .post(path + "/extend", "{\"by\": \"PT1H\"}", "If-Match", lease.header("ETag"))
            .hasStatus(200);
    assertThat(extended.at("/endTime"))
        .isEqualTo(dry.at("/endTime"))
        .isNotEqualTo(lease.at("/endTime"));
    scene.vision.post(path + "/extend", "{}").faults("/endTime", "exactly-one");
    Answer shortened =
        scene
            .vision
            .post(path + "/shorten", "{\"endTime\": \"" + lease.at("/endTime") + "\"}")
            .hasStatus(200);
    assertThat(shortened.at("/endTime")).isEqualTo(lease.at("/endTime"));
    Answer patched =
        scene.vision.patch(path, "{\"name\": \"new\", \"labels\": {\"a\": \"b\"}}").hasStatus(200);
    assertThat(patched.at("/name")).isEqualTo("new");
    assertThat(patched.at("/labels/a")).isEqualTo("b");
    assertThat(scene.vision.get(path).json()).isEqualTo(patched.json());
    scene
        .vision
        .patch(path, "{\"name\": \"x\"}", "If-Match", lease.header("ETag"))
        .isProblem(412, "changed-meanwhile");
    scene.vision.post(path + "/cancel", "").isProblem(409, "illegal-move");
    scene.vision.post(path + "/extend", "{\"by\": \"P300D\"}").isProblem(409, "refused-limit");
    Answer revoked =
        scene.operator.post(path + "/revoke", "{\"reason\": \"power work\"}").hasStatus(200);
    assertThat(revoked.at("/state")).isEqualTo("ENDING");
    scene.vision.post(path + "/extend", "{\"by\": \"PT1H\"}").isProblem(409, "illegal-move");
  }

  @Test
  void patchIsAMergePatchOnly() {
    Answer lease = create(scene.request(1, "PT1H", "")).hasStatus(201);
    scene
        .vision
        .patch("/leases/" + lease.at("/id"), "{\"tenant\": \"x\"}")
        .faults("/tenant", "unknown-field");
    release(lease);
  }

  @Test
  void waitsInTheQueueAndExplainsItself() {
    Scene small = new Scene(mvc, 4);
    Answer all =
        small.vision.post("/leases", small.request(32, "PT2H", "\"name\": \"all\"")).hasStatus(201);
    Answer waiting = small.vision.post("/leases", small.request(8, "PT1H", "")).hasStatus(202);
    assertThat(waiting.at("/state")).isEqualTo("WAITING");
    assertThat(waiting.at("/decision/blockedBy/0/own")).isEqualTo("true");
    Answer explanation =
        small.vision.get("/leases/" + waiting.at("/id") + "/explanation").hasStatus(200);
    assertThat(explanation.at("/position")).isEqualTo("1");
    assertThat(explanation.at("/expectedStartTime")).isNotEmpty();
    JsonNode own =
        small.vision.get("/queue?pool=" + small.pool).hasStatus(200).json().at("/items/0");
    assertThat(own.at("/leaseId").asString()).isEqualTo(waiting.at("/id"));
    JsonNode foreign =
        small.nlp.get("/queue?pool=" + small.pool).hasStatus(200).json().at("/items/0");
    assertThat(foreign.propertyNames()).isSubsetOf("position", "own", "gpus", "expectedStartTime");
    assertThat(foreign.at("/own").asBoolean()).isFalse();
    small.vision.get("/queue").hasStatus(400);
    small.vision.get("/queue?pool=nowhere").isProblem(404, "not-found");
    Answer blocked =
        small
            .nlp
            .post("/leases?dryRun=true", small.request(8, "PT1H", "\"onShortage\": \"refuse\""))
            .hasStatus(200);
    assertThat(blocked.text()).doesNotContain(all.at("/id"));
    Answer refused =
        small
            .vision
            .post("/leases", small.request(8, "PT1H", "\"onShortage\": \"refuse\""))
            .isProblem(409, "refused-shortage");
    assertThat(refused.at("/retryable")).isEqualTo("true");
    small.vision.post("/leases/" + waiting.at("/id") + "/cancel", "").hasStatus(200);
    Answer again = small.vision.post("/leases/" + waiting.at("/id") + "/cancel", "").hasStatus(200);
    assertThat(again.at("/state")).isEqualTo("CANCELLED");
  }

  @Test
  void alternativesCanBeSentAsTheyAre() {
    Scene small = new Scene(mvc, 1);
    Answer six = small.vision.post("/leases", small.request(6, "PT1H", "")).hasStatus(201);
    Answer refused =
        small
            .vision
            .post("/leases", small.request(8, "PT1H", "\"onShortage\": \"refuse\""))
            .isProblem(409, "refused-shortage");
    JsonNode alternatives = refused.json().at("/decision/alternatives");
    assertThat(alternatives).isNotEmpty();
    for (JsonNode alternative : alternatives) {
      Answer sent = small.vision.post("/leases?dryRun=true", alternative.at("/request").toString());
      assertThat(sent.hasStatus(200).at("/decision/verdict"))
          .as(alternative.toString())
          .isIn("ADMITTED", "PLANNED");
    }
    assertThat(six.at("/state")).isNotEmpty();
  }

  @Test
  void aMovedBookIsTold() {
    Answer first = create(scene.request(1, "PT1H", "")).hasStatus(201);
    String book = first.at("/decision/book");
    Answer second =
        create(scene.request(1, "PT1H", "\"ifBook\": \"" + scene.pool + ":1\""))
            .isProblem(412, "book-changed");
    assertThat(second.at("/decision/verdict")).isEqualTo("ADMITTED");
    assertThat(book).startsWith(scene.pool + ":");
    release(first);
  }

  /** L24: the reply, the row, the history and the events tell the same of a change refused. */
  @Test
  void aRefusedChangeLeavesNoTrace() {
    Answer lease = create(scene.request(1, "PT1H", ""), "Prefer", "wait=20").hasStatus(201);
    assertThat(lease.at("/state")).isEqualTo("ACTIVE");
    String path = "/leases/" + lease.at("/id");
    String row = scene.vision.get(path).json().toString();
    String history = scene.vision.get(path + "/history").json().toString();
    String position = scene.vision.get("/leases?pageSize=1").at("/eventPosition");

    scene.vision.post(path + "/extend", "{\"by\": \"P31D\"}").isProblem(409, "refused-limit");
    scene
        .vision
        .post(path + "/shorten", "{\"endTime\": \"2100-01-01T00:00:00Z\"}")
        .isProblem(409, "illegal-move");
    scene.vision.post(path + "/cancel", "").isProblem(409, "illegal-move");
    scene.vision.post(path + "/release", "{\"when\": \"now\"}").isProblem(400, "invalid-request");
    scene.vision.post(path + "/revoke", "{\"reason\": \"x\"}").isProblem(403, "forbidden");
    scene.vision.post(path + "/release", "", "If-Match", "\"99\"").hasStatus(412);
    scene
        .vision
        .post(path + "/resize", "{\"gpu\": {\"count\": 99}}")
        .isProblem(409, "refused-shortage");
    scene
        .vision
        .post(path + "/replace", "{\"nodeIds\": [\"" + UUID.randomUUID() + "\"]}")
        .isProblem(409, "illegal-move");
    scene.vision.post(path + "/transfer", "{\"tenant\": \"x\"}").hasStatus(404);

    assertThat(scene.vision.get(path).json().toString()).isEqualTo(row);
    assertThat(scene.vision.get(path + "/history").json().toString()).isEqualTo(history);
    assertThat(
            scene
                .vision
                .get("/events?lease=" + lease.at("/id") + "&after=" + position)
                .json()
                .at("/items"))
        .isEmpty();
    release(lease);
  }

  @Test
  void aTenantWithLeasesIsNotRetiredUnderThem() {
    Scene small = new Scene(mvc, 1);
    Answer lease = small.vision.post("/leases", small.request(1, "PT1H", "")).hasStatus(201);
    small.retireVision().isProblem(409, "illegal-move");
    assertThat(small.vision.get("/leases/" + lease.at("/id")).hasStatus(200).at("/tenant"))
        .isEqualTo(small.visionTeam);
    small.vision.post("/leases/" + lease.at("/id") + "/release", "").hasStatus(200);
  }

  /** After itself, after what comes later, after what is faulty, after what lies elsewhere. */
  @Test
  void nothingFollowsWhatNeverEndsHere() {
    UUID first = UUID.randomUUID();
    UUID second = UUID.randomUUID();
    UUID faulty = UUID.randomUUID();
    Answer batch =
        scene
            .vision
            .post(
                "/leases/batch",
                """
                {"leases": [
                  {"gpu": {"count": 1}, "duration": "PT1H", "id": "%s", "after": ["%s"]},
                  {"gpu": {"count": 1}, "duration": "PT1H", "id": "%s", "after": ["%s"]},
                  {"gpu": {"count": 0}, "duration": "PT1H", "id": "%s"},
                  {"gpu": {"count": 1}, "duration": "PT1H", "after": ["%s"]}
                ]}\
                """
                    .formatted(first, first, first, second, faulty, faulty))
            .hasStatus(200);
    JsonNode results = batch.json().at("/results");
    assertThat(results.valueStream().map(result -> result.at("/status").asInt()))
        .containsExactly(400, 400, 400, 400);
    assertThat(results.at("/0/problem/errors/0/pointer").asString()).isEqualTo("/leases/0/after/0");
  }

  @Test
  void theUrgentOneDoesNotOvertakeWhatItFollows() {
    UUID first = UUID.randomUUID();
    JsonNode results =
        scene
            .vision
            .post(
                "/leases/batch",
                """
                {"leases": [
                  {"gpu": {"count": 1}, "duration": "PT1H", "id": "%s"},
                  {"gpu": {"count": 1}, "duration": "PT1H", "after": ["%s"],
                   "serviceClass": "realtime"}
                ]}\
                """
                    .formatted(first, first))
            .hasStatus(200)
            .json()
            .at("/results");
    assertThat(results.valueStream().map(result -> result.at("/status").asInt()))
        .containsExactly(201, 202);
    for (JsonNode result : results) {
      scene.vision.post("/leases/" + result.at("/lease/id").asString() + "/release", "");
    }
  }

  @Test
  void aBatchAnswersEachInOrder() {
    UUID own = UUID.randomUUID();
    Answer batch =
        scene
            .vision
            .post(
                "/leases/batch",
                """
                {"leases": [
                  {"gpu": {"count": 1}, "duration": "PT1H", "id": "%s"},
                  {"gpu": {"count": 0}, "duration": "PT1H"},
                  {"gpu": {"count": 1}, "duration": "PT1H", "after": ["%s"]},
                  {"gpu": {"count": 1}, "duration": "PT1H", "surprise": 1},
                  {"gpu": {"count": 1}, "duration": "PT1H", "tenant": "%s"},
                  {"gpu": {"count": 1}, "duration": "PT1H", "after": ["%s"]}
                ]}\
                """
                    .formatted(own, own, scene.nlpTeam, UUID.randomUUID()))
            .hasStatus(200);
    JsonNode results = batch.json().at("/results");
    assertThat(results.valueStream().map(result -> result.at("/status").asInt()))
        .containsExactly(201, 400, 202, 400, 404, 400);
    assertThat(results.valueStream().map(result -> result.at("/index").asInt()))
        .containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(results.at("/0/lease/id").asString()).isEqualTo(own.toString());
    assertThat(results.at("/1/problem/errors/0/pointer").asString())
        .isEqualTo("/leases/1/gpu/count");
    assertThat(results.at("/3/problem/errors/0/pointer").asString())
        .isEqualTo("/leases/3/surprise");
    assertThat(results.at("/5/problem/errors/0/code").asString()).isEqualTo("unknown-lease");
    scene
        .vision
        .post("/leases/" + results.at("/2/lease/id").asString() + "/cancel", "")
        .hasStatus(200);
    scene.vision.post("/leases/" + own + "/release", "").hasStatus(200);
  }

  @Test
  void anAtomicBatchIsAllOrNone() {
    Scene small = new Scene(mvc, 1);
    String element = small.request(4, "PT1H", "\"onShortage\": \"refuse\"");
    Answer none =
        small
            .vision
            .post(
                "/leases/batch",
                "{\"atomic\": true, \"leases\": ["
                    + String.join(",", element, element, element)
                    + "]}")
            .isProblem(409, "refused-atomic");
    assertThat(none.json().at("/results").valueStream().map(r -> r.at("/problem/code").asString()))
        .containsExactly("not-kept", "not-kept", "refused-shortage");
    assertThat(none.at("/retryable")).isEqualTo("true");
    Answer noWaiting =
        small
            .vision
            .post(
                "/leases/batch",
                "{\"atomic\": true, \"leases\": ["
                    + String.join(",", small.request(1000, "PT1H", ""), element)
                    + "]}")
            .isProblem(409, "refused-atomic");
    assertThat(
            noWaiting
                .json()
                .at("/results")
                .valueStream()
                .map(r -> r.at("/problem/code").asString()))
        .containsExactly("refused-never", "not-kept");
    assertThat(noWaiting.at("/retryable")).isEqualTo("false");
    small
        .vision
        .post("/leases/batch", "{\"atomic\": true, \"leases\": [{\"gpu\": {}}, {}]}")
        .faults("/leases/0/gpu/count", "required")
        .faults("/leases/1/gpu", "required");
    assertThat(small.vision.get("/leases").json().at("/items")).isEmpty();
    Answer both =
        small
            .vision
            .post(
                "/leases/batch",
                "{\"atomic\": true, \"leases\": [" + element + "," + element + "]}")
            .hasStatus(200);
    assertThat(both.json().at("/results").valueStream().map(r -> r.at("/status").asInt()))
        .containsExactly(201, 201);
  }

  /**
   * E21, E14: each row exactly once although all came in one instant, whatever happens meanwhile.
   */
  @Test
  void pagesShowEachLeaseOnce() {
    Scene small = new Scene(mvc, 1);
    StringBuilder elements = new StringBuilder();
    for (int i = 0; i < 150; i++) {
      elements
          .append(i == 0 ? "" : ",")
          .append(small.request(8, "PT1H", "\"labels\": {\"n\": \"" + i % 3 + "\"}"));
    }
    small.vision.post("/leases/batch", "{\"leases\": [" + elements + "]}").hasStatus(200);
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      Answer page =
          small.vision.get("/leases?pageSize=40" + (token.isEmpty() ? "" : "&pageToken=" + token));
      page.hasStatus(200)
          .json()
          .at("/items")
          .forEach(lease -> seen.add(lease.at("/id").asString()));
      token = page.at("/nextPageToken");
      small.vision.post("/leases", small.request(8, "PT1H", "")).hasStatus(202);
    } while (!token.isEmpty());
    assertThat(seen).hasSize(150).doesNotHaveDuplicates();
    small.vision.get("/leases?pageSize=0").hasStatus(400);
    small.vision.get("/leases?pageSize=-5").hasStatus(400);
    assertThat(
            small.vision.get("/leases?pageSize=1000000000000").hasStatus(200).json().at("/items"))
        .hasSizeGreaterThan(150);
    assertThat(small.vision.get("/leases?label=n:1&pageSize=200").json().at("/items")).hasSize(50);
    assertThat(small.vision.get("/leases?label=n:1&label=n:2&pageSize=200").json().at("/items"))
        .hasSize(100);
    assertThat(
            small
                .vision
                .get("/leases?state=ALLOCATED&state=PUBLISHING&state=ACTIVE")
                .json()
                .at("/items"))
        .hasSize(1);
    assertThat(small.vision.get("/leases?model=h100").json().at("/items")).hasSize(1);
    small.vision.get("/leases?model=nothing").hasStatus(400);
    small.vision.get("/leases?state=HAPPY").hasStatus(400);
    small.vision.get("/leases?stat=ACTIVE").hasStatus(400);
    small.vision.get("/leases?label=n").hasStatus(400);
    small.vision.get("/leases?owner=%00").hasStatus(400);
    small.vision.get("/leases?updatedAfter=yesterday").hasStatus(400);
    assertThat(
            small
                .operator
                .get("/leases?tenant=" + small.root + "&view=full&pageSize=200")
                .json()
                .at("/items"))
        .hasSizeGreaterThan(150);
  }

  @Test
  void longPollsUntilItChanges() {
    Answer lease = create(scene.request(1, "PT1H", ""), "Prefer", "wait=20").hasStatus(201);
    String path = "/leases/" + lease.at("/id");
    Doors vision = scene.vision;
    vision.getWith(path, "If-None-Match", lease.header("ETag")).hasStatus(304);
    java.util.concurrent.CompletableFuture<Answer> waiter =
        java.util.concurrent.CompletableFuture.supplyAsync(
            () -> vision.getWith(path, "If-None-Match", lease.header("ETag"), "Prefer", "wait=30"));
    vision.patch(path, "{\"name\": \"changed\"}").hasStatus(200);
    assertThat(waiter.join().hasStatus(200).at("/name")).isEqualTo("changed");
    release(lease);
  }

  @Test
  void eventsAreReadFromAPositionOn() {
    String position = scene.vision.get("/leases").at("/eventPosition");
    Answer lease = create(scene.request(1, "PT1H", ""), "Prefer", "wait=20").hasStatus(201);
    release(lease);
    List<String> states = new ArrayList<>();
    String at = position;
    while (!states.contains("ENDED")) {
      Answer page =
          scene
              .viewer
              .get("/events?pageSize=1&lease=" + lease.at("/id") + "&after=" + at)
              .hasStatus(200);
      page.json().at("/items").forEach(event -> states.add(event.at("/toState").asString()));
      at = page.at("/eventPosition");
    }
    assertThat(states).startsWith("ALLOCATED").endsWith("ENDED").contains("ACTIVE", "ENDING");
    assertThat(scene.stranger.get("/events?after=" + position).json().at("/items")).isEmpty();
    assertThat(scene.viewer.get("/events").json().at("/items")).isEmpty();
    scene.viewer.get("/events?after=nonsense").hasStatus(400);
    String future = EventPosition.of(java.util.Map.of(scene.pool, 999_999_999L)).encoded();
    scene.viewer.get("/events?after=" + future).isProblem(410, "position-expired");
  }

  /** What made a request legal may be gone when the retry comes; the first answer still stands. */
  @Test
  void aRetryFindsItsAnswerWhenTheRequestHasBecomeStale() {
    Scene small = new Scene(mvc, 1);
    String one = small.request(1, "PT1H", "");
    String batch =
        "{\"leases\": [" + one + "," + one + "," + small.request(1000, "PT1H", "") + "]}";
    Answer first = small.vision.post("/leases", one, "Idempotency-Key", "k").hasStatus(201);
    Answer firstBatch =
        small.vision.post("/leases/batch", batch, "Idempotency-Key", "k").hasStatus(200);
    assertThat(statuses(firstBatch)).containsExactly(201, 201, 409);
    small.endContracts(mvc);
    small.vision.post("/leases", one).faults("/tenant", "no-pool");
    Answer again = small.vision.post("/leases", one, "Idempotency-Key", "k").hasStatus(201);
    assertThat(again.at("/id")).isEqualTo(first.at("/id"));
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    Answer batchAgain =
        small.vision.post("/leases/batch", batch, "Idempotency-Key", "k").hasStatus(200);
    assertThat(statuses(batchAgain)).containsExactly(201, 201, 409);
    assertThat(batchAgain.header("Idempotency-Replayed")).isEqualTo("true");
    for (String pointer :
        List.of("/results/0/lease/id", "/results/1/lease/id", "/results/2/problem/leaseId")) {
      assertThat(batchAgain.at(pointer)).isNotEmpty().isEqualTo(firstBatch.at(pointer));
    }
  }

  private static List<Integer> statuses(Answer batch) {
    return batch.json().at("/results").valueStream().map(r -> r.at("/status").asInt()).toList();
  }

  @Test
  void oneKeyHasOneEffectInABatchToo() {
    Scene small = new Scene(mvc, 1);
    String one = small.request(1, "PT1H", "");
    String batch = "{\"leases\": [" + one + "," + one + "]}";
    Answer first = small.vision.post("/leases/batch", batch, "Idempotency-Key", "k").hasStatus(200);
    Answer again = small.vision.post("/leases/batch", batch, "Idempotency-Key", "k").hasStatus(200);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.at("/results/1/lease/id")).isEqualTo(first.at("/results/1/lease/id"));
    small
        .vision
        .post("/leases/batch", "{\"leases\": [" + one + "]}", "Idempotency-Key", "k")
        .isProblem(422, "key-reused");
    assertThat(small.vision.get("/leases").json().at("/items")).hasSize(2);
  }

  /** E19, E3: whoever loses a race hears a clean 409 or 412, never a 500. */
  @Test
  void racesEndCleanly() throws Exception {
    Answer lease = create(scene.request(1, "PT1H", ""), "Prefer", "wait=20").hasStatus(201);
    String path = "/leases/" + lease.at("/id");
    List<java.util.concurrent.Callable<Answer>> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String name = "{\"name\": \"n" + i + "\"}";
      calls.add(() -> scene.vision.patch(path, name));
      calls.add(() -> scene.vision.patch(path, name, "If-Match", lease.header("ETag")));
      calls.add(() -> scene.vision.post(path + "/extend", "{\"by\": \"PT1M\"}"));
    }
    calls.add(() -> scene.vision.post(path + "/release", ""));
    List<Integer> statuses = new ArrayList<>();
    try (var threads = java.util.concurrent.Executors.newFixedThreadPool(16)) {
      for (var answer : threads.invokeAll(calls)) {
        statuses.add(answer.get().response().getStatus());
      }
    }
    assertThat(statuses).isSubsetOf(200, 409, 412).contains(200, 412);
    assertThat(scene.vision.get(path).at("/state")).isIn("ENDING", "ENDED");
  }

  /** L1: of fifty who want all there is at once, one gets it. */
  @Test
  void oneOfFiftyGetsIt() throws Exception {
    Scene small = new Scene(mvc, 1);
    String all = small.request(8, "PT1H", "\"onShortage\": \"refuse\"");
    List<java.util.concurrent.Callable<Answer>> calls = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      calls.add(() -> small.vision.post("/leases", all));
    }
    List<Integer> statuses = new ArrayList<>();
    try (var threads = java.util.concurrent.Executors.newFixedThreadPool(25)) {
      for (var answer : threads.invokeAll(calls)) {
        statuses.add(answer.get().response().getStatus());
      }
    }
    assertThat(statuses).containsOnly(201, 409).containsOnlyOnce(201);
  }

  /** L22: a filter shows what has the value, never what lacks one. */
  @Test
  void eachFilterShowsOnlyWhatMatches() {
    Scene small = new Scene(mvc, 1);
    Answer active =
        small
            .vision
            .post(
                "/leases",
                small.request(
                    8, "PT1H", "\"owner\": \"alice\", \"labels\": {\"a\": \"1\", \"b\": \"2\"}"),
                "Prefer",
                "wait=20")
            .hasStatus(201);
    Answer waiting = small.vision.post("/leases", small.request(8, "PT1H", "")).hasStatus(202);
    String own = active.at("/id");
    String node = active.at("/allocations/0/nodeId");
    for (String filter :
        List.of(
            "state=ACTIVE",
            "cluster=" + small.cluster,
            "model=h100",
            "model=NVIDIA-H100-80GB-HBM3",
            "nodeId=" + node,
            "owner=alice",
            "label=a:1",
            "label=a:1&label=b:2",
            "label=a:1&label=a:9",
            "id=" + own,
            "id=" + own + "&id=" + UUID.randomUUID(),
            "startBefore=2099-01-01T00:00:00Z",
            "endAfter=2020-01-01T00:00:00Z",
            "tenant=" + small.root + "&state=ACTIVE",
            "serviceClass=batch&state=ACTIVE&pool=" + small.pool,
            "degraded=false&state=ACTIVE",
            "updatedAfter=2020-01-01T00:00:00Z&state=ACTIVE")) {
      assertThat(
              small
                  .vision
                  .get("/leases?" + filter)
                  .hasStatus(200)
                  .json()
                  .at("/items")
                  .valueStream()
                  .map(lease -> lease.at("/id").asString()))
          .as(filter)
          .containsExactly(own);
    }
    for (String filter :
        List.of(
            "cluster=other",
            "model=a100",
            "nodeId=" + UUID.randomUUID(),
            "owner=bob",
            "label=a:2",
            "label=a:1&label=b:3",
            "startBefore=2020-01-01T00:00:00Z",
            "endAfter=2099-01-01T00:00:00Z",
            "updatedAfter=2099-01-01T00:00:00Z",
            "degraded=true",
            "serviceClass=realtime",
            "pool=other",
            "tenant=" + small.nlpTeam)) {
      assertThat(small.vision.get("/leases?" + filter).hasStatus(200).json().at("/items"))
          .as(filter)
          .isEmpty();
    }
    assertThat(waiting.at("/state")).isEqualTo("WAITING");
  }
}
