package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Asking before asking, through the doors of the whole application. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AvailabilityIT {

  @Autowired MockMvc mvc;

  private Scene scene;
  private Instant start;

  /** Two nodes; another team holds one of them over an hour of tomorrow. */
  @BeforeAll
  void scene() {
    scene = new Scene(mvc, 2);
    start = Instant.now().plus(Duration.ofDays(1)).truncatedTo(java.time.temporal.ChronoUnit.HOURS);
    scene
        .nlp
        .post("/leases", scene.request(8, "PT1H", "\"startTime\": \"%s\"".formatted(start)))
        .hasStatus(201);
  }

  private Answer ask(String... shapes) {
    return scene.vision.post(
        "/availability", "{\"shapes\": [%s]}".formatted(String.join(", ", shapes)));
  }

  @Test
  void tellsWhenEachCouldBeHadAndBooksNothing() {
    String later = "\"startTime\": \"%s\"".formatted(start);
    Answer found =
        ask(
                scene.request(8, "PT4H", ""),
                scene.request(9, "PT2H", later),
                scene.request(1000, "PT1H", ""))
            .hasStatus(200);
    assertThat(found.at("/book")).startsWith(scene.pool + ":");
    JsonNode now = found.json().at("/shapes/0");
    assertThat(now.at("/verdict").asString()).isEqualTo("ADMITTED");
    assertThat(Instant.parse(now.at("/firstStartTime").asString()))
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(now.at("/intervals/0/gpus").asInt()).isEqualTo(8);
    assertThat(now.at("/reasons")).isEmpty();
    JsonNode short1 = found.json().at("/shapes/1");
    assertThat(short1.at("/verdict").asString()).isEqualTo("WAITING");
    assertThat(short1.has("firstStartTime")).isFalse();
    assertThat(short1.at("/intervals/0/startTime").asString()).isEqualTo(start.toString());
    assertThat(short1.at("/intervals/0/gpus").asInt()).isEqualTo(8);
    assertThat(short1.at("/reasons/0/code").asString()).isEqualTo("capacity");
    JsonNode never = found.json().at("/shapes/2");
    assertThat(never.at("/verdict").asString()).isEqualTo("REFUSED");
    assertThat(never.at("/refusal").asString()).isEqualTo("never");
    assertThat(scene.vision.get("/leases").json().at("/items")).isEmpty();
    assertThat(found.text()).doesNotContain(scene.nlpTeam);
  }

  @Test
  void namesEveryFaultOfEveryShape() {
    ask("{\"gpu\": {\"count\": 0}, \"duration\": \"PT1H\"}", "{\"duration\": \"PT1H\"}")
        .faults("/shapes/0/gpu/count", "out-of-range");
    ask(scene.request(1, "PT1H", ""), "{\"duration\": \"PT1H\"}")
        .faults("/shapes/1/gpu", "required");
    ask().faults("/shapes", "required");
    ask(java.util.Collections.nCopies(21, scene.request(1, "PT1H", "")).toArray(String[]::new))
        .faults("/shapes", "too-many");
  }

  @Test
  void othersTenantsAreNotAskedFor() {
    scene
        .stranger
        .post(
            "/availability",
            "{\"shapes\": [%s]}"
                .formatted(
                    scene.request(1, "PT1H", "\"tenant\": \"%s\"".formatted(scene.visionTeam))))
        .isProblem(404, "not-found");
    scene
        .operator
        .post(
            "/availability",
            "{\"shapes\": [%s]}"
                .formatted(
                    scene.request(1, "PT1H", "\"tenant\": \"%s\"".formatted(scene.visionTeam))))
        .hasStatus(200);
  }

  @Test
  void theCalendarShowsCountsAndNobody() {
    String end = start.plus(Duration.ofDays(1)).toString();
    Answer shown =
        scene
            .viewer
            .get("/pools/" + scene.pool + "/calendar?model=h100&endTime=" + end)
            .hasStatus(200);
    assertThat(shown.at("/book")).startsWith(scene.pool + ":");
    assertThat(shown.at("/endTime")).isEqualTo(end);
    assertThat(shown.at("/models/0/gpus")).isEqualTo("16");
    JsonNode steps = shown.json().at("/models/0/steps");
    assertThat(steps).hasSize(3);
    assertThat(steps.at("/0/free").asInt()).isEqualTo(16);
    assertThat(steps.at("/1/startTime").asString()).isEqualTo(start.toString());
    assertThat(steps.at("/1/free").asInt()).isEqualTo(8);
    assertThat(steps.at("/1/leased").asInt()).isEqualTo(8);
    assertThat(steps.at("/2/leased").asInt()).isZero();
    assertThat(shown.text()).doesNotContain(scene.nlpTeam).doesNotContain("leaseId");
    scene
        .stranger
        .get("/pools/" + scene.pool + "/calendar?model=none&startTime=yesterday")
        .hasStatus(400);
    scene.viewer.get("/pools/nowhere/calendar").isProblem(404, "not-found");
    scene
        .viewer
        .get("/pools/" + scene.pool + "/calendar?endTime=2020-01-01T00:00:00Z")
        .hasStatus(400);
  }
}
