package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.FreshDatabase;
import io.leasehold.ledger.Ledger;
import io.leasehold.tenancy.TenantService;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** The fleet in the gauges. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class FleetMetricsIT {

  @Autowired MockMvc mvc;
  @Autowired Ledger ledger;
  @Autowired MeterRegistry registry;
  @Autowired FleetMetrics metrics;
  @Autowired TenantService tenants;

  private Doors operator;
  private String pool;
  private String cluster;

  @BeforeEach
  void aPoolWithACluster() {
    operator = Doors.operator(mvc);
    String unique = UUID.randomUUID().toString().substring(0, 8);
    pool = "p-" + unique;
    cluster = "c-" + unique;
    operator.post("/pools", "{\"slug\":\"" + pool + "\"}").hasStatus(201);
    operator
        .post(
            "/clusters",
            "{\"slug\":\"%s\",\"pool\":\"%s\",\"adapter\":\"simulated\"}".formatted(cluster, pool))
        .hasStatus(201);
  }

  private String node(String name, String model, int gpus) {
    return operator
        .post(
            "/clusters/" + cluster + "/nodes",
            "{\"name\":\"%s\",\"model\":\"%s\",\"gpuCount\":%d}".formatted(name, model, gpus))
        .hasStatus(201)
        .at("/id");
  }

  private double gpus(String... tags) {
    metrics.show();
    return registry
        .find("leasehold.gpus")
        .tags("pool", pool, "cluster", cluster)
        .tags(tags)
        .gauges()
        .stream()
        .mapToDouble(Gauge::value)
        .sum();
  }

  @Test
  void showsEachGpuOnceByModelHealthAndState() {
    String node = node("n1", "h100", 8);
    node("n2", "a100", 4);
    assertThat(gpus()).isEqualTo(12);
    assertThat(gpus("model", "h100", "health", "OK", "state", "free")).isEqualTo(8);

    operator.patch("/nodes/" + node + "/gpus/7", "{\"health\":\"BROKEN\"}").hasStatus(200);
    assertThat(gpus("model", "h100", "health", "OK", "state", "free")).isEqualTo(7);
    assertThat(gpus("health", "BROKEN")).isEqualTo(1);

    operator.post("/nodes/drain", "{\"nodeIds\":[\"" + node + "\"]}").hasStatus(200);
    assertThat(gpus("health", "OK", "state", "draining")).isEqualTo(7);
    assertThat(gpus("state", "free")).isEqualTo(4);

    operator.delete("/nodes/" + node).hasStatus(200);
    assertThat(gpus()).as("of what is there").isEqualTo(4);
  }

  @Test
  void aGpuOfWhichALeaseHasAPartIsLeasedEvenWhenItsNodeIsRetired() {
    String tenant = "t-" + pool;
    tenants.plant(Origin.SYSTEM.actor(), Origin.SYSTEM.traceId(), tenant, null);
    String node = node("n1", "h100", 8);
    new Work(ledger, pool, tenant).lease(3, Duration.ofHours(1));
    assertThat(gpus("state", "leased")).isEqualTo(3);
    assertThat(gpus("state", "free")).isEqualTo(5);

    operator.delete("/nodes/" + node + "?shrink=degrade").hasStatus(200);
    assertThat(gpus("state", "leased", "health", "RETIRED")).isEqualTo(3);
    assertThat(gpus()).isEqualTo(3);
  }
}
