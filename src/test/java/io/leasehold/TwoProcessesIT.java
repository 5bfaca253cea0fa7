package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tenancy.Api.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Two services of their own on one database, under blind retries, one of them killed in the middle:
 * what was answered stands, each key has one effect, nothing is booked twice.
 */
class TwoProcessesIT {

  private static final int GPUS = 64;
  private static final int CLIENTS = 8;
  private static final int EACH = 30;

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static ServiceProcess one;
  private static ServiceProcess two;
  private static String team;

  @BeforeAll
  static void startBothAndFurnish() throws IOException {
    one = ServiceProcess.start(DATABASE);
    two = ServiceProcess.start(DATABASE);
    one.awaitReady();
    two.awaitReady();
    team = SharedPool.furnish(one.as(ServiceProcess.bootstrap(DATABASE)), GPUS);
  }

  @AfterAll
  static void endBoth() {
    one.close();
    two.close();
  }

  @Test
  void whatWasAnsweredStandsWhenOneOfTwoIsKilledUnderRetries() throws Exception {
    long seed = new Random().nextLong();
    Map<String, String> leaseOfKey = new ConcurrentHashMap<>();
    CountDownLatch half = new CountDownLatch(CLIENTS * EACH / 2);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        Random random = new Random(seed + client);
        running.add(
            clients.submit(
                () -> {
                  for (int i = 0; i < EACH; i++) {
                    String key = UUID.randomUUID().toString();
                    int gpus = 1 + random.nextInt(3);
                    ServiceProcess first = random.nextBoolean() ? one : two;
                    Answer answer = create(first, key, gpus);
                    String id = idOf(answer);
                    if (id != null) {
                      leaseOfKey.put(key, id);
                      assertThat(idOf(create(one, key, gpus))).as("seed " + seed).isEqualTo(id);
                    }
                    half.countDown();
                  }
                }));
      }
      half.await();
      two.kill();
      for (Future<?> each : running) {
        each.get();
      }
    }
    two = ServiceProcess.start(DATABASE).awaitReady();

    List<JsonNode> live = live(two);
    assertThat(live.stream().mapToInt(lease -> lease.path("gpuCount").asInt()).sum())
        .as("seed " + seed)
        .isGreaterThan(GPUS - 3)
        .isLessThanOrEqualTo(GPUS);
    assertThat(live.stream().map(lease -> lease.path("id").asString()))
        .as("seed " + seed)
        .containsAll(admitted(leaseOfKey));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> live(one).stream().allMatch(l -> l.path("state").asString().equals("ACTIVE")));

    live(one)
        .forEach(
            lease -> {
              String path = "/api/v1/leases/" + lease.path("id").asString() + "/release";
              assertThat(two.as(team).post(path, null).status()).isEqualTo(200);
            });
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> live(two).isEmpty());
    Answer whole =
        one.as(team)
            .post("/api/v1/leases", request(GPUS), "Idempotency-Key", UUID.randomUUID().toString());
    assertThat(whole.status()).as(whole.raw().body()).isEqualTo(201);
  }

  private static List<String> admitted(Map<String, String> leaseOfKey) {
    return leaseOfKey.values().stream()
        .filter(id -> !one.as(team).get("/api/v1/leases/" + id).text("state").equals("REFUSED"))
        .toList();
  }

  /** Retried blindly, at the other service too, until there is an answer. */
  private static Answer create(ServiceProcess first, String key, int gpus) {
    Supplier<Answer> sent =
        () -> first.as(team).post("/api/v1/leases", request(gpus), "Idempotency-Key", key);
    for (int tries = 0; ; tries++) {
      try {
        Answer answer =
            tries == 0
                ? sent.get()
                : one.as(team).post("/api/v1/leases", request(gpus), "Idempotency-Key", key);
        if (answer.status() != 503 && !answer.code().equals("key-in-flight")) {
          assertThat(answer.status()).as(answer.raw().body()).isIn(201, 409);
          return answer;
        }
      } catch (UncheckedIOException killed) {
        assertThat(tries).as("tries").isLessThan(100);
      }
    }
  }

  private static String idOf(Answer answer) {
    return answer.status() == 201 ? answer.text("id") : answer.text("leaseId");
  }

  private static String request(int gpus) {
    return """
        {"tenant": "team", "pool": "shared", "gpu": {"count": %d}, "duration": "PT1H",
         "onShortage": "refuse"}"""
        .formatted(gpus);
  }

  private static List<JsonNode> live(ServiceProcess service) {
    List<JsonNode> all = new ArrayList<>();
    Answer page =
        service
            .as(team)
            .get(
                "/api/v1/leases?tenant=team&pageSize=200&state=ALLOCATED&state=PUBLISHING"
                    + "&state=ACTIVE&state=ENDING&state=PLANNED");
    assertThat(page.status()).as(page.raw().body()).isEqualTo(200);
    page.body().path("items").forEach(all::add);
    return all;
  }
}
