package io.leasehold.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.FreshDatabase;
import io.leasehold.fleet.Origin;
import io.leasehold.tenancy.TenantService;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** The life of contracts, and service classes, through their doors. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class ContractDoorsIT {

  @Autowired MockMvc mvc;
  @Autowired TenantService tenants;
  @Autowired Contracts contracts;
  @Autowired ServiceClasses classes;
  @Autowired JdbcClient jdbc;

  private Doors author;
  private Doors signer;
  private String pool;
  private String root;
  private String team;

  @BeforeEach
  void aPoolOfTenGpusAndATenantWithATeam() {
    author = Doors.operator(mvc);
    signer = Doors.operator(mvc);
    String unique = UUID.randomUUID().toString().substring(0, 8);
    pool = "p-" + unique;
    root = "root-" + unique;
    team = "team-" + unique;
    tenants.plant(Origin.SYSTEM.actor(), Origin.SYSTEM.traceId(), root, null);
    tenants.plant(Origin.SYSTEM.actor(), Origin.SYSTEM.traceId(), team, root);
    author.post("/pools", "{\"slug\":\"" + pool + "\"}").hasStatus(201);
    author
        .post(
            "/clusters",
            "{\"slug\":\"c-%s\",\"pool\":\"%s\",\"adapter\":\"simulated\"}".formatted(unique, pool))
        .hasStatus(201);
    author
        .post(
            "/clusters/c-" + unique + "/nodes",
            "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":10}")
        .hasStatus(201);
  }

  @Test
  void aDraftBindsNobodyUntilSomebodyElseSignsIt() {
    Doors.Answer draft = author.post("/contracts", body(root, 8)).hasStatus(201);
    assertThat(draft.at("/state")).isEqualTo("DRAFT");
    assertThat(draft.at("/entitlements/0/model")).isEqualTo("NVIDIA-H100-80GB-HBM3");
    assertThat(draft.json().at("/entitlements/0/weight").asInt()).isEqualTo(1);
    assertThat(draft.header("ETag")).isEqualTo("\"1\"");
    assertThat(contracts.poolsOf(root)).isEmpty();

    String path = "/contracts/" + draft.at("/id");
    assertThat(author.get(path).json()).isEqualTo(draft.json());
    author.post(path + "/sign", null, "If-Match", "\"1\"").isProblem(403, "same-author");
    signer.post(path + "/sign", null).isProblem(428, "precondition-required");
    signer.post(path + "/sign", null, "If-Match", "\"2\"").isProblem(412, "changed-meanwhile");

    Doors.Answer signed = signer.post(path + "/sign", null, "If-Match", "\"1\"").hasStatus(200);
    assertThat(signed.at("/state")).isEqualTo("SIGNED");
    assertThat(contracts.poolsOf(root)).containsExactly(pool);
    assertThat(contracts.poolsOf(team)).as("inherited").containsExactly(pool);
    signer.post(path + "/sign", null, "If-Match", "\"2\"").hasStatus(200);
  }

  @Test
  void whoeverReplacesADraftBecomesAnAuthor() {
    String path = draft(author, root, 4);
    Doors third = Doors.operator(mvc);

    author.put(path, body(root, 5)).isProblem(428, "precondition-required");
    assertThat(author.put(path, body(root, 4)).hasStatus(200).header("ETag")).isEqualTo("\"1\"");
    signer.put(path, body(root, 5), "If-Match", "\"1\"").hasStatus(200);
    signer.put(path, body(root, 6), "If-Match", "\"1\"").isProblem(412, "changed-meanwhile");
    signer.post(path + "/sign", null, "If-Match", "\"2\"").isProblem(403, "same-author");
    author.post(path + "/sign", null, "If-Match", "\"2\"").isProblem(403, "same-author");

    third.post(path + "/sign", null, "If-Match", "\"2\"").hasStatus(200);
    author.put(path, body(root, 7), "If-Match", "\"3\"").isProblem(409, "illegal-move");
  }

  @Test
  void aPersonWithTwoKeysIsOnePerson() {
    UUID owner = principal("user");
    String path = draft(keyOf(owner), root, 1);

    keyOf(owner).post(path + "/sign", null, "If-Match", "\"1\"").isProblem(403, "same-author");
    keyOf(principal("user")).post(path + "/sign", null, "If-Match", "\"1\"").hasStatus(200);
  }

  @Test
  void guaranteesThatCanNotBeHeldAreNotSigned() {
    String path = draft(author, root, 11);

    Doors.Answer refused =
        signer.post(path + "/sign", null, "If-Match", "\"1\"").isProblem(409, "shortfall");

    JsonNode shortfall = refused.json().at("/shortfalls/0");
    assertThat(shortfall.at("/scope").asString()).isEqualTo("pool");
    assertThat(shortfall.at("/model").asString()).isEqualTo("NVIDIA-H100-80GB-HBM3");
    assertThat(shortfall.at("/promised").asInt()).isEqualTo(11);
    assertThat(shortfall.at("/available").asInt()).isEqualTo(10);
    assertThat(shortfall.at("/startTime").asString()).isEqualTo("2027-01-01T00:00:00Z");
    assertThat(author.get(path).at("/state")).isEqualTo("DRAFT");
    assertThat(author.get(path).json().at("/revision").asLong()).isEqualTo(1);
  }

  @Test
  void aTeamIsGuaranteedNoMoreThanItsParent() {
    sign(draft(author, root, 6));
    signer
        .post(draft(author, team, 7) + "/sign", null, "If-Match", "\"1\"")
        .isProblem(409, "shortfall");
    sign(draft(author, team, 6));
  }

  @Test
  void aTerminatedContractFreesWhatItPromised() {
    String first = draft(author, root, 10);
    sign(first);
    String second = draft(author, root, 10);
    signer.post(second + "/sign", null, "If-Match", "\"1\"").isProblem(409, "shortfall");

    author.post(first + "/terminate", null, "If-Match", "\"2\"").isProblem(403, "same-author");
    Doors.Answer ended =
        signer.post(first + "/terminate", null, "If-Match", "\"2\"").hasStatus(200);

    assertThat(ended.at("/state")).isEqualTo("TERMINATED");
    assertThat(ended.json().has("terminateTime")).isTrue();
    assertThat(contracts.poolsOf(root)).isEmpty();
    sign(second);
    signer.post(first + "/terminate", null, "If-Match", "\"3\"").hasStatus(200);
    signer.post(first + "/sign", null, "If-Match", "\"3\"").isProblem(409, "illegal-move");
  }

  @Test
  void aContractWhoseEndIsPastExpiresAndIsNotSigned() {
    String past =
        author
            .post("/contracts", body(root, 1).replace("2027-", "2001-").replace("2180-", "2002-"))
            .hasStatus(201)
            .at("/id");
    signer
        .post("/contracts/" + past + "/sign", null, "If-Match", "\"1\"")
        .isProblem(409, "illegal-move");
    jdbc.sql("update contract set state = 'SIGNED', sign_time = now() where id = :id")
        .param("id", UUID.fromString(past))
        .update();
    assertThat(author.get("/contracts/" + past).at("/state")).isEqualTo("EXPIRED");
    assertThat(ids(author.get("/contracts?state=EXPIRED&tenant=" + root))).containsExactly(past);
    assertThat(contracts.poolsOf(root)).isEmpty();
  }

  @Test
  void aRepeatedKeyDraftsAndSignsOnce() {
    Doors.Answer first =
        author.post("/contracts", body(root, 2), "Idempotency-Key", "d").hasStatus(201);
    Doors.Answer again =
        author.post("/contracts", body(root, 2), "Idempotency-Key", "d").hasStatus(201);
    assertThat(again.at("/id")).isEqualTo(first.at("/id"));
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");

    String sign = "/contracts/" + first.at("/id") + "/sign";
    signer.post(sign, null, "If-Match", "\"1\"", "Idempotency-Key", "s").hasStatus(200);
    Doors.Answer replayed =
        signer.post(sign, null, "If-Match", "\"1\"", "Idempotency-Key", "s").hasStatus(200);
    assertThat(replayed.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(replayed.json().at("/revision").asLong()).isEqualTo(2);
    lasts(first.at("/id"), "2001-01-01", "2002-01-01");
    signer.post(sign, null, "If-Match", "\"1\"", "Idempotency-Key", "s").hasStatus(200);
    lasts(first.at("/id"), "2027-01-01", "2180-01-01");
    signer
        .post(sign, null, "If-Match", "\"1\"", "Idempotency-Key", "other")
        .isProblem(412, "changed-meanwhile");
  }

  private void lasts(String contract, String start, String end) {
    jdbc.sql(
            "update contract set start_time = cast(:start as timestamptz),"
                + " end_time = cast(:end as timestamptz) where id = cast(:id as uuid)")
        .param("start", start)
        .param("end", end)
        .param("id", contract)
        .update();
  }

  @Test
  void whatIsNotKnownIsPointedAt() {
    author
        .post("/contracts", body(root, 1).replace(pool, "nowhere"))
        .faults("/pool", "unknown-pool");
    author.post("/contracts", body("nobody", 1)).faults("/tenant", "unknown-tenant");
    author
        .post("/contracts", body(root, 1).replace("h100", "h999"))
        .faults("/entitlements/0/model", "unknown-model");
    author
        .post("/contracts", body(root, 1).replace("2180-01-01", "2026-01-01"))
        .faults("/endTime", "end-before-start");
    author
        .post(
            "/contracts",
            body(root, 1).replace("]", ",{\"model\":\"H100-80GB\",\"guaranteed\":1}]"))
        .faults("/entitlements/1/model", "duplicate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"guaranteed", "borrowingLimit", "lendingLimit", "weight"})
  void everyNumberIsBounded(String field) {
    for (String value : new String[] {"-1", "1000001", "2147483648", "1.0"}) {
      String body =
          body(root, 1)
              .replace("\"guaranteed\":1", "\"guaranteed\":1,\"%s\":%s".formatted(field, value));
      if (field.equals("guaranteed")) {
        body = body(root, 1).replace("\"guaranteed\":1", "\"guaranteed\":" + value);
      }
      Doors.Answer answer = author.post("/contracts", body).hasStatus(400);
      assertThat(answer.at("/errors/0/pointer"))
          .as(answer.text())
          .isEqualTo("/entitlements/0/" + field);
    }
  }

  @Test
  void whatDoesNotWorkYetIsUnknown() {
    for (String field : new String[] {"objectives", "warm", "fallback", "breachCost"}) {
      author
          .post("/contracts", body(root, 1).replaceFirst("\\{", "{\"" + field + "\":{},"))
          .faults("/" + field, "unknown-field");
    }
  }

  @Test
  void aTenantAdminDraftsForTheOwnSubtreeAndSignsNothing() {
    Doors admin = Doors.of(mvc, "", root);
    Doors stranger = Doors.of(mvc, "", team);
    String path = draft(admin, team, 1);
    String ofRoot = draft(author, root, 3);

    assertThat(ids(admin.get("/contracts"))).hasSize(2);
    assertThat(ids(stranger.get("/contracts"))).hasSize(1);
    stranger.get(ofRoot).isProblem(404, "not-found");
    stranger.post("/contracts", body(root, 1)).isProblem(404, "not-found");
    admin.post(path + "/sign", null, "If-Match", "\"1\"").isProblem(403, "forbidden");
  }

  @ParameterizedTest
  @CsvSource({
    "realtime, 1000, false",
    "interactive, 500, false",
    "batch, 100, true",
    "opportunistic, 0, true"
  })
  void theBuiltInClassesAreThere(String slug, int priority, boolean mayBePreempted) {
    JsonNode found = author.get("/service-classes/" + slug).hasStatus(200).json();
    assertThat(found.at("/priority").asInt()).isEqualTo(priority);
    assertThat(found.at("/mayBePreempted").asBoolean()).isEqualTo(mayBePreempted);
    assertThat(found.at("/grace").asString()).isEqualTo("PT30S");
    assertThat(found.at("/agingAfter").asString()).isEqualTo("PT4H");
    assertThat(classes.find(slug)).isPresent();
  }

  @Test
  void aClassIsReplacedOnlyAsItWasSeenAndKeepsWhatIsNotShown() {
    String path = "/service-classes/own-" + UUID.randomUUID().toString().substring(0, 8);
    String body = "{\"priority\":300,\"mayBePreempted\":true,\"grace\":\"PT2M\"}";

    assertThat(author.put(path, body).hasStatus(201).at("/grace")).isEqualTo("PT2M");
    author.put(path, body).hasStatus(200);
    author.put(path, body.replace("300", "400")).isProblem(428, "precondition-required");
    author
        .put(path, body.replace("300", "400"), "If-Match", "\"7\"")
        .isProblem(412, "changed-meanwhile");
    assertThat(
            author
                .put(path, body.replace("300", "400"), "If-Match", "\"1\"")
                .hasStatus(200)
                .header("ETag"))
        .isEqualTo("\"2\"");
    author.put(path, body.replace("PT2M", "PT2H")).faults("/grace", "out-of-range");
    author.put(path, body.replace("PT2M", "P1M")).faults("/grace", "not-a-duration");
    Doors.of(mvc, "", root).put(path, body).isProblem(403, "forbidden");
  }

  @Test
  void aClassSaysHowItsLeasesArePreempted() {
    String path = "/service-classes/own-" + UUID.randomUUID().toString().substring(0, 8);
    String body =
        """
        {"priority": 300, "mayBePreempted": true, "mayPreempt": true, "minimumRun": "PT30M",
         "notice": "PT5M", "disruption": {"most": 10, "within": "PT1H",
           "quiet": [{"start": "22:00", "end": "06:30", "zone": "Europe/Berlin"}]}}\
        """;
    JsonNode created = author.put(path, body).hasStatus(201).json();
    assertThat(created.at("/mayPreempt").asBoolean()).isTrue();
    assertThat(created.at("/minimumRun").asString()).isEqualTo("PT30M");
    assertThat(created.at("/notice").asString()).isEqualTo("PT5M");
    assertThat(created.at("/disruption/most").asInt()).isEqualTo(10);
    assertThat(created.at("/disruption/within").asString()).isEqualTo("PT1H");
    assertThat(created.at("/disruption/quiet/0/end").asString()).isEqualTo("06:30");
    assertThat(author.get(path).json()).isEqualTo(created);
    author.put(path, body).hasStatus(200);
    assertThat(author.get(path).header("ETag")).isEqualTo("\"1\"");

    author
        .put(path, body.replace("\"within\": \"PT1H\",", ""))
        .faults("/disruption/within", "required");
    author.put(path, body.replace("06:30", "6:30")).faults("/disruption/quiet/0/end", "not-a-time");
    author
        .put(path, body.replaceAll("\\[\\{.*?\\}\\]", "[null]"))
        .faults("/disruption/quiet/0", "not-null");
    author
        .put(path, body.replace("Europe/Berlin", "Mars/Olympus"))
        .faults("/disruption/quiet/0/zone", "unknown-zone");
    author.put(path, body.replace("PT5M", "P8D")).faults("/notice", "out-of-range");
    String plain = "{\"priority\": 300, \"mayBePreempted\": true}";
    JsonNode replaced = author.put(path, plain, "If-Match", "\"1\"").hasStatus(200).json();
    assertThat(replaced.has("disruption")).isFalse();
    assertThat(replaced.at("/mayPreempt").asBoolean()).isTrue();
  }

  private String draft(Doors by, String tenant, int guaranteed) {
    return "/contracts/" + by.post("/contracts", body(tenant, guaranteed)).hasStatus(201).at("/id");
  }

  private void sign(String path) {
    signer.post(path + "/sign", null, "If-Match", "\"1\"").hasStatus(200);
  }

  private String body(String tenant, int guaranteed) {
    return ("{\"pool\":\"%s\",\"tenant\":\"%s\",\"startTime\":\"2027-01-01T00:00:00Z\","
            + "\"endTime\":\"2180-01-01T00:00:00Z\","
            + "\"entitlements\":[{\"model\":\"h100\",\"guaranteed\":%d}]}")
        .formatted(pool, tenant, guaranteed);
  }

  private static java.util.List<String> ids(Doors.Answer page) {
    return page.hasStatus(200)
        .json()
        .at("/items")
        .valueStream()
        .map(c -> c.at("/id").asString())
        .toList();
  }

  private UUID principal(String kind) {
    UUID id = UUID.randomUUID();
    jdbc.sql("insert into principal (id, kind, name) values (:id, :kind, 'test')")
        .param("id", id)
        .param("kind", kind)
        .update();
    return id;
  }

  /** Somebody who calls with a key of the owner's. */
  private Doors keyOf(UUID owner) {
    UUID principal = principal("api-key");
    jdbc.sql(
            "insert into api_key (id, mark, digest, principal, owner, name, expire_time)"
                + " values (:id, :mark, '\\x00', :id, :owner, 'test', now() + interval '1 day')")
        .param("id", principal)
        .param("mark", principal.toString())
        .param("owner", owner)
        .update();
    Doors any = Doors.operator(mvc);
    return new Doors(
        mvc, new io.leasehold.web.Caller(principal, "api-key", "test", any.caller().grants()));
  }
}
