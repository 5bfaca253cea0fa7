package io.leasehold.tenancy;

import static io.leasehold.tenancy.TwoTenants.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Keys and roles: who hands out what, and when it ends. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@FreshDatabase
class ApiKeysIT {

  @LocalServerPort int port;
  @Autowired Environment environment;
  @Autowired JdbcClient jdbc;
  @Autowired LastUse lastUse;
  TwoTenants two;
  String keys;

  @BeforeEach
  void tenants() {
    two = new TwoTenants(port, environment);
    keys = "/api/v1/tenants/" + two.team + "/api-keys";
  }

  @Test
  void aKeyShowsItsSecretOnceAndWorks() {
    Answer made = created(two.member.post(keys, "{\"name\":\"ci-train\"}"));
    String secret = made.text("key");
    assertThat(secret).matches("lh_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}");
    assertThat(made.header("Cache-Control")).contains("no-store");
    assertThat(made.text("role")).isEqualTo("member");
    assertThat(Instant.parse(made.text("expireTime")))
        .isCloseTo(
            Instant.now().plus(Duration.ofDays(90)),
            org.assertj.core.api.Assertions.within(5, ChronoUnit.MINUTES));
    Answer who = two.member.as(secret).get("/api/v1/whoami");
    assertThat(who.text("kind")).isEqualTo("api-key");
    assertThat(who.text("name")).isEqualTo("ci-train");
    assertThat(who.body().at("/tenants/0/tenant").asString()).isEqualTo(two.team);
    assertThat(who.body().at("/tenants/0/roles/0").asString()).isEqualTo("member");
    Answer read = two.member.get("/api/v1/api-keys/" + made.text("id"));
    assertThat(read.body().has("key")).isFalse();
    String kept =
        jdbc.sql("select string_agg(k::text, ' ') from api_key k").query(String.class).single();
    assertThat(kept).doesNotContain(secret.substring(21));
  }

  @Test
  void aReplayedCreationGivesEverythingButTheSecret() {
    String body = "{\"name\":\"once\"}";
    Answer first = created(two.member.post(keys, body, "Idempotency-Key", "key-once"));
    Answer again = created(two.member.post(keys, body, "Idempotency-Key", "key-once"));
    assertThat(again.text("id")).isEqualTo(first.text("id"));
    assertThat(again.body().has("key")).isFalse();
    String stored =
        jdbc.sql("select string_agg(reply::text, ' ') from idempotency_key")
            .query(String.class)
            .single();
    assertThat(stored).doesNotContain(first.text("key"));
  }

  /** What was asked for is past by now, and was not when it was made. */
  @Test
  void aReplayedCreationStandsWhenItsExpiryHasPassed() {
    Instant expire = Instant.now().plusSeconds(2).truncatedTo(ChronoUnit.SECONDS);
    String body = "{\"name\":\"brief\",\"expireTime\":\"" + expire + "\"}";
    Answer first = created(two.member.post(keys, body, "Idempotency-Key", "key-brief"));
    await().until(() -> Instant.now().isAfter(expire.plusMillis(100)));
    Answer again = created(two.member.post(keys, body, "Idempotency-Key", "key-brief"));
    assertThat(again.text("id")).isEqualTo(first.text("id"));
    assertThat(two.member.post(keys, body).status()).isEqualTo(400);
  }

  @Test
  void aRevokedKeyEndsWithinFiveSeconds() {
    Answer made = created(two.member.post(keys, "{\"name\":\"short\"}"));
    Api key = two.member.as(made.text("key"));
    assertThat(key.get("/api/v1/whoami").status()).isEqualTo(200);
    assertThat(two.member.post("/api/v1/api-keys/" + made.text("id") + "/revoke", null).status())
        .isEqualTo(200);
    await().atMost(Duration.ofSeconds(6)).until(() -> key.get("/api/v1/whoami").status() == 401);
    assertThat(two.member.post("/api/v1/api-keys/" + made.text("id") + "/rotate", "{}").code())
        .isEqualTo("illegal-move");
  }

  @Test
  void anExpiredKeyIsNoKey() {
    Answer made = created(two.member.post(keys, "{\"name\":\"old\"}"));
    jdbc.sql("update api_key set expire_time = clock_timestamp() where id = cast(:id as uuid)")
        .param("id", made.text("id"))
        .update();
    assertThat(two.member.as(made.text("key")).get("/api/v1/whoami").status()).isEqualTo(401);
  }

