package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** What waits, seen from outside: in the gauges, and how many may wait for an answer at once. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WaitingLeasesIT {

  private static final int TOO_MANY = 3;

  @Autowired MockMvc mvc;
  @Autowired MeterRegistry registry;
  @Autowired WaitingMetrics waiting;

  private Scene scene;
  private Answer holder;

  @BeforeAll
  void allIsTaken() {
    scene = new Scene(mvc, 1);
    holder = scene.nlp.post("/leases", scene.request(8, "PT1H", "")).hasStatus(201);
  }

  private Answer waits() {
    return scene.vision.post("/leases", scene.request(8, "PT1H", "")).hasStatus(202);
  }

  private double gauge() {
    waiting.show();
    var found =
        registry
            .find("leasehold.gpus.waiting")
            .tags("pool", scene.pool, "tenant", scene.visionTeam)
            .gauges();
    return found.stream().mapToDouble(io.micrometer.core.instrument.Gauge::value).sum();
  }

  /** S62: five times eight GPUs. */
  @Test
  void showsTheGpusThatAreWaitedFor() {
    List<Answer> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(waits());
    }
    assertThat(gauge()).isEqualTo(40);
    assertThat(
            registry.find("leasehold.gpus.waiting").tags("pool", scene.pool).gauges().stream()
                .map(g -> g.getId().getTag("reason")))
        .isNotEmpty()
        .doesNotContain("undecided");
    for (Answer each : all) {
      scene.vision.post("/leases/" + each.at("/id") + "/cancel", "").hasStatus(200);
    }
    assertThat(gauge()).isZero();
  }

  @Test
  void aTenantHasABoundedNumberOfCallersWaiting() throws Exception {
    Answer lease = waits();
    String path = "/leases/" + lease.at("/id");
    String[] unchanged = {"If-None-Match", lease.header("ETag"), "Prefer", "wait=60"};
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < Waits.MOST_PER_TENANT + TOO_MANY; i++) {
        waiting.add(callers.submit(() -> scene.vision.getWith(path, unchanged)));
      }
      Awaitility.await().until(() -> waiting.stream().filter(Future::isDone).count() == TOO_MANY);
      for (Future<Answer> each : waiting.stream().filter(Future::isDone).toList()) {
        waiting.remove(each);
        assertThat(each.get().isProblem(429, "too-many-waits").header("Retry-After"))
            .isEqualTo("5");
      }
      String other = "/leases/" + holder.at("/id");
      Answer held = scene.nlp.get(other).hasStatus(200);
      scene
          .nlp
          .getWith(other, "If-None-Match", held.header("ETag"), "Prefer", "wait=1")
          .hasStatus(304);
      scene.vision.post(path + "/cancel", "").hasStatus(200);
      for (Future<Answer> each : waiting) {
        assertThat(each.get().hasStatus(200).at("/state")).isEqualTo("CANCELLED");
      }
    }
    Answer next = waits();
    scene
        .vision
        .getWith(
            "/leases/" + next.at("/id"), "If-None-Match", next.header("ETag"), "Prefer", "wait=1")
        .hasStatus(304);
    scene.vision.post("/leases/" + next.at("/id") + "/cancel", "").hasStatus(200);
  }
}
