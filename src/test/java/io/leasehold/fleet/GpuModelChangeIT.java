package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Shape;
import io.leasehold.ledger.Ledger;
import io.leasehold.tenancy.TenantService;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** A GPU model changes with the revision seen, and not under a live lease. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class GpuModelChangeIT {

  private static final String TWO = profile("2g.20gb", 2, 2, "0,2,4");
  private static final String THREE = profile("3g.40gb", 4, 3, "0,4");

  @Autowired MockMvc mvc;
  @Autowired Ledger ledger;
  @Autowired TenantService tenants;

  private Doors operator;
  private String slug;
  private String path;
  private Work work;

  @BeforeEach
  void aModelWithOneNode() {
    operator = Doors.operator(mvc);
    slug = "m-" + UUID.randomUUID().toString().substring(0, 8);
    path = "/gpu-models/" + slug;
    assertThat(operator.put(path, body("", TWO, THREE)).hasStatus(201).header("ETag"))
        .isEqualTo("\"1\"");
    String pool = "p-" + slug;
    tenants.plant(Origin.SYSTEM.actor(), Origin.SYSTEM.traceId(), "t-" + slug, null);
    operator.post("/pools", "{\"slug\":\"" + pool + "\"}").hasStatus(201);
    operator
        .put("/clusters/c-" + slug, "{\"pool\":\"%s\",\"adapter\":\"simulated\"}".formatted(pool))
        .hasStatus(201);
    operator
        .post(
            "/clusters/c-" + slug + "/nodes",
            "{\"name\":\"n1\",\"model\":\"%s\",\"gpuCount\":1}".formatted(slug))
        .hasStatus(201);
    work = new Work(ledger, pool, "t-" + slug);
  }

  private static String profile(String name, int size, int compute, String starts) {
    return "{\"name\":\"%s\",\"size\":%d,\"compute\":%d,\"starts\":[%s],\"most\":2}"
        .formatted(name, size, compute, starts);
  }

  private String body(String alias, String... profiles) {
    return """
    {"canonical": "GPU-%s", "aliases": [%s], "memoryMiB": 81920, "memorySlices": 8,
     "computeSlices": 7, "profiles": [%s]}"""
        .formatted(slug, alias.isEmpty() ? "" : '"' + alias + '"', String.join(",", profiles));
  }

  private Answer put(String body, String revision) {
    return operator.put(path, body, "If-Match", "\"" + revision + "\"");
  }

  @Test
  void takesTheRevisionSeenAndKeepsItsCanonicalName() {
    assertThat(operator.put(path, body("", TWO, THREE)).hasStatus(200).header("ETag"))
        .as("the same again")
        .isEqualTo("\"1\"");
    String changed = body("alias-" + slug, TWO, THREE);
    operator.put(path, changed).isProblem(428, "precondition-required");
    put(changed, "7").isProblem(412, "changed-meanwhile");
    assertThat(put(changed, "1").hasStatus(200).header("ETag")).isEqualTo("\"2\"");
    assertThat(operator.get("/gpu-models/ALIAS-" + slug).hasStatus(200).at("/slug"))
        .isEqualTo(slug);
    put(changed.replace("GPU-", "gpu-"), "2").faults("/canonical", "canonical-is-fixed");
    put(body("h100", TWO, THREE), "2").isProblem(409, "id-taken");
  }

  @Test
  void aNameThatItLostMeansNothingElse() {
    put(body("old-" + slug, TWO, THREE), "1").hasStatus(200);
    put(body("", TWO, THREE), "2").hasStatus(200);
    operator.get("/gpu-models/old-" + slug).hasStatus(404);
    operator
        .post(
            "/gpu-models",
            "{\"slug\":\"old-%s\",\"canonical\":\"X-%s\",\"memoryMiB\":1}".formatted(slug, slug))
        .isProblem(409, "id-taken");
    put(body("old-" + slug, TWO, THREE), "3").hasStatus(200);
  }

  @Test
  void whatALiveLeaseLiesOnIsNotChanged() {
    var lease = work.slice(new Shape.Slice.Mig("2g.20gb"), slug);
    assertThat(lease.state().hasPossession()).isTrue();
    put(body("", THREE), "1").isProblem(409, "in-use");
    put(body("", profile("2g.20gb", 2, 2, "0,2"), THREE), "1").isProblem(409, "in-use");
    put(body("", TWO, THREE).replace("\"computeSlices\": 7", "\"computeSlices\": 6"), "1")
        .isProblem(409, "in-use");
    assertThat(operator.get(path).header("ETag")).isEqualTo("\"1\"");
    put(body("", TWO), "1").hasStatus(200);
    var refused = work.slice(new Shape.Slice.Mig("3g.40gb"), slug);
    assertThat(refused.state()).as("the engine knows").isEqualTo(LeaseState.REFUSED);
  }

  @Test
  void whatALeaseWaitsForIsNotChanged() {
    work.slice(Shape.Slice.WHOLE, slug);
    var waiting = work.slice(new Shape.Slice.Mig("3g.40gb"), slug);
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    put(body("", TWO), "1").isProblem(409, "in-use");
    put(body("", THREE), "1").hasStatus(200);
  }
}
