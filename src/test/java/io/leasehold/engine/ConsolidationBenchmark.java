package io.leasehold.engine;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * How long a plan takes that moves leases so that a request fits: 4,000 GPUs on 500 nodes in racks
 * of 8, nine tenths taken by leases of 1 to 4 GPUs that lie anywhere, six of ten movable. CPU time,
 * median and most, over fleets of several seeds; and how many leases move.
 */
public final class ConsolidationBenchmark {

  private static final int NODES = 500;
  private static final int PER_RACK = 8;
  private static final int SEEDS = 5;
  private static final int ROUNDS = 4;
  private static final long NOW = 1_800_000_000L * Time.SECOND;

  private final Book book = new Book();
  private final Random random;
  private long asked;

  private ConsolidationBenchmark(long seed) {
    random = new Random(seed);
    book.apply(
        NOW,
        List.of(
            new Move.ModelSet(new GpuModel("h100", "H100", List.of(), 81_920, 0, 0, List.of(), 0)),
            new Move.TenantSet(new Tenant("acme", null, false)),
            new Move.ClassSet(Story.serviceClass("batch", 100, true, false))));
    for (int i = 0; i < NODES; i++) {
      String rack = "r" + i / PER_RACK;
      book.apply(
          NOW, List.of(new Move.NodeSet(Fleet.node(i, "east", Fleet.rack("b1", rack), 8, 0, 0))));
    }
    fill();
  }

  /** Full, and then every tenth lease given back, wherever it is. */
  private void fill() {
    for (int free = 8 * NODES; free > 0; ) {
      int gpus = Math.min(free, 1 + random.nextInt(4));
      Ask ask = ask(Fleet.groups(1, gpus)).movable(random.nextInt(10) < 6);
      Batch batch = Engine.decide(book, List.of(new Command.Create(ask)), NOW);
      Lease lease = ((Decision.Decided) batch.decisions().getFirst()).lease();
      free = lease.state() == LeaseState.ALLOCATED ? free - gpus : 0;
    }
    for (Lease lease : List.copyOf(book.leases())) {
      if (lease.state() == LeaseState.WAITING || random.nextInt(10) == 0) {
        Engine.decide(book, List.of(new Command.Release(lease.id())), NOW);
        Lease ending = book.lease(lease.id());
        if (ending != null) {
          Engine.decide(book, List.of(Story.withdrawn(ending)), NOW);
        }
      }
    }
    book.settle();
  }

  private Ask ask(Shape shape) {
    return new Ask(
        new UUID(1, ++asked),
        "acme",
        "batch",
        shape,
        new Ask.When.Now(Time.HOUR),
        true,
        Ask.Shortage.WAIT,
        NOW + Time.DAY,
        List.of());
  }

  public static void main(String[] args) {
    List<ConsolidationBenchmark> fleets =
        IntStream.rangeClosed(1, SEEDS).mapToObj(ConsolidationBenchmark::new).toList();
    measure(fleets, "8 GPUs of one node", Fleet.groups(1, 8));
    measure(fleets, "8 groups of 8, anywhere", Fleet.groups(8, 8));
    measure(fleets, "64 GPUs of one rack", Fleet.groups(8, 8, Fleet.required(Level.RACK)));
    measure(fleets, "32 GPUs of one rack", Fleet.whole(32, Fleet.required(Level.RACK)));
  }

  private static void measure(List<ConsolidationBenchmark> fleets, String name, Shape shape) {
    var threads = ManagementFactory.getThreadMXBean();
    List<Integer> moves = new ArrayList<>();
    long[] nanos = new long[SEEDS * ROUNDS];
    for (int i = 0; i < 2 * nanos.length; i++) {
      ConsolidationBenchmark fleet = fleets.get(i % SEEDS);
      long start = threads.getCurrentThreadCpuTime();
      ConsolidationPlan plan = Engine.consolidation(fleet.book, fleet.ask(shape), NOW);
      nanos[i % nanos.length] = threads.getCurrentThreadCpuTime() - start;
      moves.add(plan.fits() == null ? -1 : plan.moves().size());
    }
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%-26s median %7.2f ms  max %7.2f ms  moves %s (-1: no plan)%n",
        name,
        nanos[nanos.length / 2] / 1e6,
        nanos[nanos.length - 1] / 1e6,
        moves.subList(0, SEEDS));
  }
}
