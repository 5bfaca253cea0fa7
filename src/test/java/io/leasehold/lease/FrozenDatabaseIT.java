package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Doors.Answer;
import io.leasehold.TcpProxy;
import io.leasehold.TestDatabase;
import io.leasehold.ledger.Ledger;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;

/** F10: the database's host goes silent under requests; everybody is told so in a bounded time. */
@SpringBootTest
@AutoConfigureMockMvc
@ContextConfiguration(initializers = FrozenDatabaseIT.BehindAProxy.class)
@ExtendWith(OutputCaptureExtension.class)
@DirtiesContext
class FrozenDatabaseIT {

  /** What the README states. */
  private static final Duration BOUND = Duration.ofSeconds(15);

  private static TestDatabase database;
  private static TcpProxy proxy;

  @Autowired MockMvc mvc;
  @Autowired TaskScheduler scheduler;
  @Autowired Ledger ledger;

  @Test
  void whoIsInFlightIsToldInTime() throws Exception {
    Scene scene = new Scene(mvc, 1);
    CompletableFuture<Timed> write;
    CompletableFuture<Timed> read;
    try (Connection holder = database.asOwner().getConnection()) {
      holder.setAutoCommit(false);
      holder.createStatement().execute("lock table lease in access exclusive mode");
      write = timed(() -> scene.vision.post("/leases", scene.request(1, "PT1H", "")));
      read = timed(() -> scene.vision.get("/leases"));
      awaitWaiting("leasehold");
      awaitWaiting("leasehold-decider");
      proxy.freeze();
      holder.rollback();
    }
    assertToldInTime(read.get());
    assertToldInTime(write.get());
    assertToldInTime(timed(() -> scene.vision.get("/leases")).get());
    Instant asked = Instant.now();
    assertThatThrownBy(() -> ledger.consult(scene.pool, (book, now) -> now))
        .isInstanceOf(Ledger.NotAble.class);
    assertThat(Duration.between(asked, Instant.now()))
        .as("the decider knows by now")
        .isLessThan(Duration.ofSeconds(5));

    proxy.thaw();
    Awaitility.await("serves again").atMost(Duration.ofSeconds(30)).until(() -> mayCreate(scene));
  }

  private static boolean mayCreate(Scene scene) {
    try {
      scene.vision.post("/leases", scene.request(1, "PT1H", "")).hasStatus(201);
      return true;
    } catch (AssertionError notYet) {
      return false;
    }
  }

  /** A request that waits for the table's lock is on its way. */
  private static void awaitWaiting(String application) {
    JdbcClient direct = JdbcClient.create(database.asOwner());
    Awaitility.await(application)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                direct
                        .sql(
                            """
                            select count(*) from pg_locks l join pg_stat_activity a using (pid)
                             where not l.granted and l.relation = 'lease'::regclass
                               and a.application_name = ?\
                            """)
                        .param(application)
                        .query(Long.class)
                        .single()
                    > 0);
  }

  private static void assertToldInTime(Timed timed) {
    timed.answer().isProblem(503, "unavailable");
    assertThat(timed.answer().header("Retry-After")).isNotNull();
    assertThat(timed.took()).isLessThan(BOUND);
  }

  private record Timed(Answer answer, Duration took) {}

  private static CompletableFuture<Timed> timed(Supplier<Answer> call) {
    CompletableFuture<Timed> timed = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              Instant began = Instant.now();
              timed.complete(new Timed(call.get(), Duration.between(began, Instant.now())));
            });
    return timed;
  }

  /** What is done from time to time says in one line that the database is away. */
  @Test
  void scheduledWorkSaysInOneLineThatTheDatabaseIsAway(CapturedOutput output) {
    scheduler.schedule(
        () -> {
          throw new DataAccessResourceFailureException(
              "select\nfrom", new java.sql.SQLException("connection refused\nhint", "08001"));
        },
        Instant.now());
    Awaitility.await().until(() -> output.getOut().contains("Scheduled work waits"));
    assertThat(output.getOut().lines().filter(line -> line.contains("Scheduled work")))
        .singleElement()
        .asString()
        .endsWith("connection refused");
    assertThat(output.getOut()).doesNotContain("DataAccessResourceFailureException");

    scheduler.schedule(
        () -> {
          throw new IllegalStateException("a fault");
        },
        Instant.now());
    Awaitility.await()
        .until(() -> output.getOut().contains("java.lang.IllegalStateException: a fault"));
  }

  /** The service reaches its database through the proxy; migrations and the test do not. */
  static final class BehindAProxy
      implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
      database = TestDatabase.fresh();
      int port = Integer.parseInt(database.url().replaceAll(".*:(\\d+)/.*", "$1"));
      proxy = TcpProxy.before(port);
      context.getBeanFactory().registerSingleton("tcpProxy", proxy);
      TestPropertyValues.of(
              "spring.datasource.url=" + database.url().replace(":" + port, ":" + proxy.port()),
              "spring.datasource.username=" + database.user(),
              "spring.datasource.password=" + database.password(),
              "spring.flyway.url=" + database.owner().url(),
              "spring.flyway.user=" + database.owner().user(),
              "spring.flyway.password=" + database.owner().password(),
              "spring.flyway.locations=filesystem:db/migration",
              "spring.datasource.hikari.minimum-idle=1")
          .applyTo(context);
    }
  }
}
