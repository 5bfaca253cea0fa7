package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.FreshDatabase;
import io.leasehold.contract.Contracts;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
@ActiveProfiles("sample")
class SampleFleetIT {

  @Autowired MockMvc mvc;
  @Autowired SampleFleet fleet;
  @Autowired Contracts contracts;

  @Test
  void hasTwoPoolsOfWhichTwoThirdsAreGuaranteed() {
    Doors operator = Doors.operator(mvc);

    assertCapacity(operator.get("/pools/main").json(), "NVIDIA-H100-80GB-HBM3", 16, 128);
    assertCapacity(operator.get("/pools/main").json(), "NVIDIA-A100-SXM4-80GB", 8, 64);
    assertThat(operator.get("/pools/edge").at("/capacity/0/model")).isEqualTo("NVIDIA-A30");
    JsonNode signed = operator.get("/contracts?state=SIGNED&tenant=acme").json().at("/items");
    assertThat(signed.size()).isEqualTo(11);
    assertThat(contracts.poolsOf("vision")).containsExactly("main");
    assertThat(contracts.poolsOf("nlp")).containsExactly("edge", "main");
  }

  @Test
  void changesNothingAtTheNextStart() {
    Doors operator = Doors.operator(mvc);
    JsonNode nodes = operator.get("/clusters/k8s-east/nodes").json();
    operator
        .delete("/nodes/" + operator.get("/clusters/slurm-west/nodes").at("/items/0/id"))
        .hasStatus(200);

    fleet.run(null);

    assertThat(operator.get("/clusters/k8s-east/nodes").json()).isEqualTo(nodes);
    assertThat(operator.get("/clusters/slurm-west/nodes?retired=false").json().at("/items").size())
        .as("a node that was retired stays so")
        .isEqualTo(7);
    assertThat(operator.get("/contracts").json().at("/items").size()).isEqualTo(11);
  }

  private static void assertCapacity(JsonNode pool, String model, int nodes, int gpus) {
    assertThat(pool.at("/capacity").valueStream())
        .anyMatch(
            each ->
                each.at("/model").asString().equals(model)
                    && each.at("/nodes").asInt() == nodes
                    && each.at("/gpus").asInt() == gpus);
  }
}
