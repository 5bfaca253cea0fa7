package io.leasehold.lease;

import static io.leasehold.lease.Fleet.NOON;
import static io.leasehold.lease.Fleet.micros;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Ask.Shortage;
import io.leasehold.engine.Ask.When;
import io.leasehold.engine.Level;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Shape.Slice;
import io.leasehold.engine.Span;
import io.leasehold.lease.Translation.Translated;
import io.leasehold.web.JsonFaults;
import io.leasehold.web.Problem;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;

class TranslationTest {

  private static final UUID ID = UUID.fromString("0199f3a2-7c1e-7b52-9d0e-5a1f4c3b2e10");
  private static final long HOUR = 3_600_000_000L;

  private static Translated translate(String json) {
    LeaseRequest sent;
    try {
      sent = Fleet.JSON.readValue(json, LeaseRequest.class);
    } catch (JacksonException malformed) {
      throw JsonFaults.of(malformed);
    }
    String tenant = sent.tenant() == null ? "vision" : sent.tenant();
    return Fleet.translation(NOON).translate(sent, json, tenant, ID, List.of(), "");
  }

  /** A request with one GPU for an hour, and more. */
  private static String with(String more) {
    return "{\"gpu\": {\"count\": 1}, \"duration\": \"PT1H\""
        + (more.isEmpty() ? "" : ", ")
        + more
        + "}";
  }

  private static String withGpu(String gpu) {
    return "{\"gpu\": " + gpu + ", \"duration\": \"PT1H\"}";
  }

  private static List<String> faults(String json) {
    Problem problem = catchThrowableOfType(Problem.class, () -> translate(json));
    assertThat(problem).as("translated without a fault: " + json).isNotNull();
    assertThat(problem.status()).isEqualTo(400);
    return problem.faults().stream().map(fault -> fault.pointer() + " " + fault.code()).toList();
  }

  @Test
  void readsTheFirstExampleOfTheApiPage() {
    Translated read =
        translate(
            """
            { "tenant": "vision", "name": "resnet nightly", "serviceClass": "batch",
              "gpu": { "models": ["h100", "a100"], "count": 8 },
              "duration": "PT4H" }\
            """);
    assertThat(read.pool()).isEqualTo("main");
    assertThat(read.text().name()).isEqualTo("resnet nightly");
    Ask ask = read.ask();
    assertThat(ask.lease()).isEqualTo(ID);
    assertThat(ask.tenant()).isEqualTo("vision");
    assertThat(ask.serviceClass()).isEqualTo("batch");
    assertThat(ask.shape())
        .isEqualTo(
            new Shape(
                List.of("h100", "a100"),
                0,
                0,
                8,
                Slice.WHOLE,
                0,
                0,
                List.of(),
                Shape.Where.ANYWHERE));
    assertThat(ask.when()).isEqualTo(new When.Now(4 * HOUR));
    assertThat(ask.preemptible()).isTrue();
    assertThat(ask.onShortage()).isEqualTo(Shortage.WAIT);
    assertThat(ask.waitUntil()).isEqualTo(micros(NOON) + 7 * 24 * HOUR);
  }

