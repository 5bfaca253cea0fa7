package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Doors;
import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import io.leasehold.publishing.ClusterOrder.Kind;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;

/** Parked orders and simulations through their doors, on the whole application. */
@SpringBootTest(properties = {"leasehold.publishing.park=2", "leasehold.publishing.retry=10ms"})
@AutoConfigureMockMvc
@FreshDatabase
class PublishingDoorsIT {

  @Autowired MockMvc mvc;
  @Autowired JdbcClient database;

  private final String unique = UUID.randomUUID().toString().substring(0, 8);
  private final String cluster = "c-" + unique;
  private final UUID lease = UUID.randomUUID();
  private Doors operator;

  @BeforeEach
  void aSimulatedCluster() {
    operator = Doors.operator(mvc);
    operator.post("/pools", "{\"slug\":\"p-%s\"}".formatted(unique)).hasStatus(201);
    operator
        .post(
            "/clusters",
            "{\"slug\":\"%s\",\"pool\":\"p-%s\",\"adapter\":\"simulated\"}"
                .formatted(cluster, unique))
        .hasStatus(201);
  }

  @Test
  void aSimulationTakesEffectAndIsShown() {
    assertThat(operator.get(simulation()).hasStatus(200).at("/away")).isEqualTo("false");

    Answer put =
        operator
            .put(simulation(), "{\"away\":true,\"publishLatency\":\"PT2S\",\"failMilli\":7}")
            .hasStatus(200);

    assertThat(put.at("/publishLatency")).isEqualTo("PT2S");
    assertThat(operator.get(simulation()).json()).isEqualTo(put.json());
    assertThat(facts("simulation-changed")).isEqualTo(1);
    operator.put(simulation(), "{}").hasStatus(200);
    assertThat(operator.get(simulation()).at("/failMilli")).isEqualTo("0");
  }

  @Test
  void aSimulationIsBounded() {
    operator.put(simulation(), "{\"failMilli\":1001}").hasStatus(400);
    operator.put(simulation(), "{\"loseAnswerMilli\":-1}").hasStatus(400);
    operator.put(simulation(), "{\"publishLatency\":\"P1M\"}").hasStatus(400);
    operator.put(simulation(), "{\"flapEvery\":\"PT0S\"}").hasStatus(200);
    operator.put(simulation(), "{\"wind\":1}").hasStatus(400);
  }

  @Test
  void onlyOperatorsAndOnlySimulatedClusters() {
    operator.get("/clusters/no-such/simulation").hasStatus(404);
    operator.put("/clusters/no-such/simulation", "{}").hasStatus(404);
    database.sql("update cluster set adapter = 'slurm' where slug = ?").params(cluster).update();
    operator.put(simulation(), "{}").hasStatus(404);

    Doors auditor = Doors.of(mvc, "auditor");
    auditor.put(simulation(), "{}").hasStatus(403);
    auditor.get("/parked-orders").hasStatus(403);
    auditor.post("/parked-orders/%s/1/PUBLISH/retry".formatted(lease), "").hasStatus(403);
    auditor.post("/parked-orders/%s/1/PUBLISH/abandon".formatted(lease), "").hasStatus(403);
  }

