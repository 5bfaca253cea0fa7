package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** A reservation through its doors, on the whole application. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReservationDoorsIT {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Autowired MockMvc mvc;
  @Autowired SeriesUpkeep upkeep;

  private Scene scene;

  /** Of two nodes the team has one guaranteed. */
  @BeforeAll
  void scene() {
    scene = new Scene(mvc, 2);
  }

  private static Instant inHours(long hours) {
    return Instant.now().plus(Duration.ofHours(hours)).truncatedTo(ChronoUnit.SECONDS);
  }

  private Answer reserve(String body, String... headers) {
    return scene.vision.post("/reservations", body, headers);
  }

  private String body(int count, Instant start, String duration, String more) {
    return """
    {"gpu": {"models": ["h100"], "count": %s}, "startTime": "%s", "duration": "%s"%s}\
    """
        .formatted(count, start, duration, more.isEmpty() ? "" : ", " + more);
  }

  private void cancel(Answer reservation) {
    scene.vision.post("/reservations/" + reservation.at("/id") + "/cancel", "").hasStatus(200);
  }

  @Test
  void setsAsideShowsAndTakesBack() {
    Instant start = inHours(24);
    Answer made = reserve(body(8, start, "PT8H", "")).hasStatus(201);
    assertThat(made.at("/tenant")).isEqualTo(scene.visionTeam);
    assertThat(made.at("/state")).isEqualTo("OPEN");
    assertThat(made.at("/occurrences/0/state")).isEqualTo("BOOKED");
    assertThat(made.header("Location")).isEqualTo("/api/v1/reservations/" + made.at("/id"));
    Answer read = scene.viewer.get("/reservations/" + made.at("/id")).hasStatus(200);
    assertThat(read.header("ETag")).isEqualTo("\"1\"");
    JsonNode times =
        scene.viewer.get("/reservations/" + made.at("/id") + "/occurrences").hasStatus(200).json();
    assertThat(times.at("/items")).hasSize(1);
    assertThat(times.at("/items/0/originalStartTime").asString()).isEqualTo(start.toString());
    assertThat(times.at("/items/0/allocations/0/gpus")).hasSize(8);
    scene.stranger.get("/reservations/" + made.at("/id")).hasStatus(404);
    scene.viewer.post("/reservations/" + made.at("/id") + "/cancel", "").hasStatus(403);
    cancel(made);
    cancel(made);
    assertThat(scene.vision.get("/reservations/" + made.at("/id")).at("/state"))
        .isEqualTo("CANCELLED");
  }

  @Test
  void refusesASeriesWithTheInstantsThatDoNotFit() {
    Instant start = inHours(48);
    Answer lease =
        scene.nlp.post(
            "/leases",
            scene.request(12, "PT2H", "\"startTime\": \"" + start.plus(Duration.ofDays(2)) + "\""));
    lease.hasStatus(201);
    String daily = "\"recurrence\": {\"rrule\": \"FREQ=DAILY;COUNT=5\", \"zone\": \"UTC\"}";
    Answer refused = reserve(body(8, start, "PT1H", daily)).isProblem(409, "refused-shortage");
    assertThat(refused.json().at("/decision/reasons")).hasSize(1);
    assertThat(refused.at("/decision/reasons/0/name"))
        .isEqualTo(start.plus(Duration.ofDays(2)).toString());
    JsonNode fewer =
        refused
            .json()
            .at("/decision/alternatives")
            .valueStream()
            .filter(each -> each.at("/kind").asString().equals("fewer-gpus"))
            .findFirst()
            .orElseThrow();
    assertThat(fewer.at("/request/gpu/count").asInt()).isEqualTo(4);
    Answer made = reserve(fewer.at("/request").toString()).hasStatus(201);
    cancel(made);
    scene.nlp.post("/leases/" + lease.at("/id") + "/release", "").hasStatus(200);
  }

  @Test
  void leasesDrawOnIt() {
    Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Answer made = reserve(body(8, start, "PT1H", "")).hasStatus(201);
    String draws = "\"reservation\": \"" + made.at("/id") + "\"";
    Answer lease =
        scene
            .vision
            .post("/leases", scene.request(8, "PT50M", draws), "Prefer", "wait=20")
            .hasStatus(201);
    assertThat(lease.at("/state")).isEqualTo("ACTIVE");
    assertThat(lease.at("/reservation")).isEqualTo(made.at("/id"));
    Answer listed = scene.vision.get("/leases?reservation=" + made.at("/id")).hasStatus(200);
    assertThat(listed.json().at("/items")).hasSize(1);
    scene
        .nlp
        .post("/leases", scene.request(9, "PT30M", "\"onShortage\": \"refuse\""))
        .isProblem(409, "refused-shortage");
    scene.vision.post("/reservations/" + made.at("/id") + "/cancel", "").isProblem(409, "in-use");
    scene.nlp.post("/leases", scene.request(1, "PT30M", draws)).hasStatus(404);
    scene.vision.post("/leases/" + lease.at("/id") + "/release", "").hasStatus(200);
    cancel(made);
  }

  /** L8, L9, E8: over the next change of the clocks, with the year's real rules. */
  @Test
  void aSeriesKeepsItsLocalTimeOverAClockChange() {
    Instant change = BERLIN.getRules().nextTransition(Instant.now()).getInstant();
    ZonedDateTime first =
        change
            .atZone(BERLIN)
            .minusWeeks(2)
            .with(TemporalAdjusters.next(DayOfWeek.MONDAY))
            .toLocalDate()
            .atTime(9, 0)
            .atZone(BERLIN);
    first = first.toInstant().isBefore(Instant.now()) ? first.plusWeeks(1) : first;
    Answer made =
        reserve(
                body(
                    8,
                    first.toInstant(),
                    "PT1H",
                    "\"recurrence\": {\"rrule\": \"FREQ=WEEKLY;BYDAY=MO;COUNT=6\","
                        + " \"zone\": \"Europe/Berlin\"}"))
            .hasStatus(201);
    JsonNode times =
        scene.vision.get("/reservations/" + made.at("/id") + "/occurrences").json().at("/items");
    assertThat(times).hasSize(6);
    times.forEach(
        each ->
            assertThat(Instant.parse(each.at("/startTime").asString()).atZone(BERLIN).toLocalTime())
                .isEqualTo(java.time.LocalTime.of(9, 0)));
    Instant last = Instant.parse(times.get(5).at("/startTime").asString());
    assertThat(Duration.between(first.toInstant(), last)).isNotEqualTo(Duration.ofDays(35));
    String within = "\"onShortage\": \"refuse\", \"startTime\": \"%s\"";
    scene
        .nlp
        .post("/leases", scene.request(16, "PT30M", within.formatted(last.plusSeconds(1800))))
        .isProblem(409, "refused-shortage");
    Answer after =
        scene
            .nlp
            .post("/leases", scene.request(16, "PT30M", within.formatted(last.plusSeconds(3600))))
            .hasStatus(201);
    scene.nlp.post("/leases/" + after.at("/id") + "/release", "").hasStatus(200);
    cancel(made);
  }

  @Test
  void oneTimeChangesAndTheOthersStay() {
    Instant start = inHours(24 * 30);
    String daily = "\"recurrence\": {\"rrule\": \"FREQ=DAILY;COUNT=3\", \"zone\": \"UTC\"}";
    Answer made = reserve(body(8, start, "PT8H", daily)).hasStatus(201);
    String path = "/reservations/" + made.at("/id") + "/occurrences/";
    Instant second = start.plus(Duration.ofDays(1));
    Answer before = scene.vision.get(path + second).hasStatus(200);
    Answer changed =
        scene
            .vision
            .patch(
                path + second,
                "{\"startTime\": \"%s\", \"duration\": \"PT2H\", \"gpu\": {\"models\": [\"h100\"], \"count\": 4}}"
                    .formatted(second.plusSeconds(3600)),
                "If-Match",
                before.header("ETag"))
            .hasStatus(200);
    assertThat(changed.at("/startTime")).isEqualTo(second.plusSeconds(3600).toString());
    assertThat(changed.at("/originalStartTime")).isEqualTo(second.toString());
    assertThat(changed.at("/gpuCount")).isEqualTo("4");
    scene
        .vision
        .patch(path + second, "{\"duration\": \"PT3H\"}", "If-Match", before.header("ETag"))
        .hasStatus(412);
    scene.vision.post(path + second.plus(Duration.ofDays(1)) + "/cancel", "").hasStatus(200);
    JsonNode times = scene.vision.get(path.substring(0, path.length() - 1)).json().at("/items");
    assertThat(times.valueStream().map(each -> each.at("/state").asString()))
        .containsExactly("BOOKED", "BOOKED", "CANCELLED");
    assertThat(times.get(0).at("/gpuCount").asInt()).isEqualTo(8);
    cancel(made);
  }

  @Test
  void timesComeIntoSightAsTimeGoesOn() {
    Instant start = inHours(24 * 300);
    String weekly = "\"recurrence\": {\"rrule\": \"FREQ=WEEKLY\", \"zone\": \"UTC\"}";
    Answer made = reserve(body(1, start, "PT1H", weekly)).hasStatus(201);
    String path = "/reservations/" + made.at("/id") + "/occurrences?pageSize=200";
    int before = scene.vision.get(path).json().at("/items").size();
    Instant later = Instant.now().plus(ReservationReader.HORIZON).plus(Duration.ofDays(70));
    upkeep.makeUntil(later);
    upkeep.makeUntil(later);
    JsonNode times = scene.vision.get(path).json().at("/items");
    assertThat(times.size()).isEqualTo(before + 10);
    times.forEach(each -> assertThat(each.at("/state").asString()).isEqualTo("BOOKED"));
    cancel(made);
  }

  @Test
  void aRepeatedKeyMakesOneReservation() {
    String body = body(2, inHours(24 * 40), "PT1H", "");
    Answer made = reserve(body, "Idempotency-Key", "reserve-once").hasStatus(201);
    Answer again = reserve(body, "Idempotency-Key", "reserve-once").hasStatus(201);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.at("/id")).isEqualTo(made.at("/id"));
    cancel(made);
  }

  /** What would be refused by now was answered before: a start that has passed, no contract. */
  @Test
  void aRetryIsAnsweredTheSameWhateverHasPassedSince() {
    Scene other = new Scene(mvc, 2);
    String body = body(2, inHours(24), "PT1H", "");
    Answer made = other.vision.post("/reservations", body, "Idempotency-Key", "r").hasStatus(201);
    String tooMany = body(9, inHours(24), "PT1H", "");
    other
        .vision
        .post("/reservations", tooMany, "Idempotency-Key", "no")
        .isProblem(409, "refused-never");
    other.endContracts(mvc);
    Answer again = other.vision.post("/reservations", body, "Idempotency-Key", "r").hasStatus(201);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.at("/id")).isEqualTo(made.at("/id"));
    Answer refused = other.vision.post("/reservations", tooMany, "Idempotency-Key", "no");
    assertThat(refused.isProblem(409, "refused-never").header("Idempotency-Replayed"))
        .isEqualTo("true");
    other.vision.post("/reservations", body).faults("/tenant", "no-pool");
  }

  @Test
  void aRepeatedCancelIsAnsweredTheSameAtTheRevisionItWasSentFor() {
    Answer made = reserve(body(1, inHours(24 * 60), "PT1H", "")).hasStatus(201);
    String path = "/reservations/" + made.at("/id");
    String time = path + "/occurrences/" + made.at("/occurrences/0/originalStartTime");
    String[] once = {"Idempotency-Key", "cancel-" + made.at("/id"), "If-Match", "\"1\""};
    for (String each : List.of(time, path)) {
      scene.vision.post(each + "/cancel", "", once).hasStatus(200);
      Answer again = scene.vision.post(each + "/cancel", "", once).hasStatus(200);
      assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
      assertThat(again.at("/state")).isEqualTo("CANCELLED");
    }
  }

  @Test
  void whoMaySeeAReservationFollowsIt() {
    String position = scene.vision.get("/leases").at("/eventPosition");
    Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    String lent = "\"lend\": true";
    Answer made = reserve(body(4, start, "PT1H", lent)).hasStatus(201);
    Answer draws =
        scene
            .vision
            .post(
                "/leases", scene.request(1, "PT5M", "\"reservation\": \"" + made.at("/id") + "\""))
            .hasStatus(201);
    Answer borrower = scene.nlp.post("/leases", scene.request(14, "PT5M", "")).hasStatus(201);
    Answer occurrences = scene.vision.get("/reservations/" + made.at("/id") + "/occurrences");
    assertThat(occurrences.json().at("/items/0/lent").asBoolean()).isTrue();
    scene.nlp.post("/leases/" + borrower.at("/id") + "/release", "").hasStatus(200);
    scene.vision.post("/leases/" + draws.at("/id") + "/release", "").hasStatus(200);
    cancel(made);
    String only = "/events?after=" + position + "&reservation=" + made.at("/id");
    List<String> causes = new ArrayList<>();
    JsonNode items = scene.vision.get(only).hasStatus(200).json().at("/items");
    items.forEach(
        each -> {
          causes.add(each.at("/cause").asString());
          assertThat(each.at("/reservation").asString()).isEqualTo(made.at("/id"));
          assertThat(each.at("/originalStartTime").asString()).isEqualTo(start.toString());
          assertThat(each.has("leaseId")).isFalse();
          assertThat(each.at("/tenant").asString()).isEqualTo(scene.visionTeam);
        });
    assertThat(causes).startsWith("reserved", "started", "lent");
    assertThat(items.get(items.size() - 1).at("/toState").asString()).isEqualTo("CANCELLED");
    assertThat(scene.nlp.get(only).json().at("/items")).as("nothing of another's").isEmpty();
    scene
        .nlp
        .get("/events?after=" + position)
        .json()
        .at("/items")
        .forEach(each -> assertThat(each.has("reservation")).isFalse());
    Answer ofLease = scene.vision.get("/events?after=" + position + "&lease=" + draws.at("/id"));
    ofLease.json().at("/items").forEach(each -> assertThat(each.has("reservation")).isFalse());
    assertThat(ofLease.json().at("/items")).isNotEmpty();
  }

  @Test
  void aDryRunStoresNothing() {
    Answer dry =
        scene
            .vision
            .post("/reservations?dryRun=true", body(8, inHours(24 * 50), "PT1H", ""))
            .hasStatus(200);
    assertThat(dry.json().has("id")).isFalse();
    assertThat(dry.json().at("/occurrences")).hasSize(1);
    scene
        .vision
        .get("/reservations?pageSize=200")
        .json()
        .at("/items")
        .forEach(each -> assertThat(each.at("/state").asString()).isNotEqualTo(""));
  }

  @Test
  void namesEachFault() {
    reserve("{\"gpu\": {\"count\": 8}}").faults("/duration", "required");
    String zone = "\"recurrence\": {\"rrule\": \"FREQ=DAILY\", \"zone\": \"Mars/Olympus\"}";
    reserve(body(8, inHours(1), "PT1H", zone)).faults("/recurrence/zone", "unknown-zone");
    String rule = "\"recurrence\": {\"rrule\": \"FREQ=HOURLY\", \"zone\": \"UTC\"}";
    reserve(body(8, inHours(1), "PT1H", rule)).faults("/recurrence/rrule", "unusable-rule");
    String overlapping = "\"recurrence\": {\"rrule\": \"FREQ=DAILY\", \"zone\": \"UTC\"}";
    reserve(body(8, inHours(1), "P2D", overlapping)).faults("/duration", "overlaps");
    reserve(body(8, Instant.now().minusSeconds(3600), "PT1H", ""))
        .faults("/startTime", "start-in-past");
    reserve(
            "{\"gpu\": {\"count\": 1, \"shareMilli\": 500}, \"startTime\": \"%s\","
                    .formatted(inHours(1))
                + " \"duration\": \"PT1H\"}")
        .faults("/gpu/shareMilli", "not-allowed");
  }
}
