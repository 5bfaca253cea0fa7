package io.leasehold.engine;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decisions per second of the whole engine on a full fleet of 1,213 nodes while others wait: in
 * each batch so many leases are over, which gives room to some that wait, and as many new requests
 * come, most of which wait in their turn. An end and a request count as a decision each.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class QueueBenchmark {

  private static final int EACH = 50;
  private static final int TENANTS = 1_000;

  @Param({"2000", "50000"})
  int waiting;

  private final Book book = new Book();
  private final List<UUID> running = new ArrayList<>();
  private final Random random = new Random(42);
  private final List<String> models = new ArrayList<>();
  private long now = Story.T;
  private long ids;

  /** A full fleet, those that wait, and a first batch that makes the whole queue known. */
  @Setup(Level.Trial)
  public void fill() {
    List<Move> facts = new ArrayList<>();
    for (Node node : FleetMix.nodes(1)) {
      facts.add(new Move.NodeSet(node));
      node.gpus().forEach(_ -> models.add(node.model()));
    }
    models.stream().distinct().forEach(it -> facts.add(new Move.ModelSet(FleetMix.model(it))));
    facts.add(new Move.ClassSet(Story.serviceClass("batch", 100, true, false)));
    facts.add(new Move.TenantSet(new Tenant("acme", null, false)));
    facts.add(limits("acme", 1, null));
    for (int i = 0; i < TENANTS; i++) {
      facts.add(new Move.TenantSet(new Tenant("team-" + i, "acme", false)));
      facts.add(limits("team-" + i, TENANTS, 100));
    }
    book.apply(now, facts);
    int before;
    do {
      before = running.size();
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        commands.add(new Command.Create(ask(Ask.Shortage.REFUSE)));
      }
      decide(commands);
    } while (running.size() > before + 10);
    List<Move> waits = new ArrayList<>();
    for (int i = 0; i < waiting; i++) {
      Lease requested = Draft.requested(ask(Ask.Shortage.WAIT), 1_000_000L + i, now);
      Lease lease = Draft.of(requested).to(LeaseState.WAITING).lease();
      waits.add(new Move.LeaseMoved(null, lease, "waiting"));
    }
    book.apply(now, waits);
    decide(List.of(new Command.Tick()));
  }

  /** Of each model an equal part of three quarters of the fleet, and what may be borrowed. */
  private Move limits(String tenant, int parts, Integer borrowing) {
    List<Contract.Entitlement> entitlements = new ArrayList<>();
    for (String model : models.stream().distinct().sorted().toList()) {
      long fleet = models.stream().filter(model::equals).count();
      int guaranteed = (int) (fleet * 3 / 4 / parts);
      entitlements.add(new Contract.Entitlement(model, guaranteed, borrowing, null, 1));
    }
    UUID id = UUID.nameUUIDFromBytes(tenant.getBytes(StandardCharsets.UTF_8));
    return new Move.ContractSet(new Contract(id, tenant, new Span(0, Span.FOREVER), entitlements));
  }

  private Ask ask(Ask.Shortage shortage) {
    List<String> named =
        random.nextBoolean() ? List.of() : List.of(models.get(random.nextInt(models.size())));
    return new Ask(
        new UUID(1, ++ids),
        "team-" + random.nextInt(TENANTS),
        "batch",
        FleetMix.shape(random, named, false),
        new Ask.When.Now((1 + random.nextInt(4)) * Time.HOUR),
        true,
        shortage,
        Story.T + 80 * Time.DAY,
        List.of());
  }

  @Benchmark
  @OperationsPerInvocation(2 * EACH)
  public Batch decide() {
    now += 1_000;
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < EACH && !running.isEmpty(); i++) {
      int at = random.nextInt(running.size());
      UUID last = running.removeLast();
      UUID over = at == running.size() ? last : running.set(at, last);
      Lease lease = book.lease(over);
      if (lease != null && lease.state() == LeaseState.ALLOCATED) {
        commands.add(new Command.Release(over));
        commands.add(
            new Command.Report(over, lease.generation() + 1, Command.Report.News.WITHDRAWN));
      }
    }
    for (int i = 0; i < EACH; i++) {
      commands.add(new Command.Create(ask(Ask.Shortage.WAIT)));
    }
    return decide(commands);
  }

  private Batch decide(List<Command> commands) {
    Batch batch = Engine.decide(book, commands, now);
    book.settle();
    for (Move move : batch.moves()) {
      if (move instanceof Move.LeaseMoved moved && moved.after().state() == LeaseState.ALLOCATED) {
        running.add(moved.after().id());
      }
    }
    return batch;
  }

  /** Once, by hand: {@code waiting batches}; by CPU time, which a loaded machine changes little. */
  public static void main(String[] args) {
    QueueBenchmark it = new QueueBenchmark();
    it.waiting = Integer.parseInt(args[0]);
    int batches = Integer.parseInt(args[1]);
    it.fill();
    var cpu = ManagementFactory.getThreadMXBean();
    long from = cpu.getCurrentThreadCpuTime();
    for (int batch = 1; batch <= batches; batch++) {
      it.decide();
      if (batch % (batches / 4) == 0) {
        long until = cpu.getCurrentThreadCpuTime();
        System.out.printf(
            "%d running, %d waiting, %.0f decisions/s%n",
            it.running.size(),
            it.book.register().waiting().size(),
            2.0 * EACH * (batches / 4) / ((until - from) / 1e9));
        from = until;
      }
    }
  }
}
