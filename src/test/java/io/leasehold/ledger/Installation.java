package io.leasehold.ledger;

import com.fasterxml.uuid.Generators;
import io.leasehold.TestDatabase;
import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Contract;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Domain;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Move;
import io.leasehold.engine.Node;
import io.leasehold.engine.ServiceClass;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import io.leasehold.engine.Tenant;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A database with pool {@code main} (cluster {@code c}, model {@code h100}, tenant {@code vision},
 * class {@code batch}) and as many replicas of the ledger on it as a test wants.
 */
final class Installation implements AutoCloseable {

  static final Actor ALICE = new Actor(new UUID(7, 7), "user", "alice");
  static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  static final long SECOND = 1_000_000L;
  static final long HOUR = 3_600 * SECOND;
  static final String POOL = "main";

  private final TestDatabase database;
  private final JdbcClient jdbc;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final List<DeciderConnections> opened = new ArrayList<>();
  private final List<Ledger> ledgers = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();

  private Installation(TestDatabase database) {
    this.database = database;
    this.jdbc = JdbcClient.create(database.dataSource());
  }

  /** With its nodes, of so many GPUs each. */
  static Installation of(int nodes, int gpus) {
    Installation installation = new Installation(TestDatabase.fresh());
    Ledger ledger = installation.replica();
    installation.furnish(ledger, POOL, nodes, gpus);
    return installation;
  }

  /** Another replica: its own deciders, books and connections. */
  Ledger replica() {
    return replica(UnaryOperator.identity(), LedgerSettings.defaults());
  }

  Ledger replica(UnaryOperator<DataSource> wrapped, LedgerSettings settings) {
    return replica(wrapped, settings, ledgers.isEmpty() ? registry : new SimpleMeterRegistry());
  }

  /** That shows its work in a registry of its own. */
  Ledger replica(SimpleMeterRegistry own) {
    return replica(UnaryOperator.identity(), LedgerSettings.defaults(), own);
  }

  private Ledger replica(
      UnaryOperator<DataSource> wrapped, LedgerSettings settings, SimpleMeterRegistry shown) {
    DeciderConnections connections =
        DeciderConnections.open(database.url(), database.user(), database.password(), 4);
    opened.add(connections);
    Ledger ledger =
        new Ledger(
            wrapped.apply(connections.source()),
            new LeaseRecords(jdbc),
            settings,
            new LedgerMetrics(shown));
    ledgers.add(ledger);
    ledger.start();
    await("ready", ledger::isReady);
    return ledger;
  }