  @Test
  void aParkedOrderIsListedAndTriedAgain() {
    operator.put(simulation(), "{\"failMilli\":1000}").hasStatus(200);
    order(lease, 1, Kind.PUBLISH);
    awaitParked(1);

    Answer listed = operator.get("/parked-orders?cluster=" + cluster).hasStatus(200);
    assertThat(listed.at("/items/0/lease")).isEqualTo(lease.toString());
    assertThat(listed.at("/items/0/kind")).isEqualTo("PUBLISH");
    assertThat(listed.at("/items/0/state")).isEqualTo("PARKED");
    assertThat(listed.at("/items/0/failures")).isEqualTo("2");
    assertThat(listed.at("/items/0/fault")).contains("later");

    operator.put(simulation(), "{}").hasStatus(200);
    String retry = "/parked-orders/%s/1/PUBLISH/retry".formatted(lease);
    Answer first = operator.post(retry, "", "Idempotency-Key", unique).hasStatus(200);
    assertThat(first.at("/state")).isEqualTo("DUE");
    await().atMost(Duration.ofSeconds(20)).until(() -> open() == 0);
    Answer again = operator.post(retry, "", "Idempotency-Key", unique).hasStatus(200);

    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.json()).isEqualTo(first.json());
    assertThat(facts("order-retried")).isEqualTo(1);
    operator.post(retry, "").hasStatus(404);
    assertThat(operator.get("/parked-orders?cluster=" + cluster).json().at("/items")).isEmpty();
  }

  @Test
  void aParkedPublicationIsGivenUpByRevoking() {
    Doors tenant = aTenantWithANode();
    operator.put(simulation(), "{\"failMilli\":1000}").hasStatus(200);
    String id = aLease(tenant);
    awaitParked(1);
    String abandon = abandon(id, "PUBLISH");

    operator.post(abandon, "", "Idempotency-Key", unique).hasStatus(204);
    operator.put(simulation(), "{}").hasStatus(200);

    awaitState(tenant, id, "CANCELLED");
    assertThat(tenant.get("/leases/" + id).text()).contains("revoked");
    await().atMost(Duration.ofSeconds(20)).until(() -> open() == 0);
    Answer again = operator.post(abandon, "", "Idempotency-Key", unique).hasStatus(204);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    operator.post(abandon, "").isProblem(409, "not-parked");
  }

  @Test
  void aParkedWithdrawalIsTakenAsDone() {
    Doors tenant = aTenantWithANode();
    String id = aLease(tenant);
    awaitState(tenant, id, "ACTIVE");
    operator.post(abandon(id, "PUBLISH"), "").isProblem(409, "not-parked");
    awaitState(tenant, id, "ACTIVE");
    operator.put(simulation(), "{\"failMilli\":1000}").hasStatus(200);
    tenant.post("/leases/" + id + "/release", "").hasStatus(200);
    awaitParked(1);

    operator.post(abandon(id, "WITHDRAW"), "").hasStatus(204);

    assertThat(tenant.get("/leases/" + id).at("/state")).isEqualTo("ENDED");
    assertThat(open()).isZero();
  }

  @Test
  void aStaleClusterIsShown() {
    assertThat(operator.get("/clusters/" + cluster).at("/stale")).isEqualTo("false");
    database
        .sql("insert into cluster_standing (cluster, stale, update_time) values (?, true, now())")
        .params(cluster)
        .update();

    Answer shown = operator.get("/clusters/" + cluster).hasStatus(200);

    assertThat(shown.at("/stale")).isEqualTo("true");
    assertThat(shown.header("ETag")).isNull();
    assertThat(operator.get("/clusters?pool=p-" + unique).at("/items/0/stale")).isEqualTo("true");
  }

  private Doors aTenantWithANode() {
    String tenant = "t-" + unique;
    Doors.of(mvc, "platform-admin")
        .post("/tenants", "{\"slug\":\"%s\"}".formatted(tenant))
        .hasStatus(201);
    operator
        .post(
            "/clusters/" + cluster + "/nodes",
            "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":8}")
        .hasStatus(201);
    Answer draft =
        operator
            .post(
                "/contracts",
                """
                {"pool": "p-%s", "tenant": "%s", "startTime": "2026-01-01T00:00:00Z",
                 "endTime": "2036-01-01T00:00:00Z",
                 "entitlements": [{"model": "h100", "guaranteed": 8}]}\
                """
                    .formatted(unique, tenant))
            .hasStatus(201);
    Doors.operator(mvc)
        .post("/contracts/" + draft.at("/id") + "/sign", "", "If-Match", draft.header("ETag"))
        .hasStatus(200);
    return Doors.of(mvc, "", tenant);
  }

  private static String aLease(Doors tenant) {
    return tenant
        .post("/leases", "{\"gpu\":{\"models\":[\"h100\"],\"count\":1},\"duration\":\"PT1H\"}")
        .hasStatus(201)
        .at("/id");
  }

  private String abandon(String id, String kind) {
    return "/parked-orders/%s/%s/%s/abandon"
        .formatted(
            id,
            database
                .sql("select generation from cluster_order where lease = ?::uuid and kind = ?")
                .params(id, kind)
                .query(Integer.class)
                .single(),
            kind);
  }

  private static void awaitState(Doors tenant, String id, String state) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> tenant.get("/leases/" + id).at("/state").equals(state));
  }

  @Test
  void parkedOrdersComeInPagesAndMootOnesNotAtAll() {
    operator.put(simulation(), "{\"failMilli\":1000}").hasStatus(200);
    for (int i = 0; i < 5; i++) {
      order(UUID.randomUUID(), 1, Kind.PUBLISH);
    }
    order(lease, 1, Kind.PUBLISH);
    awaitParked(6);
    operator.put(simulation(), "{\"away\":true}").hasStatus(200);
    order(lease, 2, Kind.WITHDRAW);

    int shown = 0;
    String token = "";
    do {
      Answer page =
          operator.get("/parked-orders?cluster=" + cluster + "&pageSize=2" + token).hasStatus(200);
      shown += page.json().at("/items").size();
      assertThat(page.text()).doesNotContain(lease.toString());
      token = page.at("/nextPageToken").isEmpty() ? "" : "&pageToken=" + page.at("/nextPageToken");
    } while (!token.isEmpty());
    assertThat(shown).isEqualTo(5);
  }

  @Test
  void whatIsNoOrderIsNotFound() {
    operator.post("/parked-orders/%s/1/PUBLISH/retry".formatted(lease), "").hasStatus(404);
    operator.post("/parked-orders/%s/1/PUBLISH/abandon".formatted(lease), "").hasStatus(404);
    operator.post("/parked-orders/%s/1/BURN/retry".formatted(lease), "").hasStatus(404);
    operator.post("/parked-orders/%s/x/PUBLISH/retry".formatted(lease), "").hasStatus(404);
    operator.get("/parked-orders?pageSize=0").hasStatus(400);
  }

  private String simulation() {
    return "/clusters/" + cluster + "/simulation";
  }

  private void order(UUID of, int generation, Kind kind) {
    database
        .sql(
            """
            insert into cluster_order
              (lease, generation, kind, pool, cluster, epoch, create_time, wanted)
            values (?, ?, ?, ?, ?, 1, clock_timestamp(), ?::json)
            """)
        .params(
            of,
            generation,
            kind.name(),
            "p-" + unique,
            cluster,
            """
            {"booking":{"cluster":"%s","model":"m","hold":{"start":0,"end":1},"slots":[]},
            "graceSeconds":0}
            """
                .formatted(cluster))
        .update();
  }

  private void awaitParked(int count) {
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                database
                        .sql("select count(*) from delivery where cluster = ? and state = 'PARKED'")
                        .params(cluster)
                        .query(Integer.class)
                        .single()
                    == count);
  }

  private int open() {
    return database
        .sql("select count(*) from delivery where cluster = ?")
        .params(cluster)
        .query(Integer.class)
        .single();
  }

  private int facts(String cause) {
    return database
        .sql("select count(*) from audit_fact where cause = ? and subject like ?")
        .params(cause, cause.startsWith("order") ? "order:" + lease + "%" : "cluster:" + cluster)
        .query(Integer.class)
        .single();
  }
}
