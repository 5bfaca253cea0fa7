package io.leasehold.tenancy;

import static io.leasehold.tenancy.TwoTenants.created;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.FreshDatabase;
import io.leasehold.tenancy.Api.Answer;
import io.leasehold.tenancy.RoleMatrix.Reach;
import io.leasehold.web.Requires;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Every operation of the document, for every kind of caller: generated, so that a new path is in it
 * from the first day. Requests are empty, or about things of the blue team that are not there; what
 * is looked at is who gets past the gate, and that nobody ever sees an error of ours.
 */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "leasehold.web.rate.failures=100000",
      "leasehold.web.rate.caller=100000",
      "leasehold.web.rate.burst=100000",
      "leasehold.web.rate.tenant=100000",
      "leasehold.web.streams.life=PT0.1S"
    })
@FreshDatabase
class AccessMatrixIT {

  @LocalServerPort int port;
  @Autowired Environment environment;
  @Autowired JdbcClient jdbc;

  @Autowired
  @Qualifier("requestMappingHandlerMapping")
  RequestMappingHandlerMapping mapping;

  TwoTenants two;

  record Operation(String method, String path, String needs) {}

  @BeforeEach
  void tenants() {
    two = new TwoTenants(port, environment);
  }

  private List<Operation> operations() {
    Map<String, String> needs = needs();
    Set<String> undocumented = new TreeSet<>(needs.keySet());
    List<Operation> operations = new ArrayList<>();
    Answer document = two.admin.get("/v3/api-docs");
    document
        .body()
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .propertyNames()
                    .forEach(
                        verb -> {
                          String method = verb.toUpperCase(java.util.Locale.ROOT);
                          String name = method + " " + path.getKey();
                          assertThat(needs).as("documented, not mapped").containsKey(name);
                          undocumented.remove(name);
                          operations.add(new Operation(method, path.getKey(), needs.get(name)));
                        }));
    assertThat(undocumented).as("mapped, not documented").isEmpty();
    assertThat(operations).hasSizeGreaterThan(20);
    return operations;
  }

  /** What each mapped method and path declares. */
  private Map<String, String> needs() {
    Map<String, String> needs = new HashMap<>();
    mapping
        .getHandlerMethods()
        .forEach(
            (info, handler) -> {
              Requires requires = handler.getMethodAnnotation(Requires.class);
              if (requires != null) {
                for (String pattern : info.getPatternValues()) {
                  info.getMethodsCondition()
                      .getMethods()
                      .forEach(
                          method ->
                              needs.put(
                                  method + " " + pattern.replaceAll(":[^/}]*}", "}"),
                                  requires.value()));
                }
              }
            });
    return needs;
  }

  private Answer call(Api caller, Operation operation) {
    String path =
        operation
            .path()
            .replaceAll("\\{(slug|tenant)}", isTenant(operation) ? two.team : "nothing-here")
            .replaceAll("\\{(pool|cluster|model|serviceClass|class)}", "nothing-here")
            .replaceAll("\\{(index)}", "0")
            .replaceAll("\\{[^}]*}", UUID.randomUUID().toString());
    boolean body = !operation.method().equals("GET") && !operation.method().equals("DELETE");
    String type =
        operation.method().equals("PATCH") ? "application/merge-patch+json" : "application/json";
    if (path.endsWith("/csv") && body) {
      type = "text/csv";
    }
    return caller.send(
        operation.method(),
        path,
        body ? "{}" : null,
        "If-Match",
        "\"999999\"",
        "Content-Type",
        type);
  }

  private static boolean isTenant(Operation operation) {
    return operation.path().contains("/tenants/{");
  }

  @Test
  void withoutAValidCredentialThereIsNothing() {
    Api expired = two.service(two.team, "member");
    Api revoked = two.service(two.team, "member");
    end(expired, "expire_time = clock_timestamp()");
    end(revoked, "revoke_time = clock_timestamp()");
    for (Operation operation : operations()) {
      for (Api caller : List.of(two.admin.as(null), expired, revoked)) {
        Answer answer = call(caller, operation);
        assertThat(answer.status()).as(operation.toString()).isEqualTo(401);
        assertThat(answer.code()).isEqualTo("unauthenticated");
      }
    }
  }

  private void end(Api caller, String change) {
    jdbc.sql("update api_key set " + change + " where mark = :mark")
        .param("mark", KeyText.parse(caller.key()).orElseThrow().mark())
        .update();
  }

  @Test
  void theGateOpensAsTheMatrixSays() {
    Map<Role, Api> callers = new LinkedHashMap<>();
    callers.put(Role.PLATFORM_ADMIN, two.admin);
    callers.put(Role.OPERATOR, two.operator);
    callers.put(Role.AUDITOR, two.auditor);
    callers.put(Role.TENANT_ADMIN, two.teamAdmin);
    callers.put(Role.MEMBER, two.member);
    callers.put(Role.VIEWER, two.viewer);
    List<String> faults = new ArrayList<>();
    for (Operation operation : operations()) {
      callers.forEach(
          (role, caller) -> {
            Answer answer = call(caller, operation);
            boolean may = RoleMatrix.reach(role, operation.needs()) != Reach.NONE;
            boolean gated = answer.status() == 403 && answer.code().equals("forbidden");
            if (may == gated || answer.status() >= 500 || answer.status() == 401) {
              faults.add(
                  role + " " + operation + ": " + answer.status() + " " + answer.raw().body());
            }
          });
    }
    assertThat(faults).isEmpty();
  }

  @Test
  void anotherTenantsThingsAreNotThere() {
    List<String> faults = new ArrayList<>();
    for (Operation operation : operations()) {
      if (!isTenant(operation)) {
        continue;
      }
      for (Api caller : List.of(two.otherAdmin, two.otherMember)) {
        Answer answer = call(caller, operation);
        boolean hidden =
            answer.status() == 404
                || answer.status() == 403 && answer.code().equals("forbidden")
                || answer.status() == 400
                || answer.status() == 409;
        if (!hidden || answer.raw().body().contains("Blue")) {
          faults.add(operation + ": " + answer.status() + " " + answer.raw().body());
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  /** A small fleet, a contract of the blue root, and two leases of the blue team. */
  private List<String> leases() {
    String pool = "pool-" + UUID.randomUUID().toString().substring(24);
    created(two.operator.post("/api/v1/pools", "{\"slug\":\"%s\"}".formatted(pool)));
    created(
        two.operator.post(
            "/api/v1/clusters",
            "{\"slug\":\"c-%s\",\"pool\":\"%s\",\"adapter\":\"simulated\"}".formatted(pool, pool)));
    created(
        two.operator.post(
            "/api/v1/clusters/c-" + pool + "/nodes",
            "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":8}"));
    Answer draft =
        created(
            two.rootAdmin.post(
                "/api/v1/contracts",
                """
                {"pool":"%s","tenant":"%s","startTime":"2020-01-01T00:00:00Z",
                 "endTime":"2100-01-01T00:00:00Z",
                 "entitlements":[{"model":"h100","guaranteed":8}]}"""
                    .formatted(pool, two.root)));
    Answer signed =
        two.operator.post(
            "/api/v1/contracts/" + draft.text("id") + "/sign",
            "",
            "If-Match",
            draft.header("ETag"));
    assertThat(signed.status()).as(signed.raw().body()).isEqualTo(200);
    String request =
        "{\"name\":\"blue-ink\",\"gpu\":{\"models\":[\"h100\"],\"count\":8},\"duration\":\"PT1H\"}";
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Answer lease = two.member.post("/api/v1/leases", request);
      assertThat(lease.status()).as(lease.raw().body()).isEqualTo(i == 0 ? 201 : 202);
      ids.add(lease.text("id"));
    }
    ids.add(draft.text("id"));
    return ids;
  }

  @Test
  void anotherTenantsLeaseIsNotThereWhateverIsTried() {
    String id = leases().get(1);
    String before = two.member.get("/api/v1/leases/" + id).text("revision");
    List<String> faults = new ArrayList<>();
    int tried = 0;
    for (Operation operation : operations()) {
      if (!operation.path().startsWith("/api/v1/leases/{") || operation.method().equals("PUT")) {
        continue;
      }
      for (Api caller : List.of(two.otherAdmin, two.otherMember)) {
        Answer answer =
            call(caller, new Operation(operation.method(), at(operation, id), operation.needs()));
        boolean gated = answer.status() == 403 && answer.code().equals("forbidden");
        boolean mayNot = RoleMatrix.reach(Role.TENANT_ADMIN, operation.needs()) == Reach.NONE;
        if (answer.status() != 404 && answer.status() != 400 && !(gated && mayNot)
            || answer.raw().body().contains("blue")) {
          faults.add(operation + ": " + answer.status() + " " + answer.raw().body());
        }
        tried++;
      }
    }
    assertThat(faults).isEmpty();
    assertThat(tried).isGreaterThan(10);
    assertThat(two.member.get("/api/v1/leases/" + id).text("revision")).isEqualTo(before);
    Answer put =
        two.otherMember.put(
            "/api/v1/leases/" + id,
            "{\"tenant\":\"%s\",\"gpu\":{\"count\":1},\"duration\":\"PT1H\"}"
                .formatted(two.otherRoot));
    assertThat(put.status()).as(put.raw().body()).isIn(400, 403, 404, 409);
    assertThat(put.raw().body()).doesNotContain("blue-");
  }

  private static String at(Operation operation, String id) {
    return operation.path().replaceFirst("\\{[^}]*}", id);
  }

  @Test
  void listsOfOthersHaveNoTraceOfUs() {
    List<String> marks = new ArrayList<>(leases());
    marks.addAll(List.of(two.root, two.team, "blue-ink"));
    created(
        two.member.post("/api/v1/tenants/" + two.team + "/api-keys", "{\"name\":\"blue-ink\"}"));
    List<String> faults = new ArrayList<>();
    Set<String> seenByOurs = new TreeSet<>();
    for (Operation operation : operations()) {
      if (operation.method().equals("GET") && !operation.path().contains("{")) {
        for (Api caller : List.of(two.otherAdmin, two.otherMember)) {
          String body = call(caller, operation).raw().body();
          if (marks.stream().anyMatch(body::contains)) {
            faults.add(operation + ": " + body);
          }
        }
        String ours = call(two.rootAdmin, operation).raw().body();
        if (marks.stream().anyMatch(ours::contains)) {
          seenByOurs.add(operation.path());
        }
      }
    }
    assertThat(faults).isEmpty();
    assertThat(seenByOurs)
        .contains("/api/v1/leases", "/api/v1/tenants", "/api/v1/contracts", "/api/v1/audit");
  }
}
