package io.leasehold.publishing;

import com.fasterxml.uuid.Generators;
import io.leasehold.TestDatabase;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Contract;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Domain;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Move;
import io.leasehold.engine.Node;
import io.leasehold.engine.ServiceClass;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.engine.Tenant;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import io.leasehold.publishing.simulated.SimulatedPorts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A database with pool {@code main} and simulated cluster {@code east}, and replicas on it that run
 * the real ledger and publishing, but no doors.
 */
final class Site implements AutoCloseable {

  static final long SECOND = 1_000_000L;
  static final String POOL = "main";
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  final TestDatabase database = TestDatabase.fresh();
  final JdbcClient jdbc = JdbcClient.create(database.dataSource());
  private final List<AnnotationConfigApplicationContext> replicas = new ArrayList<>();

  /** Another replica, running. */
  Replica replica(String... properties) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    TestPropertyValues.of("leasehold.publishing.poll=20ms", "leasehold.publishing.compare=1s")
        .and(properties)
        .applyTo(context.getEnvironment());
    context.registerBean(JdbcConnectionDetails.class, () -> details(database));
    context.registerBean(JdbcClient.class, () -> jdbc);
    context.registerBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new);
    SimulatedPorts.register(context);
    context.register(Publishing.class);
    context.scan("io.leasehold.ledger");
    context.refresh();
    replicas.add(context);
    Ledger ledger = context.getBean(Ledger.class);
    Awaitility.await("ready").atMost(PATIENCE).until(ledger::isReady);
    return new Replica(context, ledger);
  }

  record Replica(AnnotationConfigApplicationContext context, Ledger ledger) {

    UUID create(int gpus, long length) {
      UUID id = Generators.timeBasedEpochGenerator().generate();
      LeaseText text = new LeaseText("a name", null, Map.of(), Map.of(), List.of(), "{}", "{}");
      Ask ask =
          new Ask(
              id,
              "vision",
              "batch",
              new Shape(
                  List.of("h100"),
                  0,
                  0,
                  gpus,
                  Shape.Slice.WHOLE,
                  0,
                  0,
                  List.of(),
                  Shape.Where.ANYWHERE),
              new Ask.When.Now(length),
              true,
              Ask.Shortage.WAIT,
              Span.FOREVER,
              List.of());
      submit(ledger, new Command.Create(ask), Map.of(id, text), null);
      return id;
    }

    void release(UUID lease) {
      submit(ledger, new Command.Release(lease), Map.of(), null);
    }
  }

  /** Pool, cluster, nodes and a contract over everything. */
  void furnish(Replica replica, int nodes, int gpus) {
    Ledger ledger = replica.ledger();
    ledger.createPool(POOL, Actor.SYSTEM, TRACE);
    jdbc.sql(
            """
            insert into gpu_model (slug, canonical, aliases, memory_mib, memory_slices,
              compute_slices, profiles, reconfigure_seconds, built_in)
            values ('h100', 'NVIDIA-H100-80GB-HBM3', '[]', 81920, 8, 7, '[]', 0, false)
            on conflict do nothing
            """)
        .update();
    jdbc.sql(
            """
            insert into cluster (slug, pool, adapter, description)
            values ('east', 'main', 'simulated', '')
            """)
        .update();
    impose(ledger, new Move.ModelSet(model()));
    impose(ledger, new Move.TenantSet(new Tenant("vision", null, false)));
    impose(ledger, new Move.ClassSet(serviceClass()));
    submit(ledger, new Command.SetCluster("east", false), Map.of(), null);
    List<Node> added = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      added.add(
          new Node(
              new UUID(9, i),
              i,
              "east",
              "n" + i,
              "h100",
              Domain.NOWHERE,
              0,
              0,
              Collections.nCopies(gpus, new Node.Gpu(null, Health.OK)),
              null,
              false));
    }
    submit(
        ledger,
        new Command.SetNodes(added, Command.Shrink.REFUSE),
        Map.of(),
        connection -> insert(connection, added));
    submit(
        ledger,
        new Command.Sign(
            new Contract(
                new UUID(8, 8),
                "vision",
                new Span(0, Span.FOREVER),
                List.of(new Contract.Entitlement("h100", nodes * gpus, null, null, 1)))),
        Map.of(),
        null);
  }

  void simulate(String body) {
    SimulatedPorts.simulate(jdbc, "east", body);
  }

  String state(UUID lease) {
    return jdbc.sql("select state from lease where id = ?")
        .params(lease)
        .query(String.class)
        .single();
  }

  void awaitState(UUID lease, LeaseState state) {
    Awaitility.await(lease + " " + state)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> state(lease).equals(state.name()));
  }

  long count(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }

  void awaitCount(String sql, long count) {
    Awaitility.await(sql + " = " + count)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> count(sql) == count);
  }

  private static void impose(Ledger ledger, Move move) {
    ledger.impose(Actor.SYSTEM, TRACE, "set", null, "set", List.of(move), null, c -> "{}");
  }

  private static void submit(
      Ledger ledger, Command command, Map<UUID, LeaseText> texts, Rider rider) {
    Outcome outcome =
        ledger.submit(
            POOL,
            new Submission(command, Actor.SYSTEM, TRACE, null, texts, null, null, false, rider),
            null);
    if (!(outcome instanceof Outcome.Committed committed)
        || committed.decision() instanceof Decision.Declined
        || committed.decision() instanceof Decision.Shortfalls) {
      throw new IllegalStateException(command + ": " + outcome);
    }
  }

  private static void insert(java.sql.Connection connection, List<Node> nodes)
      throws java.sql.SQLException {
    try (var insert =
        connection.prepareStatement(
            """
            insert into node (id, pool, cluster, ordinal, name, model, gpu_count, cpu_milli,
              memory_mib, gpus, create_time, update_time)
            values (?, 'main', ?, ?, ?, ?, ?, 0, 0,
              array_to_json(array_fill('{"health": "OK"}'::json, array[?]))::jsonb, now(), now())\
            """)) {
      for (Node node : nodes) {
        insert.setObject(1, node.id());
        insert.setString(2, node.cluster());
        insert.setInt(3, node.ordinal());
        insert.setString(4, node.name());
        insert.setString(5, node.model());
        insert.setInt(6, node.gpus().size());
        insert.setInt(7, node.gpus().size());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static GpuModel model() {
    return new GpuModel("h100", "NVIDIA-H100-80GB-HBM3", List.of(), 81_920, 8, 7, List.of(), 0);
  }

  private static ServiceClass serviceClass() {
    long hour = 3_600 * SECOND;
    return new ServiceClass(
        "batch",
        100,
        false,
        true,
        true,
        0,
        0,
        SECOND,
        60 * SECOND,
        4 * hour,
        720 * hour,
        4_320 * hour);
  }

  private static JdbcConnectionDetails details(TestDatabase database) {
    return new JdbcConnectionDetails() {
      @Override
      public String getUsername() {
        return database.user();
      }

      @Override
      public String getPassword() {
        return database.password();
      }

      @Override
      public String getJdbcUrl() {
        return database.url();
      }
    };
  }

  @Override
  public void close() {
    replicas.forEach(AnnotationConfigApplicationContext::close);
  }
}