  void furnish(Ledger ledger, String pool, int count, int gpus) {
    ledger.createPool(pool, Actor.SYSTEM, TRACE);
    String cluster = pool + "-c";
    impose(ledger, new Move.ModelSet(model()));
    impose(ledger, new Move.TenantSet(new Tenant("vision", null, false)));
    impose(ledger, new Move.ClassSet(serviceClass()));
    submit(
        ledger,
        pool,
        new Command.SetCluster(cluster, false),
        connection -> register(connection, pool, cluster));
    List<Node> added = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      added.add(
          new Node(
              newId(),
              nodes.size() + i,
              cluster,
              pool + "-n" + i,
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
        pool,
        new Command.SetNodes(added, Command.Shrink.REFUSE),
        connection -> insert(connection, pool, added));
    nodes.addAll(added);
    submit(
        ledger,
        pool,
        new Command.Sign(
            new Contract(
                newId(),
                "vision",
                new Span(0, Span.FOREVER),
                List.of(new Contract.Entitlement("h100", count * gpus, null, null, 1)))),
        null);
  }

  private static void impose(Ledger ledger, Move move) {
    ledger.impose(
        Actor.SYSTEM, TRACE, Fact.of(move).subject(), null, "set", List.of(move), null, c -> "{}");
  }

  private static void submit(Ledger ledger, String pool, Command command, Rider rider) {
    Submission submission =
        new Submission(command, Actor.SYSTEM, TRACE, null, Map.of(), null, null, false, rider);
    Outcome outcome = ledger.submit(pool, submission, null);
    if (!(outcome instanceof Outcome.Committed committed)
        || committed.decision() instanceof Decision.Declined
        || committed.decision() instanceof Decision.Shortfalls) {
      throw new IllegalStateException(command + ": " + outcome);
    }
  }

  private static void register(Connection connection, String pool, String cluster)
      throws SQLException {
    new Script()
        .add(
            """
            insert into cluster (slug, pool, adapter, description)
            values (?, ?, 'simulated', '')\
            """,
            cluster,
            pool)
        .add(
            """
            insert into gpu_model (slug, canonical, aliases, memory_mib, memory_slices,
              compute_slices, profiles, reconfigure_seconds, built_in)
            values ('h100', 'NVIDIA-H100-80GB-HBM3', '[]', 81920, 8, 7, '[]', 0, true)
            on conflict do nothing\
            """)
        .run(connection);
  }

  static void insert(Connection connection, String pool, List<Node> nodes) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            insert into node (id, pool, cluster, ordinal, name, model, gpu_count, cpu_milli,
              memory_mib, gpus, create_time, update_time)
            values (?, ?, ?, ?, ?, ?, ?, 0, 0, '[]', now(), now())\
            """)) {
      for (Node node : nodes) {
        insert.setObject(1, node.id());
        insert.setString(2, pool);
        insert.setString(3, node.cluster());
        insert.setInt(4, node.ordinal());
        insert.setString(5, node.name());
        insert.setString(6, node.model());
        insert.setInt(7, node.gpus().size());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  static GpuModel model() {
    return new GpuModel("h100", "NVIDIA-H100-80GB-HBM3", List.of(), 81_920, 8, 7, List.of(), 0);
  }

  static ServiceClass serviceClass() {
    return new ServiceClass(
        "batch",
        100,
        false,
        true,
        true,
        0,
        0,
        30 * SECOND,
        60 * SECOND,
        4 * HOUR,
        720 * HOUR,
        4_320 * HOUR);
  }

  static UUID newId() {
    return Generators.timeBasedEpochGenerator().generate();
  }

  /** For an hour from now; refused when short. */
  static Ask ask(int gpus) {
    return ask(newId(), gpus, new Ask.When.Now(HOUR), Ask.Shortage.REFUSE);
  }

  static Ask ask(UUID id, int gpus, Ask.When when, Ask.Shortage onShortage) {
    return new Ask(
        id,
        "vision",
        "batch",
        new Shape(
            List.of("h100"), 0, 0, gpus, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE),
        when,
        true,
        onShortage,
        Span.FOREVER,
        List.of());
  }

  static Submission create(Ask ask) {
    return create(ask, null);
  }

  static Submission create(Ask ask, Long ifBook) {
    LeaseText text =
        new LeaseText("a name", "alice", Map.of("k", "v"), Map.of(), List.of(), "{}", "{}");
    return new Submission(
        new Command.Create(ask),
        ALICE,
        TRACE,
        null,
        Map.of(ask.lease(), text),
        null,
        ifBook,
        false,
        null);
  }

  static Submission verb(Command command) {
    return Submission.of(command, ALICE, TRACE);
  }

  static Submission verb(Command command, long ifRevision) {
    return new Submission(command, ALICE, TRACE, null, Map.of(), ifRevision, null, false, null);
  }

  static Submission report(Lease lease, Command.Report.News news) {
    return Submission.of(
        new Command.Report(lease.id(), lease.generation(), news), Actor.CLUSTER, TRACE);
  }

  static Lease decided(Outcome outcome) {
    return ((Decision.Decided) ((Outcome.Committed) outcome).decision()).lease();
  }

  List<Node> nodes() {
    return nodes;
  }

  /** The replica that furnished the pool. */
  Ledger first() {
    return ledgers.getFirst();
  }

  /** Of the first replica. */
  SimpleMeterRegistry registry() {
    return registry;
  }

  TestDatabase database() {
    return database;
  }

  JdbcClient jdbc() {
    return jdbc;
  }

  JdbcClient asOwner() {
    return JdbcClient.create(database.asOwner());
  }

  long count(String sql) {
    return jdbc.sql(sql).query(Long.class).single();
  }

  static void await(String what, BooleanSupplier condition) {
    org.awaitility.Awaitility.await(what)
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(10))
        .until(condition::getAsBoolean);
  }

  @Override
  public void close() {
    ledgers.forEach(Ledger::stop);
    opened.forEach(DeciderConnections::close);
  }
}
