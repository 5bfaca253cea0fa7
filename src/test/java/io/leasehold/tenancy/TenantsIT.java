package io.leasehold.tenancy;

import static io.leasehold.tenancy.TwoTenants.created;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api.Answer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;

/** The tree of tenants over a real port, with two roots that know nothing of each other. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@FreshDatabase
class TenantsIT {

  @LocalServerPort int port;
  @Autowired Environment environment;
  TwoTenants two;

  @BeforeEach
  void tenants() {
    two = new TwoTenants(port, environment);
  }

  @Test
  void aTenantAdminGrowsItsOwnSubtreeOnly() {
    String slug = two.team + "-robots";
    Answer answer =
        created(
            two.teamAdmin.post(
                "/api/v1/tenants",
                "{\"slug\":\"%s\",\"parent\":\"%s\",\"name\":\"Robots\"}"
                    .formatted(slug, two.team)));
    assertThat(answer.header("ETag")).isEqualTo("\"1\"");
    assertThat(answer.header("Location")).isEqualTo("/api/v1/tenants/" + slug);
    assertThat(two.rootAdmin.get("/api/v1/tenants/" + slug).status()).isEqualTo(200);
    assertThat(two.otherAdmin.get("/api/v1/tenants/" + slug).status()).isEqualTo(404);

    Answer foreign =
        two.teamAdmin.post(
            "/api/v1/tenants",
            "{\"slug\":\"x-%s\",\"parent\":\"%s\"}".formatted(slug, two.otherRoot));
    assertThat(foreign.status()).isEqualTo(404);
    Answer root = two.teamAdmin.post("/api/v1/tenants", "{\"slug\":\"y-%s\"}".formatted(slug));
    assertThat(root.status()).isEqualTo(403);
    assertThat(
            two.member
                .post(
                    "/api/v1/tenants",
                    "{\"slug\":\"z-%s\",\"parent\":\"%s\"}".formatted(slug, two.team))
                .status())
        .isEqualTo(403);
  }

  @Test
  void aForeignTenantIsNotThereWordForWord() {
    Answer foreign = two.member.get("/api/v1/tenants/" + two.otherRoot);
    Answer nothing = two.member.get("/api/v1/tenants/nothing-of-the-kind");
    assertThat(foreign.status()).isEqualTo(404);
    assertThat(foreign.text("detail")).isEqualTo(nothing.text("detail"));
    assertThat(foreign.code()).isEqualTo(nothing.code());
  }

  @Test
  void listsShowTheSubtreeAndNothingElse() {
    Answer list = two.rootAdmin.get("/api/v1/tenants");
    assertThat(list.body().path("items").findValuesAsString("slug"))
        .containsExactly(two.team, two.root);
    Answer all = two.auditor.get("/api/v1/tenants");
    assertThat(all.body().path("items").findValuesAsString("slug"))
        .contains(two.team, two.root, two.otherRoot);
  }

  @Test
  void pagesShowEachTenantOnceAndTokensAreBoundToTheFilters() {
    for (int i = 0; i < 5; i++) {
      created(
          two.teamAdmin.post(
              "/api/v1/tenants",
              "{\"slug\":\"%s-%d\",\"parent\":\"%s\"}".formatted(two.team, i, two.team)));
    }
    java.util.List<String> seen = new java.util.ArrayList<>();
    String token = "";
    do {
      Answer page =
          two.teamAdmin.get(
              "/api/v1/tenants?pageSize=2&parent=" + two.team + "&pageToken=" + token);
      assertThat(page.status()).as(page.raw().body()).isEqualTo(200);
      seen.addAll(page.body().path("items").findValuesAsString("slug"));
      token = page.text("nextPageToken");
      if (!token.isEmpty()) {
        assertThat(two.teamAdmin.get("/api/v1/tenants?pageSize=2&pageToken=" + token).status())
            .isEqualTo(400);
      }
    } while (!token.isEmpty());
    assertThat(seen).hasSize(5).doesNotHaveDuplicates();
  }

  @Test
  void noTenantIsItsOwnAncestor() {
    String path = "/api/v1/tenants/" + two.root;
    String etag = two.admin.get(path).header("ETag");
    for (String parent : new String[] {two.root, two.team}) {
      Answer cycle = two.admin.put(path, "{\"parent\":\"%s\"}".formatted(parent), "If-Match", etag);
      assertThat(cycle.status()).isEqualTo(400);
      assertThat(cycle.body().at("/errors/0/pointer").asString()).isEqualTo("/parent");
      assertThat(cycle.body().at("/errors/0/code").asString()).isEqualTo("cycle");
    }
    Answer own =
        two.admin.post("/api/v1/tenants", "{\"slug\":\"self-made\",\"parent\":\"self-made\"}");
    assertThat(own.status()).isEqualTo(404);
  }

  @Test
  void aMoveTakesTheWholeSubtreeAlong() {
    created(
        two.teamAdmin.post(
            "/api/v1/tenants",
            "{\"slug\":\"%s-below\",\"parent\":\"%s\"}".formatted(two.team, two.team)));
    String path = "/api/v1/tenants/" + two.team;
    Answer moved =
        two.admin.put(
            path,
            "{\"parent\":\"%s\"}".formatted(two.otherRoot),
            "If-Match",
            two.admin.get(path).header("ETag"));
    assertThat(moved.status()).as(moved.raw().body()).isEqualTo(200);
    assertThat(two.otherAdmin.get(path + "-below").status()).isEqualTo(200);
    assertThat(two.rootAdmin.get(path + "-below").status()).isEqualTo(404);
    assertThat(two.rootAdmin.get("/api/v1/tenants").body().path("items")).hasSize(1);
  }

  @Test
  void replacingNeedsTheRevisionThatWasRead() {
    String path = "/api/v1/tenants/" + two.team;
    String body = "{\"parent\":\"%s\",\"name\":\"Blue\"}".formatted(two.root);
    assertThat(two.teamAdmin.put(path, body).status()).isEqualTo(428);
    assertThat(two.teamAdmin.put(path, body, "If-Match", "\"1\"").status()).isEqualTo(200);
    assertThat(two.teamAdmin.put(path, body).status()).isEqualTo(200);
    Answer lost =
        two.teamAdmin.put(
            path, "{\"parent\":\"%s\",\"name\":\"Red\"}".formatted(two.root), "If-Match", "\"1\"");
    assertThat(lost.status()).isEqualTo(412);
    assertThat(two.teamAdmin.get(path).text("name")).isEqualTo("Blue");
  }

  @Test
  void aPatchLeavesWhatItDoesNotName() {
    String path = "/api/v1/tenants/" + two.team;
    String identities =
        "{\"identities\":[{\"cluster\":\"slurm-west\",\"kind\":\"slurm-account\",\"value\":\"b\"}]}";
    Answer first = two.teamAdmin.patch(path, "{\"name\":\"Blue\"}");
    assertThat(first.status()).as(first.raw().body()).isEqualTo(200);
    Answer second = two.teamAdmin.patch(path, identities);
    assertThat(second.text("name")).isEqualTo("Blue");
    assertThat(second.body().at("/identities/0/value").asString()).isEqualTo("b");
    Answer third = two.teamAdmin.patch(path, "{\"name\":null}");
    assertThat(third.body().has("name")).isFalse();
    assertThat(third.body().path("identities")).hasSize(1);
    assertThat(
            two.teamAdmin
                .send("PATCH", path, "{\"name\":\"x\"}", "Content-Type", "application/json")
                .status())
        .isEqualTo(415);
  }

  @Test
  void aRetiredTenantKeepsItsSlugAndItsRolesEnd() {
    String path = "/api/v1/tenants/" + two.root;
    assertThat(two.admin.post(path + "/retire", null).code()).isEqualTo("illegal-move");
    assertThat(two.admin.post("/api/v1/tenants/" + two.team + "/retire", null).text("state"))
        .isEqualTo("RETIRED");
    assertThat(two.rootAdmin.post(path + "/retire", null).status()).isEqualTo(403);
    assertThat(two.admin.post(path + "/retire", null).status()).isEqualTo(200);
    assertThat(two.admin.post("/api/v1/tenants", "{\"slug\":\"%s\"}".formatted(two.root)).code())
        .isEqualTo("id-taken");
    assertThat(two.member.get("/api/v1/whoami").body().path("tenants")).isEmpty();
  }

  @Test
  void oneIdempotencyKeyHasOneEffect() {
    String slug = two.team + "-once";
    String body = "{\"slug\":\"%s\",\"parent\":\"%s\"}".formatted(slug, two.team);
    String reordered = "{ \"parent\":\"%s\",  \"slug\":\"%s\"}".formatted(two.team, slug);
    Answer first = created(two.teamAdmin.post("/api/v1/tenants", body, "Idempotency-Key", "k1"));
    Answer again =
        created(two.teamAdmin.post("/api/v1/tenants", reordered, "Idempotency-Key", "\"k1\""));
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(
            two.teamAdmin
                .post("/api/v1/tenants", body.replace("once", "twice"), "Idempotency-Key", "k1")
                .status())
        .isEqualTo(422);
    assertThat(two.rootAdmin.post("/api/v1/tenants", body, "Idempotency-Key", "k1").code())
        .isEqualTo("id-taken");
  }
}
