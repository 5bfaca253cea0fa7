package io.leasehold.audit;

import static io.leasehold.tenancy.TwoTenants.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api.Answer;
import io.leasehold.tenancy.TwoTenants;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;

/** The record: complete for who may read it, empty for who may not. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@FreshDatabase
class AuditIT {

  @LocalServerPort int port;
  @Autowired Environment environment;
  @Autowired CallRecord calls;
  TwoTenants two;

  @BeforeEach
  void tenants() {
    two = new TwoTenants(port, environment);
  }

  private List<String> causes(Answer answer) {
    assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
    return answer.body().path("items").findValuesAsString("cause");
  }

  @Test
  void aChangeLeavesOneFactWithItsActorAndTrace() {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    String slug = two.team + "-seen";
    created(
        two.teamAdmin.post(
            "/api/v1/tenants",
            "{\"slug\":\"%s\",\"parent\":\"%s\"}".formatted(slug, two.team),
            "traceparent",
            "00-" + trace + "-00f067aa0ba902b7-01"));
    Answer facts = two.teamAdmin.get("/api/v1/audit?tenant=" + slug);
    assertThat(causes(facts)).containsExactly("tenant-created");
    var fact = facts.body().at("/items/0");
    assertThat(fact.path("subject").asString()).isEqualTo("tenant:" + slug);
    assertThat(fact.path("traceId").asString()).isEqualTo(trace);
    String self = two.teamAdmin.get("/api/v1/whoami").text("principal");
    assertThat(fact.at("/actor/principal").asString()).isEqualTo(self);
    assertThat(fact.at("/actor/kind").asString()).isEqualTo("api-key");
    assertThat(causes(two.teamAdmin.get("/api/v1/audit?actor=" + self))).contains("tenant-created");
    assertThat(causes(two.auditor.get("/api/v1/audit?tenant=" + two.root + "&pageSize=200")))
        .contains("tenant-created", "member-added", "key-created");
  }

  @Test
  void theRecordOfOthersDoesNotExist() {
    assertThat(causes(two.otherAdmin.get("/api/v1/audit?tenant=" + two.root))).isEmpty();
    assertThat(
            two.otherAdmin
                .get("/api/v1/audit?pageSize=200")
                .body()
                .path("items")
                .findValuesAsString("tenant"))
        .isNotEmpty()
        .allMatch(t -> t.equals(two.otherRoot));
    assertThat(two.member.get("/api/v1/audit").status()).isEqualTo(403);
    assertThat(two.operator.get("/api/v1/audit").status()).isEqualTo(403);
  }

  @Test
  void pagesShowEveryFactOnce() {
    List<String> seen = new ArrayList<>();
    String token = "";
    String path = "/api/v1/audit?pageSize=3&tenant=" + two.root + "&pageToken=";
    do {
      Answer page = two.rootAdmin.get(path + token);
      page.body()
          .path("items")
          .forEach(f -> seen.add(f.path("book").asString() + f.path("subject")));
      token = page.text("nextPageToken");
    } while (!token.isEmpty());
    int all =
        two.rootAdmin
            .get("/api/v1/audit?pageSize=200&tenant=" + two.root)
            .body()
            .path("items")
            .size();
    assertThat(seen).hasSize(all).doesNotHaveDuplicates();
    assertThat(all).isGreaterThan(3);
  }

  @Test
  void aRefusalIsRecordedOnceAndThenCounted() {
    String path = "/api/v1/tenants/" + two.otherRoot;
    for (int i = 0; i < 5; i++) {
      assertThat(
              two.member
                  .post("/api/v1/tenants", "{\"slug\":\"x\",\"parent\":\"" + two.team + "\"}")
                  .status())
          .isEqualTo(403);
      assertThat(two.teamAdmin.put(path, "{}").status()).isEqualTo(409);
      assertThat(two.teamAdmin.get(path).status()).isEqualTo(404);
    }
    String member = two.member.get("/api/v1/whoami").text("principal");
    String admin = two.teamAdmin.get("/api/v1/whoami").text("principal");
    await()
        .until(
            () ->
                causes(two.auditor.get("/api/v1/audit?actor=" + member)).contains("denied")
                    && causes(two.auditor.get("/api/v1/audit?actor=" + admin)).contains("denied"));
    assertThat(causes(two.auditor.get("/api/v1/audit?actor=" + member)).size())
        .isLessThanOrEqualTo(2);
    calls.writeCounts();
    Answer refusals = two.rootAdmin.get("/api/v1/audit/refusals");
    long counted =
        refusals
            .body()
            .path("items")
            .valueStream()
            .filter(r -> r.path("principal").asString().equals(member))
            .filter(r -> r.path("operation").asString().equals("tenant-write"))
            .mapToLong(r -> r.path("count").asLong())
            .sum();
    assertThat(counted).isEqualTo(5);
    assertThat(two.otherAdmin.get("/api/v1/audit/refusals").body().path("items")).isEmpty();
  }

  @Test
  void aPlatformAdminsReadOfLeasesIsRecorded() {
    assertThat(two.admin.get("/api/v1/leases").status()).isEqualTo(200);
    assertThat(two.operator.get("/api/v1/leases").status()).isEqualTo(200);
    String admin = two.admin.get("/api/v1/whoami").text("principal");
    String operator = two.operator.get("/api/v1/whoami").text("principal");
    await()
        .until(
            () ->
                causes(two.auditor.get("/api/v1/audit?actor=" + admin))
                    .contains("read-across-tenants"));
    assertThat(causes(two.auditor.get("/api/v1/audit?actor=" + operator))).isEmpty();
  }
}
