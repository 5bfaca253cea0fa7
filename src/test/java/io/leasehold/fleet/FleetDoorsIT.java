package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.FreshDatabase;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** Pools, clusters, models and single nodes through their doors. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class FleetDoorsIT {

  @Autowired MockMvc mvc;

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

  @Test
  void addsANode() {
    Doors.Answer created =
        node("{\"name\":\"n1\",\"model\":\"H100-80GB\",\"gpuCount\":8,\"topology\":{\"rack\":\"r1\"}}")
            .hasStatus(201);
    assertThat(created.at("/model")).isEqualTo("NVIDIA-H100-80GB-HBM3");
    assertThat(created.at("/domain")).isEqualTo("///r1//n1");
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(operator.get("/nodes/" + created.at("/id")).json()).isEqualTo(created.json());
    assertThat(operator.get("/pools/" + pool).json().at("/capacity/0/usable").asInt()).isEqualTo(8);
  }

  private Doors.Answer node(String body) {
    return operator.post("/clusters/" + cluster + "/nodes", body);
  }
}