  @Test
  void aRotatedKeyOverlapsWithItsSuccessor() {
    Answer made = created(two.member.post(keys, "{\"name\":\"turn\"}"));
    String path = "/api/v1/api-keys/" + made.text("id") + "/rotate";
    assertThat(two.member.post(path, "{\"overlap\":\"P8D\"}").status()).isEqualTo(400);
    Answer next = created(two.member.post(path, "{\"overlap\":\"PT1H\"}"));
    Answer before = two.member.as(made.text("key")).get("/api/v1/whoami");
    Answer after = two.member.as(next.text("key")).get("/api/v1/whoami");
    assertThat(before.status()).isEqualTo(200);
    assertThat(after.text("principal")).isEqualTo(before.text("principal"));
    assertThat(
            Instant.parse(two.member.get("/api/v1/api-keys/" + made.text("id")).text("expireTime")))
        .isBefore(Instant.now().plus(Duration.ofHours(2)));
  }

  @Test
  void nobodyMakesAKeyThatDoesMoreThanItself() {
    assertThat(two.member.post(keys, "{\"name\":\"x\",\"role\":\"tenant-admin\"}").status())
        .isEqualTo(403);
    assertThat(two.viewer.post(keys, "{\"name\":\"x\",\"role\":\"viewer\"}").status())
        .isEqualTo(403);
    assertThat(two.teamAdmin.post(keys, "{\"name\":\"x\",\"role\":\"operator\"}").status())
        .isEqualTo(400);
    assertThat(
            two.teamAdmin
                .post("/api/v1/tenants/" + two.root + "/api-keys", "{\"name\":\"x\"}")
                .status())
        .isEqualTo(404);
    assertThat(two.otherMember.post(keys, "{\"name\":\"x\"}").status()).isEqualTo(404);
    assertThat(two.admin.post(keys, "{\"name\":\"x\",\"role\":\"member\"}").status())
        .isEqualTo(403);
    assertThat(
            two.admin
                .post("/api/v1/platform/api-keys", "{\"name\":\"x\",\"role\":\"operator\"}")
                .status())
        .isEqualTo(403);
  }

  @Test
  void scopesNarrowAKeyAndWhatItMakes() {
    Answer made =
        created(
            two.teamAdmin.post(
                keys,
                "{\"name\":\"n\",\"role\":\"tenant-admin\",\"scopes\":[\"key-write\",\"tenant-read\"]}"));
    Api narrow = two.member.as(made.text("key"));
    assertThat(narrow.get("/api/v1/tenants").status()).isEqualTo(200);
    assertThat(narrow.get("/api/v1/tenants/" + two.team + "/members").status()).isEqualTo(403);
    assertThat(narrow.post(keys, "{\"name\":\"w\"}").status()).isEqualTo(403);
    assertThat(narrow.post(keys, "{\"name\":\"w\",\"scopes\":[\"member-write\"]}").status())
        .isEqualTo(403);
    created(narrow.post(keys, "{\"name\":\"w\",\"scopes\":[\"tenant-read\"]}"));
    assertThat(two.teamAdmin.post(keys, "{\"name\":\"w\",\"scopes\":[\"fly\"]}").status())
        .isEqualTo(400);
  }

  @Test
  void aMemberSeesItsOwnKeysOnly() {
    Answer own = created(two.member.post(keys, "{\"name\":\"mine\"}"));
    Answer others = created(two.teamAdmin.post(keys, "{\"name\":\"theirs\"}"));
    assertThat(two.member.get(keys).body().path("items").findValuesAsString("name"))
        .contains("mine")
        .doesNotContain("theirs");
    assertThat(two.teamAdmin.get(keys).body().path("items").findValuesAsString("name"))
        .contains("mine", "theirs");
    assertThat(two.member.get("/api/v1/api-keys/" + others.text("id")).status()).isEqualTo(404);
    assertThat(two.otherAdmin.get("/api/v1/api-keys/" + own.text("id")).status()).isEqualTo(404);
    assertThat(two.otherAdmin.post("/api/v1/api-keys/" + own.text("id") + "/revoke", null).status())
        .isEqualTo(404);
  }

  @Test
  void fiftyKeysAreEnough() {
    for (int i = 0; i < 60; i++) {
      Answer made = two.teamAdmin.post(keys, "{\"name\":\"many\"}");
      if (made.status() != 201) {
        assertThat(made.code()).isEqualTo("refused-limit");
        assertThat(two.teamAdmin.get(keys + "?pageSize=200").body().path("items")).hasSize(50);
        return;
      }
    }
    throw new AssertionError("sixty keys were made");
  }