  @Test
  void readsEveryField() {
    Translated read =
        translate(
            """
            { "tenant": "nlp", "pool": "main", "serviceClass": "realtime",
              "gpu": { "models": ["NVIDIA-H100-80GB-HBM3"], "minMemoryMiB": 40000,
                       "groups": 2, "perGroup": 4 },
              "cpuMilli": 16000, "memoryMiB": 64000,
              "topology": [ { "level": "block", "rule": "required" },
                            { "level": "node", "rule": "spread", "atMost": 4 } ],
              "placement": { "clusters": ["k8s-east"], "avoidClusters": [],
                             "avoidNodeIds": ["0199e111-0000-7000-8000-000000000014"],
                             "within": ["eu-1/eu-1a"] },
              "startTime": "2027-03-01T15:00:00.999+01:00", "endTime": "2027-03-01T18:00:00Z",
              "onShortage": "refuse", "maxWait": "PT30M", "preemptible": true,
              "owner": "alice", "labels": { "project": "x" }, "annotations": { "note": "y" },
              "notifyBefore": ["PT15M"], "ifBook": "main:88213" }\
            """);
    assertThat(read.ifBook()).isEqualTo(88213);
    assertThat(read.ask().shape())
        .isEqualTo(
            new Shape(
                List.of("h100"),
                40_000,
                2,
                4,
                Slice.WHOLE,
                16_000,
                64_000,
                List.of(
                    new Shape.Spread(Level.BLOCK, Shape.Spread.Rule.REQUIRED, null),
                    new Shape.Spread(Level.NODE, Shape.Spread.Rule.SPREAD, 4)),
                new Shape.Where(
                    List.of("k8s-east"), List.of(), List.of(Fleet.NODE), List.of("eu-1/eu-1a"))));
    assertThat(read.ask().when())
        .isEqualTo(
            new When.At(new Span(micros("2027-03-01T14:00:00Z"), micros("2027-03-01T18:00:00Z"))));
    assertThat(read.ask().onShortage()).isEqualTo(Shortage.REFUSE);
    assertThat(read.ask().preemptible()).isTrue();
    assertThat(read.ask().waitUntil()).isEqualTo(micros("2027-03-01T12:30:00Z"));
    assertThat(read.text().owner()).isEqualTo("alice");
    assertThat(read.text().labels()).containsEntry("project", "x");
    assertThat(read.text().annotations()).containsEntry("note", "y");
    assertThat(read.text().notifyBefore()).containsExactly("PT15M");
  }

