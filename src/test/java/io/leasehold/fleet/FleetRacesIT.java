package io.leasehold.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors;
import io.leasehold.FreshDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.MockMvc;

/** Several callers change the same part of the fleet at once: each effect is whole, and once. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class FleetRacesIT {

  private static final int CALLERS = 8;

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
  void oneNodeOfAName() throws Exception {
    List<Doors.Answer> answers =
        atOnce(
            i ->
                operator.post(
                    "/clusters/" + cluster + "/nodes",
                    "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":" + (i + 1) + "}"));

    assertThat(statuses(answers)).containsOnlyOnce(201).containsOnly(201, 409);
    assertThat(nodes()).isEqualTo(1);
  }

  @Test
  void theSameInventoryIsThereOnce() throws Exception {
    StringBuilder csv = new StringBuilder("name,gpu,model\n");
    for (int i = 0; i < 20; i++) {
      csv.append("n").append(i).append(",8,h100\n");
    }
    List<Doors.Answer> answers =
        atOnce(i -> operator.postCsv("/fleet/imports/csv?cluster=" + cluster, csv.toString()));

    assertThat(statuses(answers)).contains(200).containsAnyOf(200, 409).doesNotContain(500);
    int added =
        answers.stream()
            .filter(answer -> answer.response().getStatus() == 200)
            .mapToInt(answer -> answer.json().at("/added").asInt())
            .sum();
    assertThat(added).isEqualTo(20);
    assertThat(nodes()).isEqualTo(20);
  }

  @Test
  void noChangeOfANodeIsLost() throws Exception {
    String id =
        operator
            .post(
                "/clusters/" + cluster + "/nodes",
                "{\"name\":\"n1\",\"model\":\"h100\",\"gpuCount\":8}")
            .hasStatus(201)
            .at("/id");

    List<Doors.Answer> answers =
        atOnce(i -> operator.patch("/nodes/" + id + "/gpus/" + i, "{\"health\":\"SUSPECT\"}"));

    List<Integer> statuses = statuses(answers);
    assertThat(statuses)
        .containsOnly(statuses.contains(409) ? new Integer[] {200, 409} : new Integer[] {200});
    long done = statuses.stream().filter(status -> status == 200).count();
    assertThat(operator.get("/nodes/" + id).json().at("/revision").asLong()).isEqualTo(1 + done);
    assertThat(
            operator
                .get("/nodes/" + id)
                .json()
                .at("/gpus")
                .valueStream()
                .filter(gpu -> gpu.at("/health").asString().equals("SUSPECT"))
                .count())
        .isEqualTo(done);
  }

  @Test
  void onePoolAndOneClusterOfASlug() throws Exception {
    List<Doors.Answer> made = atOnce(i -> operator.post("/pools", "{\"slug\":\"x" + pool + "\"}"));
    assertThat(statuses(made)).containsOnlyOnce(201).containsOnly(201, 409);

    List<Doors.Answer> registered =
        atOnce(
            i ->
                operator.put(
                    "/clusters/x" + cluster,
                    "{\"pool\":\"%s\",\"adapter\":\"simulated\",\"description\":\"%d\"}"
                        .formatted(pool, i)));
    assertThat(statuses(registered)).containsOnlyOnce(201).doesNotContain(500);
  }

  private int nodes() {
    return operator.get("/clusters/" + cluster + "/nodes?pageSize=200").json().at("/items").size();
  }

  private static List<Integer> statuses(List<Doors.Answer> answers) {
    return answers.stream().map(answer -> answer.response().getStatus()).toList();
  }

  private static List<Doors.Answer> atOnce(IntFunction<Doors.Answer> call) throws Exception {
    CyclicBarrier together = new CyclicBarrier(CALLERS);
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      List<Future<Doors.Answer>> calls = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        calls.add(
            callers.submit(
                () -> {
                  together.await();
                  return call.apply(caller);
                }));
      }
      List<Doors.Answer> answers = new ArrayList<>();
      for (Future<Doors.Answer> each : calls) {
        answers.add(each.get());
      }
      return answers;
    }
  }
}
