package io.leasehold.publishing;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.TestDatabase;
import io.leasehold.engine.Command.Report;
import io.leasehold.engine.Command.Report.News;
import io.leasehold.engine.Command.SetCluster;
import io.leasehold.engine.Decision;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.simulated.SimulatedPorts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The publishing parts of one replica on a database of its own: a clock moved by hand, simulated
 * clusters, orders put in as the ledger would, and a desk that writes down what is reported.
 */
final class Depot {

  static final Duration CLAIM = Duration.ofSeconds(30);
  static final Duration RESEND = Duration.ofSeconds(30);
  static final Duration STEADY = Duration.ofSeconds(30);
  static final int PARK = 4;

  final HandClock clock = new HandClock();
  final DataSource source;
  final JdbcClient database;
  final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  final List<Told> told = new CopyOnWriteArrayList<>();
  final PublishingSettings settings =
      new PublishingSettings(
          true,
          Duration.ofMillis(20),
          100,
          Duration.ofSeconds(5),
          CLAIM,
          Duration.ofMillis(200),
          Duration.ofSeconds(60),
          PARK,
          RESEND,
          Duration.ofSeconds(60),
          STEADY,
          4);
  final Deliveries deliveries;
  final DeliveryMetrics metrics = new DeliveryMetrics(registry);
  final Clusters clusters;
  final Reports reports = new Reports(this::take);
  final Watch watch;
  final Reconciler reconciler;
  private final List<SetCluster> pauses = new CopyOnWriteArrayList<>();
  volatile boolean ledgerAway;
  Runnable beforeRider = () -> {};

  record Told(UUID lease, int generation, News news) {}

  Depot(RandomGenerator random) {
    TestDatabase fresh = TestDatabase.fresh();
    source = pooled(fresh);
    database = JdbcClient.create(source);
    deliveries = new Deliveries(database);
    clusters = new Clusters(database, List.of(SimulatedPorts.adapter(database, clock)));
    watch = new Watch(new Standings(database), this::take, settings.steady());
    reconciler =
        new Reconciler(
            settings, clusters, new Comparisons(database), deliveries, reports, metrics, watch);
    this.random = random;
    database.sql("insert into pool (slug) values ('main')").update();
    register("east");
  }

  private final RandomGenerator random;

  private static DataSource pooled(TestDatabase fresh) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(fresh.url());
    pool.setUsername(fresh.user());
    pool.setPassword(fresh.password());
    pool.setMinimumIdle(0);
    pool.setIdleTimeout(10_000);
    return pool;
  }

  Depot() {
    this(new SplittableRandom(1));
  }

  void register(String cluster) {
    register(cluster, "simulated");
  }

  void register(String cluster, String adapter) {
    database
        .sql("insert into cluster (slug, pool, adapter, description) values (?, 'main', ?, '')")
        .params(cluster, adapter)
        .update();
  }

  /** A worker on a cluster; several of one cluster are several replicas. */
  Lane lane(String cluster) {
    Rules rules =
        new Rules(
            new Backoff(settings.retry(), settings.retryAtMost(), random),
            settings.resend(),
            settings.park());
    Quarantine quarantine =
        new Quarantine(database, (pool, id) -> Optional.empty(), this::take, metrics);
    return new Lane(cluster, settings, deliveries, rules, reports, quarantine, metrics, clock);
  }

  Cluster port(String cluster) {
    return clusters.port(clusters.find(cluster).orElseThrow());
  }

  int round() {
    return lane("east").round(() -> port("east"));
  }

  void compare() {
    compareAfter(settings.compare());
  }

  void compareAfter(Duration pause) {
    clock.pass(pause);
    clusters.all().forEach(cluster -> reconciler.compareIfDue(cluster, clock.instant()));
  }

  void simulate(String body) {
    SimulatedPorts.simulate(database, "east", body);
  }

  /** As the ledger does when a lease is allocated or ends. */
  void order(UUID lease, int generation, Kind kind) {
    order("east", lease, generation, kind);
  }

  void order(String cluster, UUID lease, int generation, Kind kind) {
    database
        .sql(
            """
            insert into cluster_order
              (lease, generation, kind, pool, cluster, epoch, create_time, wanted)
            values (?, ?, ?, 'main', ?, 1, ?, ?::json)
            """)
        .params(
            lease,
            generation,
            kind.name(),
            cluster,
            Deliveries.at(clock.instant()),
            wanted(cluster))
        .update();
  }

  private static String wanted(String cluster) {
    return """
    {"booking":{"cluster":"%s","model":"h100","hold":{"start":0,"end":1000000},"slots":[{"group":0,
    "node":"%s","mode":"WHOLE","units":[0,1000],"cpuMilli":1000,"memoryMiB":1024}]},
    "graceSeconds":30}
    """
        .formatted(cluster, Orders.NODE);
  }

  /** Puts the lease's row as the ledger would have it. */
  void lease(UUID lease, String state) {
    database
        .sql(
            """
            insert into lease (id, pool, tenant, service_class, state, cluster, gpu_milli,
              create_time, update_time, revision, degraded, labels, created_by, created_by_kind,
              created_by_name, ask, status, text, answer, book_revision)
            values (:id, 'main', 'vision', 'batch', :state, 'east', 1000, :now, :now, 1, false, '{}',
              :id, 'user', 'a', '{}', '{}', '{}', '{}', 1)
            on conflict (id) do update set state = excluded.state
            """)
        .param("id", lease)
        .param("state", state)
        .param("now", Deliveries.at(clock.instant()))
        .update();
  }

  /** State and failures of the delivery; empty when nothing is left to do. */
  Optional<String> delivery(UUID lease) {
    return database
        .sql("select state || ' ' || failures from delivery where lease = ? order by generation")
        .params(lease)
        .query(String.class)
        .list()
        .stream()
        .findFirst();
  }

  int openDeliveries() {
    return database.sql("select count(*) from delivery").query(Integer.class).single();
  }

  /** What a cluster is told, in order. */
  List<SetCluster> pauses() {
    return List.copyOf(pauses);
  }

  private void set(SetCluster set, Rider rider) {
    try (Connection connection = source.getConnection()) {
      beforeRider.run();
      rider.write(connection);
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    } catch (Rider.Refused refused) {
      return;
    }
    pauses.add(set);
    fact(set.cluster(), set.paused());
  }

  /** As the ledger notes that a cluster is paused or not. */
  void fact(String cluster, boolean paused) {
    database
        .sql(
            """
            insert into fact (pool, kind, key, body, revision)
            values ('main', 'cluster', ?, json_build_object('paused', ?::boolean), 1)
            on conflict (pool, kind, key) do update set body = excluded.body
            """)
        .params(cluster, paused)
        .update();
  }

  private List<Outcome> take(String pool, List<Submission> submissions) {
    if (ledgerAway) {
      return submissions.stream().<Outcome>map(any -> new Outcome.Unavailable("away", 1)).toList();
    }
    for (Submission submission : submissions) {
      switch (submission.command()) {
        case Report report ->
            told.add(new Told(report.lease(), report.generation(), report.what()));
        case SetCluster set -> set(set, submission.rider());
        default -> throw new IllegalArgumentException(submission.toString());
      }
    }
    return submissions.stream()
        .<Outcome>map(
            any -> new Outcome.Committed(new Decision.Changed(List.of()), List.of(), 1, false))
        .toList();
  }
}
