package io.leasehold.lease;

import static io.leasehold.lease.Fleet.NOON;
import static io.leasehold.lease.Fleet.micros;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Answer;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Ask.Shortage;
import io.leasehold.engine.Ask.When;
import io.leasehold.engine.Booking;
import io.leasehold.engine.Health;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Mode;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.engine.Units;
import io.leasehold.engine.Verdict;
import io.leasehold.lease.LeaseRendering.View;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.LeaseRecord;
import io.leasehold.ledger.LeaseText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class LeaseRenderingTest {

  private static final UUID ID = UUID.fromString("0199f3a2-7c1e-7b52-9d0e-5a1f4c3b2e10");
  private static final UUID OWN = UUID.fromString("0199f3a2-0000-7000-8000-000000000001");
  private static final UUID FOREIGN = UUID.fromString("0199f3a2-0000-7000-8000-000000000002");
  private static final long HOUR = 3_600_000_000L;
  private static final Span WINDOW = new Span(micros(NOON) + 250_000, micros(NOON) + HOUR);
  private static final Sight OF_VISION = "vision"::equals;

  private static final Ask ASK =
      new Ask(
          ID,
          "vision",
          "batch",
          new Shape(
              List.of("h100"), 0, 0, 2, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE),
          new When.Now(HOUR),
          true,
          Shortage.WAIT,
          micros(NOON) + HOUR,
          List.of());

  private static Booking.Slot slot(Mode mode, Units units, Booking.Instance... instances) {
    return new Booking.Slot(0, Fleet.NODE, mode, units, List.of(instances), 0, 0);
  }

  private static Lease lease(LeaseState state, Booking.Slot... slots) {
    boolean booked = slots.length > 0;
    return new Lease(
        ASK,
        7,
        4,
        state.hasPossession() || state == LeaseState.ENDED ? 1 : 0,
        state,
        WINDOW,
        booked ? new Booking("k8s-east", "h100", WINDOW, List.of(slots)) : null,
        null,
        null,
        micros(NOON),
        state == LeaseState.ACTIVE ? Long.valueOf(micros(NOON) + 9_000_000) : null,
        null,
        state == LeaseState.ACTIVE,
        false,
        null,
        null,
        false,
        0,
        null);
  }

  private static LeaseRecord stored(Lease lease, Answer answer) {
    return new LeaseRecord(
        "main",
        lease,
        new LeaseText(
            "resnet",
            null,
            Map.of("project", "x"),
            Map.of(),
            List.of(),
            "{ \"sent\":  1.0 }",
            "{\"tenant\": \"vision\", \"name\": \"resnet\"}"),
        answer,
        88213,
        new Actor(new UUID(1, 1), "api-key", "ci-train"),
        micros(NOON) + 9_400_000);
  }

  private static Answer answer(Verdict verdict) {
    return new Answer(verdict, null, micros(NOON), null, false, List.of(), List.of(), List.of());
  }

  private static JsonNode shown(LeaseRecord stored, View view, Health... healths) {
    LeaseRendering rendering =
        new LeaseRendering(
            id -> Optional.of(Fleet.node(healths)).filter(node -> node.id().equals(id)),
            Fleet::model,
            id -> Optional.of(id.equals(OWN) ? "vision" : "search"),
            Fleet.JSON);
    return Fleet.JSON.readTree(
        Fleet.JSON.writeValueAsString(rendering.of(stored, view, OF_VISION)));
  }

  @Test
  void showsALeaseWithTheNamesOfThePage() {
    Lease lease = lease(LeaseState.ACTIVE, slot(Mode.WHOLE, Units.ofGpus(0b101)));
    JsonNode shown =
        shown(
            stored(lease, answer(Verdict.ADMITTED)),
            View.FULL,
            Health.OK,
            Health.OK,
            Health.SUSPECT);
    assertThat(shown)
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                { "id": "0199f3a2-7c1e-7b52-9d0e-5a1f4c3b2e10", "tenant": "vision", "pool": "main",
                  "cluster": "k8s-east", "name": "resnet", "serviceClass": "batch",
                  "createTime": "2027-03-01T12:00:00Z", "updateTime": "2027-03-01T12:00:09Z",
                  "createdBy": { "kind": "api-key", "name": "ci-train" },
                  "labels": { "project": "x" }, "revision": 4, "generation": 1, "state": "ACTIVE",
                  "degraded": false, "gpuCount": 2, "preemptible": true,
                  "startTime": "2027-03-01T12:00:00Z", "endTime": "2027-03-01T13:00:00Z",
                  "activeTime": "2027-03-01T12:00:09Z",
                  "request": { "sent": 1.0 },
                  "effective": { "tenant": "vision", "name": "resnet" },
                  "allocations": [ { "group": 0, "node": "e-014",
                    "nodeId": "0199e111-0000-7000-8000-000000000014",
                    "domain": "eu-1/eu-1a/b3/r7//e-014", "model": "NVIDIA-H100-80GB-HBM3",
                    "binding": "FINAL", "health": "SUSPECT",
                    "gpus": [ { "index": 0, "uuid": "GPU-0" }, { "index": 2, "uuid": "GPU-2" } ] } ],
                  "decision": { "verdict": "ADMITTED", "decidedTime": "2027-03-01T12:00:00Z",
                    "book": "main:88213" },
                  "publishing": { "state": "USABLE", "generation": 1,
                    "updateTime": "2027-03-01T12:00:09Z" },
                  "access": { "adapter": "simulated", "mode": "simulated", "usable": true } }\
                """));
  }

  @Test
  void aBasicViewLeavesOutTheLargeParts() {
    Lease lease = lease(LeaseState.ACTIVE, slot(Mode.WHOLE, Units.ofGpus(1)));
    JsonNode shown = shown(stored(lease, answer(Verdict.ADMITTED)), View.BASIC, Health.OK);
    assertThat(shown.propertyNames())
        .doesNotContain("request", "effective", "allocations", "decision", "annotations")
        .contains("id", "state", "labels", "revision");
  }

  @Test
  void aDryRunHasNoIdAndIsOnlyRequested() {
    Lease lease = lease(LeaseState.ALLOCATED, slot(Mode.WHOLE, Units.ofGpus(1)));
    JsonNode shown = shown(stored(lease, answer(Verdict.ADMITTED)), View.DRY_RUN, Health.OK);
    assertThat(shown.propertyNames())
        .doesNotContain("id", "revision", "generation", "createTime", "publishing", "access")
        .contains("allocations", "decision");
    assertThat(shown.get("state").stringValue()).isEqualTo("REQUESTED");
  }

  @Test
  void showsInstancesWithTheirSlicesAndUnits() {
    Lease lease =
        lease(
            LeaseState.PLANNED,
            slot(Mode.MIG, Units.of(2500, 2625), new Booking.Instance(2, "1g.10gb", 4, 1)));
    JsonNode shown =
        shown(stored(lease, answer(Verdict.PLANNED)), View.FULL, Health.OK, Health.OK, Health.OK);
    JsonNode allocation = shown.get("allocations").get(0);
    assertThat(allocation.get("binding").stringValue()).isEqualTo("TENTATIVE");
    assertThat(allocation.get("gpus").get(0))
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                { "index": 2, "uuid": "GPU-2", "mig": { "profile": "1g.10gb", "start": 4, "size": 1 },
                  "units": [ { "start": 500, "end": 625 } ] }\
                """));
  }

  @Test
  void showsFractionsAsUnitsOfTheirGpu() {
    Lease lease =
        lease(LeaseState.ACTIVE, slot(Mode.SHARED, Units.of(100, 300, 400, 660, 1000, 1460)));
    JsonNode gpus =
        shown(stored(lease, answer(Verdict.ADMITTED)), View.FULL, Health.OK, Health.OK)
            .get("allocations")
            .get(0)
            .get("gpus");
    assertThat(gpus)
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                [ { "index": 0, "uuid": "GPU-0",
                    "units": [ { "start": 100, "end": 300 }, { "start": 400, "end": 660 } ] },
                  { "index": 1, "uuid": "GPU-1", "units": [ { "start": 0, "end": 460 } ] } ]\
                """));
  }

  /** L23, E7: every node of a lease is listed, each device once. */
  @Test
  void listsEveryNode() {
    Booking.Slot[] slots = new Booking.Slot[3];
    for (int i = 0; i < 3; i++) {
      slots[i] =
          new Booking.Slot(i, new UUID(0, i + 1), Mode.WHOLE, Units.ofGpus(0xff), List.of(), 0, 0);
    }
    JsonNode shown =
        shown(stored(lease(LeaseState.ACTIVE, slots), answer(Verdict.ADMITTED)), View.FULL);
    assertThat(shown.get("allocations")).hasSize(3);
    assertThat(shown.get("allocations").valueStream().map(each -> each.get("nodeId").stringValue()))
        .doesNotHaveDuplicates();
    assertThat(shown.get("allocations").valueStream().map(each -> each.get("gpus").size()))
        .containsOnly(8);
  }

  @ParameterizedTest
  @CsvSource({
    "WAITING,",
    "PLANNED,",
    "ALLOCATED, ORDERED",
    "PUBLISHING, PUBLISHED",
    "ACTIVE, USABLE",
    "ENDING, WITHDRAWING",
    "ENDED, WITHDRAWN",
    "REFUSED,",
    "CANCELLED,",
  })
  void tellsHowFarTheClusterHasCome(LeaseState state, String publishing) {
    JsonNode shown = shown(stored(lease(state), answer(Verdict.ADMITTED)), View.BASIC);
    assertThat(shown.path("publishing").path("state").asString(null)).isEqualTo(publishing);
  }

  @Test
  void showsOfOthersOnlyAnAmountAndATimeRoundedUp() {
    Answer blocked =
        new Answer(
            Verdict.WAITING,
            null,
            micros(NOON),
            micros(NOON) + 2 * HOUR,
            true,
            List.of(new Answer.Reason("capacity", "8 are free", "pool", "", 16L, 24L, 32L, "gpu")),
            List.of(
                new Answer.Blocker(OWN, "vision", 8_000, micros("2027-03-01T13:07:00Z")),
                new Answer.Blocker(FOREIGN, "search", 1_500, micros("2027-03-01T13:07:00Z")),
                new Answer.Blocker(FOREIGN, "search", 1_000, micros("2027-03-01T13:15:00Z")),
                new Answer.Blocker(FOREIGN, "search", 1_000, Span.FOREVER)),
            List.of());
    JsonNode decision =
        shown(stored(lease(LeaseState.WAITING), blocked), View.FULL).get("decision");
    assertThat(decision)
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                { "verdict": "WAITING", "decidedTime": "2027-03-01T12:00:00Z", "book": "main:88213",
                  "expectedStartTime": "2027-03-01T14:00:00Z",
                  "reasons": [ { "code": "capacity", "detail": "8 are free", "scope": "pool",
                    "name": "main", "need": 16, "used": 24, "limit": 32, "unit": "gpu" } ],
                  "blockedBy": [
                    { "kind": "lease", "own": true, "gpus": 8,
                      "leaseId": "0199f3a2-0000-7000-8000-000000000001",
                      "untilTime": "2027-03-01T13:07:00Z" },
                    { "kind": "lease", "own": false, "gpus": 2, "untilTime": "2027-03-01T13:15:00Z" },
                    { "kind": "lease", "own": false, "gpus": 1, "untilTime": "2027-03-01T13:15:00Z" },
                    { "kind": "lease", "own": false, "gpus": 1 } ] }\
                """));
  }

  @Test
  void anAlternativeCarriesARequestThatCanBeSent() {
    Ask fewer =
        new Ask(
            ID,
            "vision",
            "batch",
            new Shape(
                List.of("h100"), 0, 0, 1, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE),
            new When.Now(HOUR),
            true,
            Shortage.WAIT,
            0,
            List.of());
    Answer answer =
        new Answer(
            Verdict.REFUSED,
            Answer.Refusal.SHORTAGE,
            micros(NOON),
            null,
            false,
            List.of(),
            List.of(),
            List.of(new Answer.Alternative("fewer-gpus", micros(NOON), fewer)));
    JsonNode alternative =
        shown(stored(lease(LeaseState.REFUSED), answer), View.FULL)
            .get("decision")
            .get("alternatives")
            .get(0);
    assertThat(alternative.get("kind").stringValue()).isEqualTo("fewer-gpus");
    assertThat(alternative.get("request"))
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                { "tenant": "vision", "pool": "main", "name": "resnet", "serviceClass": "batch",
                  "gpu": { "models": ["NVIDIA-H100-80GB-HBM3"], "count": 1 },
                  "duration": "PT1H", "onShortage": "wait", "preemptible": true }\
                """));
  }

  @Test
  void namesTheLeaseThatDelaysAStartOnlyIfItIsOwn() {
    assertThat(
            shown(stored(delayedBy(OWN), answer(Verdict.PLANNED)), View.FULL)
                .get("delayedBy")
                .stringValue())
        .isEqualTo(OWN.toString());
    assertThat(
            shown(stored(delayedBy(FOREIGN), answer(Verdict.PLANNED)), View.FULL).propertyNames())
        .doesNotContain("delayedBy");
  }

  private static Lease delayedBy(UUID other) {
    return new Lease(
        ASK,
        7,
        4,
        0,
        LeaseState.PLANNED,
        WINDOW,
        null,
        null,
        null,
        micros(NOON),
        null,
        null,
        false,
        false,
        null,
        other,
        false,
        0,
        null);
  }

  @Test
  void aQueueShowsOfOthersOnlyAnAmount() {
    io.leasehold.engine.Place foreign =
        new io.leasehold.engine.Place(
            FOREIGN, "search", 8_000, 2, micros("2027-03-01T13:07:00Z"), true, List.of());
    assertThat(
            Fleet.JSON.readTree(
                Fleet.JSON.writeValueAsString(QueueController.entry(foreign, "main", OF_VISION))))
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                { "position": 2, "own": false, "gpus": 8,
                  "expectedStartTime": "2027-03-01T13:15:00Z" }\
                """));
    io.leasehold.engine.Place own =
        new io.leasehold.engine.Place(
            OWN, "vision", 8_000, 1, micros("2027-03-01T13:07:00Z"), true, List.of());
    assertThat(
            Fleet.JSON.readTree(
                Fleet.JSON.writeValueAsString(QueueController.entry(own, "main", OF_VISION))))
        .isEqualTo(
            Fleet.JSON.readTree(
                """
                { "position": 1, "own": true, "gpus": 8, "tenant": "vision",
                  "leaseId": "0199f3a2-0000-7000-8000-000000000001",
                  "expectedStartTime": "2027-03-01T13:07:00Z", "earmarked": true }\
                """));
  }
}
