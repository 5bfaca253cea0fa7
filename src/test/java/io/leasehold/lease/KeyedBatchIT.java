package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Doors.Answer;
import io.leasehold.FreshDatabase;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.MockMvc;

/** A long batch under a key is decided in parts, and nobody sees them. */
@SpringBootTest
@AutoConfigureMockMvc
@FreshDatabase
class KeyedBatchIT {

  private static final int SIZE = 150;

  @Autowired MockMvc mvc;
  @Autowired JdbcClient jdbc;

  /** E20: the same again is answered the same, even when the requests would be refused by now. */
  @Test
  void aRetryIsAnsweredTheSameInAllParts() {
    Scene scene = new Scene(mvc, 1);
    String batch = batch(scene, SIZE);
    Answer first = send(scene, batch).hasStatus(200);
    assertThat(ids(first)).hasSize(SIZE).doesNotHaveDuplicates();

    Answer again = send(scene, batch).hasStatus(200);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(ids(again)).isEqualTo(ids(first));

    scene.endContracts(mvc);
    Answer stale = send(scene, batch).hasStatus(200);
    assertThat(stale.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(ids(stale)).containsExactlyInAnyOrderElementsOf(ids(first));
    assertThat(leases(scene)).isEqualTo(SIZE);
  }

  /** One request, whose start, or contract, has passed by the time it is repeated. */
  @Test
  void aRetryOfOneRequestIsAnsweredTheSame() {
    Scene scene = new Scene(mvc, 1);
    String one = scene.request(1, "PT1H", "");
    Answer first = scene.vision.post("/leases", one, "Idempotency-Key", "one").hasStatus(201);
    scene.endContracts(mvc);
    Answer stale = scene.vision.post("/leases", one, "Idempotency-Key", "one").hasStatus(201);
    assertThat(stale.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(stale.at("/id")).isEqualTo(first.at("/id"));
    scene.vision.post("/leases", one).hasStatus(400);
  }

  /** All of an atomic batch was kept; that stands when its requests would be refused by now. */
  @Test
  void aRetryOfAnAtomicBatchIsAnsweredTheSame() {
    Scene scene = new Scene(mvc, 1);
    String batch = batch(scene, 3).replace("{\"leases\"", "{\"atomic\": true, \"leases\"");
    Answer first = send(scene, batch).hasStatus(200);
    scene.endContracts(mvc);
    Answer stale = send(scene, batch).hasStatus(200);
    assertThat(stale.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(ids(stale)).isEqualTo(ids(first)).hasSize(3);
    assertThat(leases(scene)).isEqualTo(3);
  }

  /** E20: another body under the key is refused, although only a later part has left a trace. */
  @Test
  void anotherBodyIsRefusedWhereverTheFirstLeftATrace() {
    Scene scene = new Scene(mvc, 1);
    send(scene, batch(scene, SIZE)).hasStatus(200);
    assertThat(
            jdbc.sql("delete from idempotency_key where value = 'k' and scope = ?")
                .param(scopeOfTheFirstPart(scene))
                .update())
        .isPositive();
    send(scene, batch(scene, 1)).isProblem(422, "key-reused");
    assertThat(leases(scene)).isEqualTo(SIZE);
  }

  private String scopeOfTheFirstPart(Scene scene) {
    return jdbc.sql(
            "select scope from idempotency_key where pool = ? and scope not like '% part %'")
        .param(scene.pool)
        .query(String.class)
        .single();
  }

  private static Answer send(Scene scene, String batch) {
    return scene.vision.post("/leases/batch", batch, "Idempotency-Key", "k");
  }

  private static String batch(Scene scene, int size) {
    List<String> all = Collections.nCopies(size, scene.request(1, "PT1H", ""));
    return "{\"leases\": [" + String.join(",", all) + "]}";
  }

  private static List<String> ids(Answer batch) {
    return batch
        .json()
        .at("/results")
        .valueStream()
        .map(
            result ->
                result.has("lease")
                    ? result.at("/lease/id").asString()
                    : result.at("/problem/leaseId").asString())
        .toList();
  }

  private long leases(Scene scene) {
    return jdbc.sql("select count(*) from lease where pool = ?")
        .param(scene.pool)
        .query(Long.class)
        .single();
  }
}
