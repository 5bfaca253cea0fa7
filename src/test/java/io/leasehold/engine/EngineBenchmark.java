package io.leasehold.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The whole engine on 1,213 nodes of 8 GPUs, 20 tenants with contracts below one root: a request a
 * batch, and for each the oldest lease is released and its withdrawal reported, so that 4,500 live.
 */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 5)
@Measurement(iterations = 3)
public class EngineBenchmark {

  private static final int NODES = 1_213;
  private static final int TENANTS = 20;
  private static final int LIVE = 4_500;
  private static final Span ALWAYS = new Span(0, 1L << 60);

  private final Book book = new Book();
  private final ArrayDeque<UUID> live = new ArrayDeque<>();
  private final Random random = new Random(1);
  private long now = 2_000_000_000L;
  private long asked;

  @Setup
  public void furnish() {
    List<Move> moves = new ArrayList<>();
    moves.add(
        new Move.ModelSet(new GpuModel("h100", "H100", List.of(), 81_559, 8, 7, List.of(), 0)));
    moves.add(
        new Move.ClassSet(
            new ServiceClass(
                "batch",
                100,
                false,
                true,
                false,
                600_000_000L,
                0,
                30_000_000L,
                60_000_000L,
                4 * 3_600_000_000L,
                1L << 50,
                1L << 50)));
    tenant(moves, "root", null, NODES * 7);
    for (int i = 0; i < TENANTS; i++) {
      tenant(moves, "team-" + i, "root", NODES * 7 / TENANTS);
    }
    book.apply(1, moves);
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      List<Node.Gpu> gpus = java.util.Collections.nCopies(8, new Node.Gpu(null, Health.OK));
      nodes.add(
          new Node(
              new UUID(1, i),
              i,
              "cluster",
              "n" + i,
              "h100",
              Domain.NOWHERE,
              96_000,
              1_048_576,
              gpus,
              null,
              false));
    }
    Engine.decide(book, List.of(new Command.SetNodes(nodes, Command.Shrink.REFUSE)), 2);
    book.settle();
  }

  private static void tenant(List<Move> moves, String slug, String parent, int guaranteed) {
    moves.add(new Move.TenantSet(new Tenant(slug, parent, false)));
    moves.add(
        new Move.ContractSet(
            new Contract(
                new UUID(9, slug.hashCode()),
                slug,
                ALWAYS,
                List.of(new Contract.Entitlement("h100", guaranteed, null, null, 1)))));
  }

  @Benchmark
  public Batch decide() {
    List<Command> commands = new ArrayList<>();
    commands.add(new Command.Create(ask()));
    if (live.size() > LIVE) {
      UUID oldest = live.poll();
      Lease lease = book.lease(oldest);
      if (lease != null) {
        commands.add(new Command.Release(oldest));
        commands.add(
            new Command.Report(oldest, lease.generation() + 1, Command.Report.News.WITHDRAWN));
      }
    }
    now += 100_000;
    Batch batch = Engine.decide(book, commands, now);
    book.settle();
    return batch;
  }

  private Ask ask() {
    UUID lease = new UUID(2, asked++);
    live.add(lease);
    return new Ask(
        lease,
        "team-" + random.nextInt(TENANTS),
        "batch",
        new Shape(
            List.of("h100"),
            0,
            0,
            random.nextInt(3) == 2 ? 4 : 1,
            Shape.Slice.WHOLE,
            0,
            0,
            List.of(),
            Shape.Where.ANYWHERE),
        new Ask.When.Now((1 + random.nextInt(8)) * 3_600_000_000L),
        true,
        Ask.Shortage.REFUSE,
        1L << 60,
        List.of());
  }
}
