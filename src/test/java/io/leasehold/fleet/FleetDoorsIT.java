package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.FreshDatabase;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.ledger.Ledger;
import io.leasehold.tenancy.TenantService;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Pools, clusters, models, nodes, drains and imports through their doors. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class FleetDoorsIT {

  @Autowired MockMvc mvc;
  @Autowired Ledger ledger;
  @Autowired TenantService tenants;
  @Autowired Nodes nodes;
  @Autowired Pools pools;

  private Doors operator;
  private String pool;
  private String cluster;
  private String tenant;
  private Work work;

  @BeforeEach
  void aPoolWithACluster() {
    operator = Doors.operator(mvc);
    String unique = UUID.randomUUID().toString().substring(0, 8);
    pool = "p-" + unique;
    cluster = "c-" + unique;
    tenant = "t-" + unique;
    tenants.plant(Origin.SYSTEM.actor(), Origin.SYSTEM.traceId(), tenant, null);
    operator.post("/pools", "{\"slug\":\"" + pool + "\"}").hasStatus(201);
    operator.post("/clusters", clusterBody(cluster, pool)).hasStatus(201);
    work = new Work(ledger, pool, tenant);
  }

  // Pools and clusters

  @Test
  void aSlugIsTakenForEver() {
    operator.post("/pools", "{\"slug\":\"" + pool + "\"}").isProblem(409, "id-taken");
    operator.post("/clusters", clusterBody(cluster, pool)).isProblem(409, "id-taken");
  }

  @Test
  void aRepeatedKeyHasOneEffect() {
    String body = "{\"slug\":\"again-" + pool + "\",\"description\":\"one\"}";
    Doors.Answer first = operator.post("/pools", body, "Idempotency-Key", "k-1").hasStatus(201);
    Doors.Answer second = operator.post("/pools", body, "Idempotency-Key", "k-1").hasStatus(201);

    assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(second.at("/slug")).isEqualTo(first.at("/slug"));
    operator
        .post("/pools", "{\"slug\":\"other\"}", "Idempotency-Key", "k-1")
        .isProblem(422, "key-reused");
    operator.get("/pools/other").isProblem(404, "not-found");
  }

  @Test
  void namesOfPoolsAreForEverybodyAndCountsForThoseWithARole() {
    node("n1", 8);
    Doors nobody = Doors.of(mvc, "");

    assertThat(nobody.get("/pools/" + pool).hasStatus(200).json().has("capacity")).isFalse();
    assertThat(Doors.of(mvc, "", tenant).get("/pools/" + pool).json().has("capacity")).isTrue();
    nobody.get(nodesPath()).isProblem(403, "forbidden");
  }

  @Test
  void putCreatesThenKeepsThenReplacesOnlyWithTheRevisionSeen() {
    String path = "/clusters/put-" + cluster;
    String body = "{\"pool\":\"%s\",\"adapter\":\"simulated\"}".formatted(pool);
    String paused = "{\"pool\":\"%s\",\"adapter\":\"simulated\",\"paused\":true}".formatted(pool);

    assertThat(operator.put(path, body).hasStatus(201).header("ETag")).isEqualTo("\"1\"");
    assertThat(operator.put(path, body).hasStatus(200).header("ETag")).isEqualTo("\"1\"");
    operator.put(path, paused).isProblem(428, "precondition-required");
    operator.put(path, paused, "If-Match", "\"9\"").isProblem(412, "changed-meanwhile");
    assertThat(operator.get(path).json().at("/paused").asBoolean()).isFalse();
    assertThat(operator.put(path, paused, "If-Match", "\"1\"").hasStatus(200).header("ETag"))
        .isEqualTo("\"2\"");
    assertThat(operator.get(path).json().at("/paused").asBoolean()).isTrue();
  }

  @Test
  void nothingIsPlacedInAPausedCluster() {
    node("n1", 8);
    operator
        .put(
            "/clusters/" + cluster,
            "{\"pool\":\"%s\",\"adapter\":\"simulated\",\"paused\":true}".formatted(pool),
            "If-Match",
            "\"1\"")
        .hasStatus(200);

    assertThat(work.lease(1, Duration.ofHours(1)).state()).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void aClusterStaysInItsPool() {
    operator.post("/pools", "{\"slug\":\"o-" + pool + "\"}").hasStatus(201);
    operator
        .put(
            "/clusters/" + cluster,
            "{\"pool\":\"o-%s\",\"adapter\":\"simulated\"}".formatted(pool),
            "If-Match",
            "\"1\"")
        .faults("/pool", "pool-is-fixed");
  }

  @Test
  void onlyAdaptersThatExistAreTaken() {
    operator
        .post(
            "/clusters",
            "{\"slug\":\"k\",\"pool\":\"%s\",\"adapter\":\"kubernetes\"}".formatted(pool))
        .faults("/adapter", "pattern");
    operator.post("/clusters", clusterBody("k", "nowhere")).faults("/pool", "unknown-pool");
  }

  @Test
  void othersSeePoolsAndClusters() {
    assertThat(pools.all()).contains(pool);
    assertThat(pools.clustersOf(pool)).containsExactly(cluster);
    assertThat(pools.poolOf(cluster)).contains(pool);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "0", "x"})
  void aPageHasAtLeastOneItem(String size) {
    operator.get("/pools?pageSize=" + size).isProblem(400, "invalid-request");
  }

  @Test
  void pagesShowEachNodeOnce() {
    for (int i = 0; i < 5; i++) {
      node("n" + i, 1);
    }
    Set<String> seen = new HashSet<>();
    String token = "";
    int pages = 0;
    do {
      JsonNode page =
          operator
              .get(nodesPath() + "?pageSize=2" + (token.isEmpty() ? "" : "&pageToken=" + token))
              .hasStatus(200)
              .json();
      page.at("/items").forEach(item -> assertThat(seen.add(item.at("/id").asString())).isTrue());
      token = page.at("/nextPageToken").asString("");
      pages++;
    } while (!token.isEmpty());
    assertThat(seen).hasSize(5);
    assertThat(pages).isEqualTo(3);
    operator.get(nodesPath() + "?pageSize=1000000000000").hasStatus(200);
  }

  // GPU models

  @Test
  void aModelIsFoundByAnyOfItsNames() {
    for (String name : new String[] {"h100", "H100-80GB", "nvidia-h100-80gb-hbm3"}) {
      assertThat(operator.get("/gpu-models/" + name).hasStatus(200).at("/slug")).isEqualTo("h100");
    }
    assertThat(operator.get("/gpu-models/h100").json().at("/profiles/4/starts/1").asInt())
        .isEqualTo(4);
  }

  @Test
  void aModelAddedIsKnownInEveryPool() {
    String slug = "mine-" + pool;
    operator
        .post(
            "/gpu-models",
            "{\"slug\":\"%s\",\"canonical\":\"NVIDIA-%s\",\"memoryMiB\":1000}"
                .formatted(slug, slug))
        .hasStatus(201);
    operator
        .post(nodesPath(), "{\"name\":\"own\",\"model\":\"%s\",\"gpuCount\":2}".formatted(slug))
        .hasStatus(201);
    assertThat(work.lease(2, Duration.ofHours(1)).state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aNameMeansOneModel() {
    operator
        .post(
            "/gpu-models",
            "{\"slug\":\"x1\",\"canonical\":\"X1\",\"aliases\":[\"A100\"],\"memoryMiB\":1}")
        .isProblem(409, "id-taken");
  }

  // Nodes

  @Test
  void addsANode() {
    Doors.Answer created =
        operator
            .post(
                nodesPath(),
                "{\"name\":\"n1\",\"model\":\"H100-80GB\",\"gpuCount\":8,"
                    + "\"topology\":{\"rack\":\"r1\"}}")
            .hasStatus(201);
    assertThat(created.at("/model")).isEqualTo("NVIDIA-H100-80GB-HBM3");
    assertThat(created.at("/domain")).isEqualTo("///r1//n1");
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    UUID id = UUID.fromString(created.at("/id"));
    assertThat(operator.get("/nodes/" + id).json()).isEqualTo(created.json());
    assertThat(operator.get("/pools/" + pool).json().at("/capacity/0/usable").asInt()).isEqualTo(8);
    assertThat(nodes.find(id)).hasValueSatisfying(node -> assertThat(node.name()).isEqualTo("n1"));
  }

  @Test
  void aNameIsUsedAgainOnlyAfterTheNodeIsRetired() {
    String first = node("n1", 8);
    String body = "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":4}";

    operator.post(nodesPath(), body).isProblem(409, "id-taken");
    assertThat(operator.delete("/nodes/" + first).hasStatus(200).json().at("/retired").asBoolean())
        .isTrue();
    operator.delete("/nodes/" + first).hasStatus(200);
    String second = operator.post(nodesPath(), body).hasStatus(201).at("/id");

    assertThat(second).isNotEqualTo(first);
    assertThat(operator.get("/nodes/" + first).json().at("/gpuCount").asInt()).isEqualTo(8);
    operator.patch("/nodes/" + first, "{\"cpuMilli\":1}").isProblem(409, "illegal-move");
  }

  @Test
  void aRepeatedKeyAddsOneNode() {
    String body = "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":4}";
    String first =
        operator.post(nodesPath(), body, "Idempotency-Key", "k").hasStatus(201).at("/id");
    Doors.Answer again = operator.post(nodesPath(), body, "Idempotency-Key", "k").hasStatus(201);

    assertThat(again.at("/id")).isEqualTo(first);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, out-of-range",
    "0, out-of-range",
    "65, out-of-range",
    "1000001, out-of-range",
    "2147483648, out-of-range",
    "1.0, wrong-type",
    "'\"8\"', wrong-type"
  })
  void theNumberOfGpusIsBounded(String count, String code) {
    Doors.Answer answer =
        operator
            .post(nodesPath(), "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":" + count + "}")
            .hasStatus(400);
    assertThat(answer.at("/errors/0/pointer")).isEqualTo("/gpuCount");
  }

  @Test
  void namesAndLabelsAreBounded() {
    String label = "r".repeat(64);
    operator
        .post(
            nodesPath(),
            "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":8,\"topology\":{\"rack\":\"%s\"}}"
                .formatted(label))
        .faults("/topology/rack", "bad-label");
    operator
        .post(
            nodesPath(),
            "{\"name\":\"%s\",\"model\":\"h100\",\"gpuCount\":8}".formatted("n".repeat(254)))
        .faults("/name", "bad-name");
    operator
        .post(nodesPath(), "{\"name\":\"n\\u0000\",\"model\":\"h100\",\"gpuCount\":8}")
        .hasStatus(400);
    operator
        .post(nodesPath(), "{\"name\":\"n\\u202e1\",\"model\":\"h100\",\"gpuCount\":8}")
        .faults("/name", "bad-name");
  }

  @Test
  void anUnknownModelIsToldWithThoseThatExist() {
    Doors.Answer answer =
        operator
            .post(nodesPath(), "{\"name\":\"n1\",\"model\":\"h10\",\"gpuCount\":8}")
            .faults("/model", "unknown-model");
    assertThat(answer.text()).contains("a100-80gb").contains("h100");
  }

  @Test
  void aFilterShowsOnlyWhatHasExactlyThatValue() {
    operator
        .post(
            nodesPath(),
            "{\"name\":\"here\",\"model\":\"h100\",\"gpuCount\":8,\"topology\":{\"zone\":\"a\"}}")
        .hasStatus(201);
    node("nowhere", 8);
    operator
        .post(
            nodesPath(),
            "{\"name\":\"other\",\"model\":\"t4\",\"gpuCount\":8,\"topology\":{\"zone\":\"a\"}}")
        .hasStatus(201);

    JsonNode found = operator.get(nodesPath() + "?model=H100&zone=a").hasStatus(200).json();

    assertThat(found.at("/items").valueStream().map(n -> n.at("/name").asString()))
        .containsExactly("here");
    operator.get(nodesPath() + "?zoen=a").hasStatus(400);
  }

  @Test
  void aPatchChangesOnlyWhatItTells() {
    String id = node("n1", 8);
    String path = "/nodes/" + id;

    operator.patch(path, "{\"topology\":{\"rack\":\"r1\",\"block\":\"b1\"}}").hasStatus(200);
    Doors.Answer moved =
        operator
            .patch(path, "{\"cpuMilli\":64000,\"topology\":{\"rack\":\"r2\"}}", "If-Match", "\"2\"")
            .hasStatus(200);

    assertThat(moved.at("/domain")).isEqualTo("//b1/r2//n1");
    assertThat(moved.json().at("/revision").asLong()).isEqualTo(3);
    operator.patch(path, "{}", "If-Match", "\"2\"").isProblem(412, "changed-meanwhile");
    operator.patch(path, "{\"cpuMilli\":-1}").faults("/cpuMilli", "out-of-range");
    operator.patch(path, "{\"name\":\"n2\"}").faults("/name", "unknown-field");
  }

  @Test
  void aPatchIsAMergePatch() {
    operator.put("/nodes/" + node("n1", 8), "{}").hasStatus(405);
  }

  // Health

  @Test
  void onlyTheGpuThatIsLostIsNotPlacedOn() {
    String id = node("n1", 4);

    Doors.Answer lost =
        operator.patch("/nodes/" + id + "/gpus/2", "{\"health\":\"BROKEN\"}").hasStatus(200);

    assertThat(lost.at("/gpus/2/health")).isEqualTo("BROKEN");
    assertThat(lost.at("/gpus/1/health")).isEqualTo("OK");
    Lease three = work.lease(3, Duration.ofHours(1));
    assertThat(three.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(three.booking().slots().getFirst().units().gpus()).isEqualTo(0b1011);
    operator.patch("/nodes/" + id + "/gpus/4", "{\"health\":\"OK\"}").isProblem(404, "not-found");
    operator.patch("/nodes/" + id + "/gpus/2", "{\"health\":\"FINE\"}").hasStatus(400);
  }

  @Test
  void aBrokenGpuDegradesItsLeaseAndEndsNothing() {
    String id = node("n1", 2);
    Lease lease = work.lease(2, Duration.ofHours(1));

    operator.patch("/nodes/" + id + "/gpus/0", "{\"health\":\"BROKEN\"}").hasStatus(200);
    assertThat(work.now(lease).degraded()).isTrue();
    assertThat(work.now(lease).state()).isNotIn(LeaseState.ENDING, LeaseState.ENDED);

    operator.patch("/nodes/" + id + "/gpus/0", "{\"health\":\"OK\"}").hasStatus(200);
    assertThat(work.now(lease).degraded()).isFalse();
  }

  @Test
  void whatIsLeasedIsNotTakenAwayUnlessLeasesMayBeDegraded() {
    String id = node("n1", 2);
    Lease lease = work.lease(2, Duration.ofHours(1));

    Doors.Answer refused = operator.delete("/nodes/" + id).isProblem(409, "in-use");
    assertThat(refused.text()).contains(lease.id().toString());
    operator.patch("/nodes/" + id + "/gpus/1", "{\"health\":\"RETIRED\"}").isProblem(409, "in-use");
    assertThat(operator.get("/nodes/" + id).json().at("/revision").asLong()).isEqualTo(1);

    operator.delete("/nodes/" + id + "?shrink=degrade").hasStatus(200);
    assertThat(work.now(lease))
        .satisfiesAnyOf(
            now -> assertThat(now.degraded()).isTrue(), now -> assertThat(now).isNull());
    operator.delete("/nodes/" + id + "?shrink=maybe").hasStatus(400);
  }

  /** L5: an inventory smaller than what is allocated is no large number. */
  @Test
  void whatIsOverCommittedIsSaidAndNothingIsNegative() {
    String id = node("n1", 4);
    work.lease(3, Duration.ofHours(1));
    assertCapacity(4, 3, 1, 0);

    operator.delete("/nodes/" + id + "?shrink=degrade").hasStatus(200);

    assertCapacity(0, 3, 0, 3);
  }

  private void assertCapacity(int gpus, int leased, int free, int overCommitted) {
    JsonNode capacity = operator.get("/pools/" + pool).json().at("/capacity/0");
    assertThat(capacity.path("gpus").asInt()).isEqualTo(gpus);
    assertThat(capacity.path("leased").asInt()).isEqualTo(leased);
    assertThat(capacity.path("free").asInt()).isEqualTo(free);
    assertThat(capacity.path("overCommitted").asInt()).isEqualTo(overCommitted);
  }

  @Test
  void aFaultyNodeIsInNobodyElsesWay() {
    String broken = node("broken", 1);
    operator.patch("/nodes/" + broken + "/gpus/0", "{\"health\":\"BROKEN\"}").hasStatus(200);
    operator.post("/nodes/drain", drain(broken, null)).hasStatus(200);

    String fine = node("fine", 1);

    operator.patch("/nodes/" + fine, "{\"cpuMilli\":1000}").hasStatus(200);
    assertThat(work.lease(1, Duration.ofHours(1)).booking().slots().getFirst().node())
        .isEqualTo(UUID.fromString(fine));
  }

  // Drains

  @Test
  void aDrainIsRehearsedThenDone() {
    String id = node("n1", 2);
    Lease lease = work.lease(1, Duration.ofHours(1));
    String body = drain(id, Instant.now().plus(Duration.ofDays(1)).toString());

    Doors.Answer rehearsed = operator.post("/nodes/drain?dryRun=true", body).hasStatus(200);
    assertThat(rehearsed.at("/affected/0/leaseId")).isEqualTo(lease.id().toString());
    assertThat(rehearsed.at("/affected/0/outcome")).isEqualTo("ends-before");
    assertThat(operator.get("/nodes/" + id).json().has("drain")).isFalse();

    Doors.Answer done = operator.post("/nodes/drain", body).hasStatus(200);
    assertThat(done.json().at("/affected")).isEqualTo(rehearsed.json().at("/affected"));
    assertThat(operator.get("/nodes/" + id).at("/drain/reason")).isEqualTo("maintenance");
    Lease waiting = work.lease(1, Duration.ofHours(1));
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);

    operator.post("/nodes/undrain", "{\"nodeIds\":[\"" + id + "\"]}").hasStatus(200);
    assertThat(operator.get("/nodes/" + id).json().has("drain")).isFalse();
    assertThat(work.now(waiting).state().hasPossession()).isTrue();
  }

  @Test
  void aPlannedLeaseLeavesADrainingNodeAndAHealthyOneStays() {
    String first = node("n1", 1);
    String second = node("n2", 1);
    Lease running = work.lease(1, Duration.ofHours(2));
    String idle =
        running.booking().slots().getFirst().node().toString().equals(first) ? second : first;
    Lease planned = work.planned(1, Duration.ofHours(1), Duration.ofMinutes(10));
    String spare = node("n3", 1);
    assertThat(planned.booking().slots().getFirst().node()).hasToString(idle);

    Doors.Answer drained =
        operator
            .post(
                "/nodes/drain", drain(idle, Instant.now().plus(Duration.ofMinutes(30)).toString()))
            .hasStatus(200);

    assertThat(drained.at("/affected/0/outcome")).isEqualTo("moved");
    assertThat(drained.at("/affected/0/leaseId")).isEqualTo(planned.id().toString());
    assertThat(work.now(planned).booking().slots().getFirst().node()).hasToString(spare);
    assertThat(work.now(running).booking()).isEqualTo(running.booking());
  }

  @Test
  void aDomainDrainsWholly() {
    String in = nodeIn("n1", "r1");
    String out = nodeIn("n2", "r10");

    Doors.Answer drained =
        operator.post("/nodes/drain", "{\"domain\":\"eu/a/b/r1\"}").hasStatus(200);

    assertThat(drained.json().at("/nodeIds").valueStream().map(JsonNode::asString))
        .contains(in)
        .doesNotContain(out);
    operator.post("/nodes/drain", "{\"domain\":\"eu/z\"}").faults("/domain", "no-nodes");
    operator.post("/nodes/drain", "{}").faults("/nodeIds", "exactly-one-of");
    operator
        .post("/nodes/drain", drain(UUID.randomUUID().toString(), null))
        .faults("/nodeIds/0", "unknown-node");
    operator.post("/nodes/undrain", "{\"domain\":\"eu\",\"pool\":\"" + pool + "\"}").hasStatus(200);
  }

  @Test
  void aRepeatedKeyDrainsOnce() {
    String id = node("n1", 1);
    String body = drain(id, null);
    operator.post("/nodes/drain", body, "Idempotency-Key", "d").hasStatus(200);
    long revision = operator.get("/nodes/" + id).json().at("/revision").asLong();

    Doors.Answer again = operator.post("/nodes/drain", body, "Idempotency-Key", "d").hasStatus(200);

    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(operator.get("/nodes/" + id).json().at("/revision").asLong()).isEqualTo(revision);
  }

  // Imports

  @Test
  void anImportIsRehearsedThenDoneAndChangesNothingTheSecondTime() {
    String csv = "name,gpu,model,rack\nn1,8,h100,r1\nn2,4,t4,r2\n";

    assertReport(importCsv(csv, "&dryRun=true").hasStatus(200), 2, 0, 0, 0);
    assertThat(operator.get(nodesPath()).json().at("/items").size()).isZero();
    assertReport(importCsv(csv, "").hasStatus(200), 2, 0, 0, 0);
    assertReport(importCsv(csv, "").hasStatus(200), 0, 0, 0, 2);
    assertReport(importCsv(csv.replace("r2", "r3"), "").hasStatus(200), 0, 1, 0, 1);
    assertReport(
        importCsv("name,gpu,model\nn1,8,h100\n", "&prune=true").hasStatus(200), 0, 0, 1, 1);
    assertReport(importCsv(csv, "").hasStatus(200), 1, 0, 0, 1);
  }

  @Test
  void anImportWithAFaultChangesNothingAndTellsAll() {
    Doors.Answer answer =
        importCsv("name,gpu,model\nn1,8,h100\nn2,0,h100\nn3,8,h999\nn1,8,h100\n", "")
            .isProblem(400, "invalid-request");

    assertThat(answer.json().at("/errors").valueStream().map(e -> e.at("/line").asInt()))
        .containsExactly(3, 4, 5);
    assertThat(answer.json().at("/errors").valueStream().map(e -> e.at("/column").asInt()))
        .containsExactly(2, 3, 1);
    assertThat(operator.get(nodesPath()).json().at("/items").size()).isZero();
  }

  @Test
  void anImportInJsonPointsAtItsFaults() {
    operator
        .post(
            "/fleet/imports",
            ("{\"nodes\":[{\"cluster\":\"%s\",\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":8},"
                    + "{\"cluster\":\"nowhere\",\"name\":\"n2\",\"model\":\"h100\",\"gpuCount\":-4}]}")
                .formatted(cluster))
        .faults("/nodes/1/cluster", "unknown-cluster")
        .faults("/nodes/1/gpuCount", "out-of-range");
    assertReport(
        operator
            .post(
                "/fleet/imports?cluster=" + cluster,
                "{\"nodes\":[{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":8}]}")
            .hasStatus(200),
        1,
        0,
        0,
        0);
    operator.post("/fleet/imports?prune=true", "{\"nodes\":[]}").hasStatus(400);
  }

  @Test
  void anImportDoesNotTakeAwayWhatIsLeased() {
    importCsv("name,gpu,model\nn1,2,h100\nn2,2,t4\n", "").hasStatus(200);
    Lease lease = work.lease(4, Duration.ofHours(1));
    if (lease.booking() == null) {
      lease = work.lease(2, Duration.ofHours(1));
    }
    Lease other = work.lease(2, Duration.ofHours(1));
    assertThat(other.booking()).isNotNull();

    importCsv("name,gpu,model\nn1,1,h100\nn2,1,t4\n", "").isProblem(409, "in-use");
    assertThat(operator.get("/pools/" + pool).json().at("/capacity/0/gpus").asInt()).isEqualTo(2);

    Doors.Answer degraded =
        importCsv("name,gpu,model\nn1,1,h100\nn2,1,t4\n", "&shrink=degrade").hasStatus(200);
    assertThat(degraded.json().at("/affected").size()).isPositive();
    assertThat(work.now(other).degraded()).isTrue();
  }

  @Test
  void aRepeatedKeyImportsOnceAndAnswersTheSame() {
    String csv = "name,gpu,model\nn1,8,h100\n";
    Doors.Answer first = importCsv(csv, "", "Idempotency-Key", "i").hasStatus(200);
    Doors.Answer again = importCsv(csv, "", "Idempotency-Key", "i").hasStatus(200);

    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.json()).isEqualTo(first.json());
  }

  @Test
  void twelveHundredNodesComeInOneImport() {
    StringBuilder csv = new StringBuilder("sn,cpu_milli,memory_mib,gpu,model\n");
    for (int i = 0; i < 1_213; i++) {
      csv.append("big-%04d,96000,393216,%d,%s\n".formatted(i, 1 + i % 8, i % 2 == 0 ? "G2" : "T4"));
    }
    long start = System.nanoTime();
    assertReport(importCsv(csv.toString(), "").hasStatus(200), 1_213, 0, 0, 0);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    assertReport(importCsv(csv.toString(), "").hasStatus(200), 0, 0, 0, 1_213);
  }

  // Who sees what

  @Test
  void aTenantSeesTheNodesOfItsOwnLeasesOnly() {
    String used = node("used", 1);
    work.lease(1, Duration.ofHours(1));
    String idle = node("idle", 1);
    Doors own = Doors.of(mvc, "", tenant);
    String otherTenant = "o" + tenant;
    tenants.plant(Origin.SYSTEM.actor(), Origin.SYSTEM.traceId(), otherTenant, null);
    Doors other = Doors.of(mvc, "", otherTenant);

    own.get("/nodes/" + used).hasStatus(200);
    own.get("/nodes/" + idle).isProblem(404, "not-found");
    other.get("/nodes/" + used).isProblem(404, "not-found");
    assertThat(own.get(nodesPath()).json().at("/items").size()).isEqualTo(1);
    assertThat(other.get(nodesPath()).json().at("/items").size()).isZero();
    own.post(nodesPath(), "{}").isProblem(403, "forbidden");
  }

  private String node(String name, int gpus) {
    return operator
        .post(
            nodesPath(),
            "{\"name\":\"%s\",\"model\":\"h100\",\"gpuCount\":%d}".formatted(name, gpus))
        .hasStatus(201)
        .at("/id");
  }

  private String nodeIn(String name, String rack) {
    return operator
        .post(
            nodesPath(),
            ("{\"name\":\"%s\",\"model\":\"h100\",\"gpuCount\":1,\"topology\":{\"region\":\"eu\","
                    + "\"zone\":\"a\",\"block\":\"b\",\"rack\":\"%s\"}}")
                .formatted(name, rack))
        .hasStatus(201)
        .at("/id");
  }

  private Doors.Answer importCsv(String csv, String more, String... headers) {
    return operator.postCsv("/fleet/imports/csv?cluster=" + cluster + more, csv, headers);
  }

  private static void assertReport(
      Doors.Answer answer, int added, int changed, int removed, int unchanged) {
    JsonNode report = answer.json();
    assertThat(report.at("/added").asInt()).as(answer.text()).isEqualTo(added);
    assertThat(report.at("/changed").asInt()).as(answer.text()).isEqualTo(changed);
    assertThat(report.at("/removed").asInt()).as(answer.text()).isEqualTo(removed);
    assertThat(report.at("/unchanged").asInt()).as(answer.text()).isEqualTo(unchanged);
  }

  private String nodesPath() {
    return "/clusters/" + cluster + "/nodes";
  }

  private static String clusterBody(String slug, String pool) {
    return "{\"slug\":\"%s\",\"pool\":\"%s\",\"adapter\":\"simulated\"}".formatted(slug, pool);
  }

  private static String drain(String node, String deadline) {
    return "{\"nodeIds\":[\"%s\"],\"reason\":\"maintenance\"%s}"
        .formatted(node, deadline == null ? "" : ",\"deadlineTime\":\"" + deadline + "\"");
  }
}
