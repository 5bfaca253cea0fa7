package io.leasehold;

import static io.leasehold.SharedPool.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tenancy.Api.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * L13: four services on one database, on machines whose clocks are 10 minutes and 5 seconds wrong,
 * both ways. All judge by the database's clock alone.
 */
class WrongClocksIT {

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static final JdbcClient JDBC = JdbcClient.create(DATABASE.dataSource());
  private static final List<ServiceProcess> ALL = new ArrayList<>();
  private static String team;

  @BeforeAll
  static void startAllAndFurnish() throws IOException {
    for (String ahead : List.of("PT10M", "PT-10M", "PT5S", "PT-5S")) {
      ALL.add(ServiceProcess.start(DATABASE, Duration.parse(ahead)));
    }
    ALL.forEach(ServiceProcess::awaitReady);
    team = SharedPool.furnish(ALL.getFirst().as(ServiceProcess.bootstrap(DATABASE)), 64);
  }

  @AfterAll
  static void endAll() {
    ALL.forEach(ServiceProcess::close);
  }

  /** The authority. */
  private static Instant now() {
    return JDBC.sql("select clock_timestamp()").query(OffsetDateTime.class).single().toInstant();
  }

  /** Else the other tests would prove nothing. */
  @Test
  void theClocksOfTheServicesAreWrong() {
    Instant now = now();
    List<Long> wrongBy =
        ALL.stream()
            .map(service -> service.as(null).get("/livez").header("Date"))
            .map(DateTimeFormatter.RFC_1123_DATE_TIME::parse)
            .map(date -> Duration.between(now, Instant.from(date)).toSeconds())
            .toList();
    assertThat(wrongBy.get(0)).isBetween(595L, 605L);
    assertThat(wrongBy.get(1)).isBetween(-605L, -595L);
  }

  @Test
  void noneStartsOrEndsALeaseEarlyOrLate() {
    List<String> leases = new ArrayList<>();
    Instant start = now().plusSeconds(3);
    for (ServiceProcess each : ALL) {
      leases.add(create(each, "\"startTime\": \"%s\", \"duration\": \"PT1M\"".formatted(start)));
    }
    for (ServiceProcess each : ALL) {
      leases.add(create(each, "\"duration\": \"PT2M\""));
    }
    Instant end = now().plusSeconds(5);
    for (int i = 0; i < 4; i++) {
      Answer answer =
          ALL.get(3 - i)
              .as(team)
              .post(
                  "/api/v1/leases/" + leases.get(4 + i) + "/shorten",
                  "{\"endTime\": \"%s\"}".formatted(end));
      assertThat(answer.status()).as(answer.raw().body()).isEqualTo(200);
    }

    for (String lease : leases.subList(0, 4)) {
      assertThat(read(lease).text("state")).isNotEqualTo("WAITING");
      assertThat(reached(lease, "ACTIVE", "activeTime"))
          .isBetween(whole(start), start.plusSeconds(8));
    }
    for (String lease : leases.subList(4, 8)) {
      assertThat(reached(lease, "ENDED", "endedTime")).isBetween(whole(end), end.plusSeconds(20));
      assertThat(read(lease).text("endCause")).isEqualTo("expired");
    }
  }

  @Test
  void allDrawTheSameLineBetweenNowAndThePast() {
    for (ServiceProcess each : ALL) {
      String late =
          "\"startTime\": \"%s\", \"duration\": \"PT2M\"".formatted(now().minusSeconds(90));
      Answer refused = each.as(team).post("/api/v1/leases?dryRun=true", request(late));
      assertThat(refused.status()).as(refused.raw().body()).isEqualTo(400);
      assertThat(refused.body().at("/errors/0/code").asString()).isEqualTo("start-in-past");
      String now =
          "\"startTime\": \"%s\", \"duration\": \"PT2M\"".formatted(now().minusSeconds(20));
      Answer taken = each.as(team).post("/api/v1/leases?dryRun=true", request(now));
      assertThat(taken.text("state")).as(taken.raw().body()).isEqualTo("REQUESTED");
    }
  }

  @Test
  void aKeyEndsEverywhereAtItsTime() {
    Instant end = now().plusSeconds(12);
    List<String> keys = new ArrayList<>();
    for (ServiceProcess each : ALL) {
      Answer key =
          made(
              each.as(team)
                  .post(
                      "/api/v1/tenants/team/api-keys",
                      "{\"name\": \"short\", \"expireTime\": \"%s\"}".formatted(end)));
      assertThat(Instant.parse(key.text("createTime"))).isBefore(now().plusSeconds(1));
      keys.add(key.text("key"));
    }
    for (int i = 0; i < keys.size(); i++) {
      assertThat(whoami(ALL.get(3 - i), keys.get(i))).isEqualTo(200);
    }
    assertThat(now()).as("the keys were tried in time").isBefore(end);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> now().isAfter(end.plusSeconds(5)));
    for (ServiceProcess each : ALL) {
      keys.forEach(key -> assertThat(whoami(each, key)).isEqualTo(401));
    }
  }

  private static int whoami(ServiceProcess service, String key) {
    return service.as(key).get("/api/v1/whoami").status();
  }

  private static Instant whole(Instant time) {
    return Instant.ofEpochSecond(time.getEpochSecond());
  }

  private static String request(String when) {
    return "{\"tenant\": \"team\", \"pool\": \"shared\", \"gpu\": {\"count\": 1}, %s}"
        .formatted(when);
  }

  private static String create(ServiceProcess service, String when) {
    Answer answer = service.as(team).post("/api/v1/leases", request(when));
    assertThat(answer.status()).as(answer.raw().body()).isEqualTo(201);
    return answer.text("id");
  }

  private static Answer read(String lease) {
    return ALL.getFirst().as(team).get("/api/v1/leases/" + lease);
  }

  /** When the lease came into this state, as it says itself. */
  private static Instant reached(String lease, String state, String field) {
    Awaitility.await(state + " " + lease)
        .atMost(Duration.ofMinutes(2))
        .until(() -> read(lease).text("state").equals(state));
    return Instant.parse(read(lease).text(field));
  }
}