  @Test
  void showsDefaultsAndCanonicalModelsAsEffectiveAndKeepsWhatWasSent() {
    String sent = "{\"gpu\":  {\"models\": [\"h100-sxm\"], \"count\": 1}, \"duration\": \"PT60M\"}";
    Translated read = translate(sent);
    assertThat(read.text().request()).isEqualTo(sent);
    assertThat(Fleet.JSON.readTree(read.text().effective()))
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                { "tenant": "vision", "pool": "main", "serviceClass": "batch",
                  "gpu": { "models": ["NVIDIA-H100-80GB-HBM3"], "count": 1 },
                  "duration": "PT1H", "onShortage": "wait", "preemptible": true }\
                """));
  }

  @Test
  void namesAllFaultsOfABodyAtOnce() {
    assertThat(
            faults(
                """
                { "pool": "elsewhere", "serviceClass": "gold", "gpu": { "models": ["h1000"], "count": 0 },
                  "duration": "P1M", "onShortage": "cry", "labels": { "a b": "c" } }\
                """))
        .containsExactlyInAnyOrder(
            "/pool unknown-pool",
            "/serviceClass unknown-class",
            "/gpu/models/0 unknown-model",
            "/gpu/count out-of-range",
            "/duration malformed",
            "/onShortage unknown-value",
            "/labels/a b malformed");
  }

  @Test
  void tellsWhichModelsExistWhereOneIsUnknown() {
    Problem problem =
        catchThrowableOfType(
            Problem.class, () -> translate(withGpu("{\"models\": [\"h1000\"], \"count\": 1}")));
    assertThat(problem.faults().getFirst().detail())
        .contains("\"h1000\"")
        .contains("a100, h100 (h100-sxm), t4 (tesla-t4)");
  }

  /** E13, E18, S32 and their kind: amounts are whole numbers inside their bounds, or refused. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "{\"count\": -1} | /gpu/count out-of-range",
        "{\"count\": 0} | /gpu/count out-of-range",
        "{\"count\": 100001} | /gpu/count out-of-range",
        "{\"count\": 1000001} | /gpu/count out-of-range",
        "{\"count\": 2147483648} | /gpu/count out-of-range",
        "{\"count\": 0.5} | /gpu/count wrong-value",
        "{\"count\": 1.5} | /gpu/count wrong-value",
        "{\"count\": 99.1} | /gpu/count wrong-value",
        "{\"count\": \"0.5\"} | /gpu/count wrong-type",
        "{\"count\": \"500m\"} | /gpu/count wrong-type",
        "{\"count\": \"1\"} | /gpu/count wrong-type",
        "{\"count\": true} | /gpu/count wrong-type",
        "{} | /gpu/count required",
        "{\"count\": 1, \"groups\": 1, \"perGroup\": 1} | /gpu/count exactly-one",
        "{\"groups\": 2} | /gpu/perGroup required",
        "{\"perGroup\": 2} | /gpu/groups required",
        "{\"groups\": 0, \"perGroup\": 8} | /gpu/groups out-of-range",
        "{\"groups\": 1, \"perGroup\": 65} | /gpu/perGroup out-of-range",
        "{\"groups\": 50000, \"perGroup\": 8} | /gpu/groups out-of-range",
        "{\"count\": 1, \"minMemoryMiB\": 0} | /gpu/minMemoryMiB out-of-range",
        "{\"count\": 1, \"models\": [\"h100\", \"h100-sxm\"]} | /gpu/models/1 duplicate",
        "{\"count\": 1, \"models\": [null]} | /gpu/models/0 unknown-model",
        "{\"count\": 1, \"mig\": \"9g.90gb\"} | /gpu/mig unknown-profile",
        "{\"count\": 1, \"mig\": \"1g.10gb\", \"models\": [\"t4\"]} | /gpu/mig unknown-profile",
        "{\"count\": 1, \"mig\": \"3g.40gb\", \"models\": [\"a100\"]} | /gpu/mig unknown-profile",
        "{\"count\": 1, \"mig\": \"1g.10gb\", \"shareMilli\": 5} | /gpu/shareMilli exactly-one",
        "{\"groups\": 1, \"perGroup\": 1, \"mig\": \"1g.10gb\"} | /gpu/mig not-allowed",
        "{\"groups\": 1, \"perGroup\": 1, \"shareMilli\": 5} | /gpu/shareMilli not-allowed",
        "{\"count\": 1, \"shareMilli\": 0} | /gpu/shareMilli out-of-range",
        "{\"count\": 1, \"shareMilli\": 1000} | /gpu/shareMilli out-of-range",
        "{\"count\": 1, \"minCount\": 2} | /gpu/minCount out-of-range",
      })
  void refusesAmountsAndShapes(String gpu, String fault) {
    assertThat(faults(withGpu(gpu))).containsExactly(fault);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "\"cpuMilli\": 0 | /cpuMilli out-of-range",
        "\"cpuMilli\": -5 | /cpuMilli out-of-range",
        "\"memoryMiB\": 0 | /memoryMiB out-of-range",
        "\"topology\": [{\"level\": \"rack\"}] | /topology/0 required",
        "\"topology\": [{\"level\": \"row\", \"rule\": \"required\"}] | /topology/0/level"
            + " unknown-value",
        "\"topology\": [{\"level\": \"RACK\", \"rule\": \"required\"}] | /topology/0/level"
            + " unknown-value",
        "\"topology\": [{\"level\": \"rack\", \"rule\": \"maybe\"}] | /topology/0/rule"
            + " unknown-value",
        "\"topology\": [{\"level\": \"rack\", \"rule\": \"spread\", \"atMost\": 0}]"
            + " | /topology/0/atMost out-of-range",
        "\"topology\": [{\"level\": \"rack\", \"rule\": \"spread\"}, {\"level\": \"rack\","
            + " \"rule\": \"required\"}] | /topology/1/level duplicate",
        "\"placement\": {\"clusters\": [\"slurm-west\"]} | /placement/clusters/0 unknown-cluster",
        "\"placement\": {\"avoidClusters\": [\"x\"]} | /placement/avoidClusters/0 unknown-cluster",
        "\"placement\": {\"avoidNodeIds\": [\"e-014\"]} | /placement/avoidNodeIds/0 malformed",
        "\"placement\": {\"within\": [\"/eu-1\"]} | /placement/within/0 malformed",
        "\"placement\": {\"within\": [\"a/b/c/d/e/f\"]} | /placement/within/0 malformed",
        "\"serviceClass\": \"gold\" | /serviceClass unknown-class",
        "\"pool\": \"edge\" | /pool unknown-pool",
        "\"tenant\": \"nlp\" | /pool required",
        "\"tenant\": \"lost\" | /tenant no-pool",
        "\"onShortage\": \"WAIT\" | /onShortage unknown-value",
        "\"maxWait\": \"PT0S\" | /maxWait out-of-range",
        "\"maxWait\": \"-PT1H\" | /maxWait malformed",
        "\"preemptible\": false | /preemptible not-allowed",
        "\"preemptible\": \"no\" | /preemptible wrong-type",
        "\"ifBook\": \"88213\" | /ifBook malformed",
        "\"ifBook\": \"edge:5\" | /ifBook other-pool",
        "\"ifBook\": \"main:99999999999999999999\" | /ifBook malformed",
        "\"labels\": {\"\": \"x\"} | /labels/ malformed",
        "\"labels\": {\"a\": null} | /labels/a required",
        "\"labels\": {\"a:b\": \"x\"} | /labels/a:b malformed",
        "\"labels\": {\"a/b/\": \"x\"} | /labels/a~1b~1 malformed",
        "\"labels\": {\"a\": 1} | /labels/a wrong-value",
        "\"notifyBefore\": [\"soon\"] | /notifyBefore/0 malformed",
        "\"name\": \"a\\u0000b\" | /name unsound-text",
        "\"name\": \"\\ud800\" | /name unsound-text",
        "\"reservation\": \"x\" | /reservation malformed",
        "\"contract\": \"x\" | /contract unknown-field",
        "\"preemptionCost\": 1001 | /preemptionCost out-of-range",
        "\"preemptionCost\": -1 | /preemptionCost out-of-range",
        "\"heartbeatTimeout\": \"PT9S\" | /heartbeatTimeout out-of-range",
      })
  void refusesTheRest(String more, String fault) {
    assertThat(faults(with(more))).containsExactly(fault);
  }

  /** E5, E16: keys end at 63 characters, values at 1 KiB, names at 128 characters of any script. */
  @Test
  void boundsTexts() {
    assertThat(faults(with("\"labels\": {\"" + "k".repeat(65) + "\": \"v\"}")))
        .containsExactly("/labels/" + "k".repeat(65) + " malformed");
    assertThat(translate(with("\"labels\": {\"" + "k".repeat(63) + "\": \"v\"}")).text().labels())
        .hasSize(1);
    assertThat(faults(with("\"annotations\": {\"k\": \"" + "é".repeat(512) + "\"}")))
        .containsExactly("/annotations/k too-long");
    assertThat(faults(with("\"name\": \"" + "n".repeat(129) + "\"")))
        .containsExactly("/name too-long");
    assertThat(faults(with("\"owner\": \"" + "n".repeat(129) + "\"")))
        .containsExactly("/owner too-long");
    String smiles = "\ud83d\ude00".repeat(128);
    assertThat(translate(with("\"name\": \"" + smiles + "\"")).text().name()).isEqualTo(smiles);
    StringBuilder labels = new StringBuilder("\"labels\": {");
    for (int i = 0; i < 33; i++) {
      labels.append(i == 0 ? "" : ", ").append("\"k").append(i).append("\": \"\"");
    }
    assertThat(faults(with(labels.append("}").toString()))).containsExactly("/labels too-many");
  }

  /** E22: what Unicode allows is stored as it came. */
  @ParameterizedTest
  @CsvSource({"\u202etxt.exe", "Zürich", "Zu\u0308rich", "\ud83d\ude80"})
  void keepsTextAsItCame(String name) {
    assertThat(translate(with("\"name\": \"" + name + "\"")).text().name()).isEqualTo(name);
  }

  /** L10: a start up to one minute in the past means now, and a given end stays. */
  @Test
  void aStartJustPassedMeansNow() {
    assertThat(when("\"startTime\": \"2027-03-01T11:59:00Z\", \"duration\": \"PT1H\""))
        .isEqualTo(new When.Now(HOUR));
    assertThat(
            when("\"startTime\": \"2027-03-01T11:59:00Z\", \"endTime\": \"2027-03-01T13:00:00Z\""))
        .isEqualTo(new When.NowUntil(micros("2027-03-01T13:00:00Z")));
    assertThat(timeFaults("\"startTime\": \"2027-03-01T11:58:59Z\", \"duration\": \"PT1H\""))
        .containsExactly("/startTime start-in-past");
    assertThat(when("\"startTime\": \"2027-03-01T12:00:00.7Z\", \"duration\": \"PT1H\""))
        .as("fractions of seconds are cut")
        .isEqualTo(new When.Now(HOUR));
  }

  @Test
  void readsTheFormsOfWhen() {
    assertThat(when("\"duration\": \"P1DT1H\"")).isEqualTo(new When.Now(25 * HOUR));
    assertThat(when("\"endTime\": \"2027-03-01T14:00:00Z\""))
        .isEqualTo(new When.NowUntil(micros("2027-03-01T14:00:00Z")));
    assertThat(when("\"startTime\": \"2027-03-01T13:00:00Z\", \"duration\": \"PT1H\""))
        .isEqualTo(
            new When.At(new Span(micros("2027-03-01T13:00:00Z"), micros("2027-03-01T14:00:00Z"))));
    assertThat(
            when(
                "\"window\": {\"earliestStartTime\": \"2027-03-01T13:00:00Z\","
                    + " \"latestEndTime\": \"2027-03-01T18:00:00Z\"}, \"duration\": \"PT1H\""))
        .isEqualTo(
            new When.Within(
                new Span(micros("2027-03-01T13:00:00Z"), micros("2027-03-01T18:00:00Z")), HOUR));
    assertThat(
            when(
                "\"window\": {\"latestEndTime\": \"2027-03-01T18:00:00Z\"}, \"duration\":"
                    + " \"PT1H\""))
        .isEqualTo(new When.Within(new Span(micros(NOON), micros("2027-03-01T18:00:00Z")), HOUR));
  }

  /** L11, E4, E23, E24: each says the field, and nothing was asked of the ledger. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "\"serviceClass\": \"batch\" | /duration required",
        "\"duration\": \"PT1H\", \"endTime\": \"2027-03-01T14:00:00Z\" | /endTime exactly-one",
        "\"duration\": \"PT0S\" | /duration out-of-range",
        "\"duration\": \"PT59S\" | /duration out-of-range",
        "\"duration\": \"P367D\" | /duration out-of-range",
        "\"duration\": \"-PT1H\" | /duration malformed",
        "\"duration\": \"PT-1H\" | /duration malformed",
        "\"duration\": \"P1Y\" | /duration malformed",
        "\"duration\": \"P1M\" | /duration malformed",
        "\"duration\": \"P1W\" | /duration malformed",
        "\"duration\": \"PT1.5H\" | /duration malformed",
        "\"duration\": \"PT\" | /duration malformed",
        "\"duration\": \"\" | /duration malformed",
        "\"duration\": \"P999999999D\" | /duration malformed",
        "\"duration\": 3600 | /duration wrong-value",
        "\"startTime\": \"2027-03-01T15:00:00Z\", \"endTime\": \"2027-03-01T14:00:00Z\" | /endTime"
            + " end-before-start",
        "\"startTime\": \"2027-03-01T15:00:00Z\", \"endTime\": \"2027-03-01T15:00:00Z\" | /endTime"
            + " end-before-start",
        "\"startTime\": \"2027-03-01T15:00:00Z\", \"endTime\": \"2027-03-01T15:00:30Z\" | /endTime"
            + " out-of-range",
        "\"startTime\": \"2027-03-01T15:00:00Z\", \"endTime\": \"2028-03-05T15:00:00Z\" | /endTime"
            + " out-of-range",
        "\"endTime\": \"2027-03-01T11:00:00Z\" | /endTime end-in-past",
        "\"endTime\": \"2027-03-01T12:00:00Z\" | /endTime end-in-past",
        "\"startTime\": \"tomorrow\", \"duration\": \"PT1H\" | /startTime malformed",
        "\"startTime\": \"2027-02-30T00:00:00Z\", \"duration\": \"PT1H\" | /startTime malformed",
        "\"startTime\": \"2027-03-01T15:00:00\", \"duration\": \"PT1H\" | /startTime malformed",
        "\"startTime\": \"2027-03-01\", \"duration\": \"PT1H\" | /startTime malformed",
        "\"startTime\": \"0001-01-01T00:00:00Z\", \"duration\": \"PT1H\" | /startTime malformed",
        "\"startTime\": \"+1000000-01-01T00:00:00Z\", \"duration\": \"PT1H\" | /startTime"
            + " malformed",
        "\"startTime\": \"-1000000000-01-01T00:00:00Z\", \"duration\": \"PT1H\" | /startTime"
            + " malformed",
        "\"startTime\": \"9999-01-01T00:00:00Z\", \"duration\": \"PT1H\" | /startTime malformed",
        "\"startTime\": \"2199-01-01T00:00:00Z\", \"duration\": \"PT1H\" | /startTime out-of-range",
        "\"window\": {}, \"duration\": \"PT1H\" | /window/latestEndTime required",
        "\"window\": {\"latestEndTime\": \"2027-03-01T18:00:00Z\"} | /duration required",
        "\"window\": {\"latestEndTime\": \"2027-03-01T12:30:00Z\"}, \"duration\": \"PT1H\" |"
            + " /window window-too-short",
        "\"window\": {\"latestEndTime\": \"2027-03-01T18:00:00Z\"}, \"duration\": \"PT1H\","
            + " \"startTime\": \"2027-03-01T13:00:00Z\" | /window exactly-one",
        "\"window\": {\"earliestStartTime\": \"2027-03-01T11:00:00Z\","
            + " \"latestEndTime\": \"2027-03-01T18:00:00Z\"}, \"duration\": \"PT1H\""
            + " | /window/earliestStartTime start-in-past",
      })
  void refusesTimes(String times, String fault) {
    assertThat(timeFaults(times)).contains(fault);
  }

  /** E24: a leap day is a day like others. */
  @Test
  void aLeapDayIsADay() {
    assertThat(when("\"startTime\": \"2028-02-29T00:00:00Z\", \"duration\": \"P1D\""))
        .isEqualTo(
            new When.At(new Span(micros("2028-02-29T00:00:00Z"), micros("2028-03-01T00:00:00Z"))));
  }

  @Test
  void waitsByDefaultUntilTheLatestPossibleStart() {
    assertThat(waitUntil("\"duration\": \"PT1H\"")).isEqualTo(micros(NOON) + 7 * 24 * HOUR);
    assertThat(waitUntil("\"startTime\": \"2027-03-01T13:00:00Z\", \"duration\": \"PT1H\""))
        .isEqualTo(micros("2027-03-01T13:00:00Z"));
    assertThat(
            waitUntil(
                "\"window\": {\"latestEndTime\": \"2027-03-01T18:00:00Z\"}, \"duration\":"
                    + " \"PT1H\""))
        .isEqualTo(micros("2027-03-01T17:00:00Z"));
  }

  /** S63: every optional field may be missing, null, or empty where it is a list or an object. */
  @Test
  void nullAndEmptyMeanAbsent() {
    Translated read =
        translate(
            """
            { "tenant": null, "pool": null, "name": null, "gpu": { "models": [], "count": 1,
              "groups": null, "mig": null }, "topology": [], "placement": {}, "duration": "PT1H",
              "labels": {}, "annotations": null, "notifyBefore": [], "startTime": null }\
            """);
    assertThat(read.ask().shape().models()).isEmpty();
    assertThat(read.ask().shape().where()).isEqualTo(Shape.Where.ANYWHERE);
    assertThat(read.text().effective()).doesNotContain("null", "[]", "{}");
  }

  @Test
  void onlyWhoIsNeverPreemptedMayOfferToBe() {
    assertThat(translate(with("\"serviceClass\": \"realtime\"")).ask().preemptible()).isFalse();
    assertThat(
            translate(with("\"serviceClass\": \"realtime\", \"preemptible\": true"))
                .ask()
                .preemptible())
        .isTrue();
  }

  private static String timed(String times) {
    return "{\"gpu\": {\"count\": 1}, " + times + "}";
  }

  private static When when(String times) {
    return translate(timed(times)).ask().when();
  }

  private static long waitUntil(String times) {
    return translate(timed(times)).ask().waitUntil();
  }

  private static List<String> timeFaults(String times) {
    return faults(timed(times));
  }
}