  @Test
  void aKeyFallsWithItsOwnersRole() {
    Answer made = created(two.member.post(keys, "{\"name\":\"orphan\"}"));
    Api key = two.member.as(made.text("key"));
    assertThat(key.get("/api/v1/tenants/" + two.team).status()).isEqualTo(200);
    String owner = made.text("owner");
    assertThat(two.teamAdmin.delete("/api/v1/tenants/" + two.team + "/members/" + owner).status())
        .isEqualTo(204);
    await()
        .atMost(Duration.ofSeconds(6))
        .until(() -> key.get("/api/v1/tenants/" + two.team).status() == 403);
  }

  @Test
  void nobodyGivesItselfARole() {
    String self = two.teamAdmin.get("/api/v1/whoami").text("principal");
    String owner =
        jdbc.sql("select owner::text from api_key where principal = cast(:p as uuid)")
            .param("p", self)
            .query(String.class)
            .single();
    Answer own =
        two.teamAdmin.post(
            "/api/v1/tenants/" + two.team + "/members",
            "{\"principal\":\"%s\",\"role\":\"member\"}".formatted(owner));
    assertThat(own.code()).isEqualTo("not-oneself");
    assertThat(
            two.teamAdmin
                .post(
                    "/api/v1/tenants/" + two.root + "/members",
                    "{\"name\":\"x\",\"role\":\"member\"}")
                .status())
        .isEqualTo(404);
    assertThat(
            two.teamAdmin
                .post(
                    "/api/v1/tenants/" + two.team + "/members",
                    "{\"name\":\"x\",\"role\":\"platform-admin\"}")
                .status())
        .isEqualTo(400);
    assertThat(
            two.teamAdmin
                .post("/api/v1/platform/members", "{\"name\":\"x\",\"role\":\"operator\"}")
                .status())
        .isEqualTo(403);
  }

  @Test
  void theLastPlatformAdminStays() {
    var admins =
        two.admin
            .get("/api/v1/platform/members?pageSize=200")
            .body()
            .path("items")
            .valueStream()
            .filter(m -> m.path("role").asString().equals("platform-admin"))
            .map(m -> m.path("principal").asString())
            .toList();
    String self =
        jdbc.sql("select owner::text from api_key where principal = cast(:p as uuid)")
            .param("p", two.admin.get("/api/v1/whoami").text("principal"))
            .query(String.class)
            .single();
    for (String admin : admins) {
      if (!admin.equals(self)) {
        assertThat(two.admin.delete("/api/v1/platform/members/" + admin).status()).isEqualTo(204);
      }
    }
    Answer last = two.admin.delete("/api/v1/platform/members/" + self);
    assertThat(last.code()).isEqualTo("last-platform-admin");
    assertThat(two.admin.get("/api/v1/platform/members").status()).isEqualTo(200);
  }

  @Test
  void lastUseIsWrittenInBatches() {
    Answer made = created(two.member.post(keys, "{\"name\":\"used\"}"));
    two.member.as(made.text("key")).get("/api/v1/whoami");
    String path = "/api/v1/api-keys/" + made.text("id");
    assertThat(two.member.get(path).body().has("lastUsedTime")).isFalse();
    lastUse.write();
    assertThat(Instant.parse(two.member.get(path).text("lastUsedTime")))
        .isCloseTo(Instant.now(), org.assertj.core.api.Assertions.within(1, ChronoUnit.MINUTES));
  }

  @Test
  void theFirstAdminIsMadeOnceAndRecorded() {
    Answer audit = two.auditor.get("/api/v1/audit?pageSize=200");
    assertThat(audit.status()).as(audit.raw().body()).isEqualTo(200);
    await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () ->
                jdbc.sql("select count(*) from bootstrap where not audited")
                        .query(Integer.class)
                        .single()
                    == 0);
  }

  @Test
  void aDevelopmentKeyOpensNothingOutsideASample() {
    KeyRows rows = new KeyRows(jdbc);
    KeyText dev = KeyText.random(KeyText.DEV);
    java.util.UUID owner = rows.newPrincipal("service", "dump of a sample");
    jdbc.sql("insert into member (principal, role) values (:p, 'operator')")
        .param("p", owner)
        .update();
    rows.insert(
        new KeyRows.NewKey(
            dev,
            null,
            owner,
            null,
            null,
            java.util.List.of(),
            "dump",
            Instant.now().plus(Duration.ofDays(7))));
    assertThat(two.admin.as(dev.text()).get("/api/v1/whoami").status()).isEqualTo(401);
  }
}
