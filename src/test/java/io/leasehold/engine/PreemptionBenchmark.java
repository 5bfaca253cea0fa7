package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;

/**
 * How long one preempting decision takes, the book changed and taken back: 4,000 GPUs on 500 nodes,
 * full, some 700 leases that may be ended on 20 of the racks, all others not. Says the median and
 * the most over fleets of several seeds, in time on the processor, for 64 GPUs of one rack, 8 of
 * one node, and one.
 */
public final class PreemptionBenchmark {

  private static final int NODES = 500;
  private static final int PER_RACK = 8;
  private static final int OPEN_RACKS = 20;
  private static final int SEEDS = 10;
  private static final int ROUNDS = 100;
  private static final long NOW = 1_800_000_000L * Time.SECOND;

  private static final java.lang.management.ThreadMXBean THREADS =
      java.lang.management.ManagementFactory.getThreadMXBean();

  private final Book book = new Book();
  private final Random random;
  private long asked;
  private int victims;

  private PreemptionBenchmark(long seed) {
    random = new Random(seed);
    furnish();
  }

  public static void main(String[] args) {
    List<PreemptionBenchmark> fleets = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      fleets.add(new PreemptionBenchmark(seed));
    }
    for (Asked each : Asked.values()) {
      run(fleets, each);
      long[] nanos = run(fleets, each);
      System.out.printf(
          Locale.ROOT,
          "%-28s median %6.2f ms  p99 %6.2f ms  max %6.2f ms  (%d victims to choose from)%n",
          each.text,
          nanos[nanos.length / 2] / 1e6,
          nanos[nanos.length * 99 / 100] / 1e6,
          nanos[nanos.length - 1] / 1e6,
          fleets.stream().mapToInt(fleet -> fleet.victims).sum() / SEEDS);
    }
  }

  private enum Asked {
    RACK("64 GPUs of one rack", 8, 8, List.of(rule(Level.RACK))),
    GROUPS("8 groups of 8, anywhere", 8, 8, List.of()),
    NODE("8 GPUs of one node", 0, 8, List.of(rule(Level.NODE))),
    ONE("one GPU", 0, 1, List.of());

    private final String text;
    private final Shape shape;

    Asked(String text, int groups, int count, List<Shape.Spread> topology) {
      this.text = text;
      this.shape = shape(groups, count, topology);
    }

    private static Shape.Spread rule(Level level) {
      return new Shape.Spread(level, Shape.Spread.Rule.REQUIRED, null);
    }
  }

  private static Shape shape(int groups, int count, List<Shape.Spread> topology) {
    return new Shape(
        List.of("h100"), 0, groups, count, Shape.Slice.WHOLE, 0, 0, topology, Shape.Where.ANYWHERE);
  }

  private static long[] run(List<PreemptionBenchmark> fleets, Asked asked) {
    long[] nanos = new long[SEEDS * ROUNDS];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = fleets.get(i % SEEDS).decide(asked.shape, Time.HOUR + i * Time.SECOND);
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private long decide(Shape shape, long length) {
    Ask ask = ask("serving", "realtime", shape, length, 0);
    long start = THREADS.getCurrentThreadCpuTime();
    int mark = book.mark();
    Batch batch = Engine.decide(book, List.of(new Command.Create(ask)), book.now());
    book.undo(mark);
    long nanos = THREADS.getCurrentThreadCpuTime() - start;
    Decision.Decided decided = (Decision.Decided) batch.decisions().getFirst();
    if (decided.answer().verdict() != Verdict.PLANNED) {
      throw new IllegalStateException(decided.answer().toString());
    }
    return nanos;
  }

  private void furnish() {
    List<Move> moves = new ArrayList<>();
    moves.add(
        new Move.ModelSet(new GpuModel("h100", "H100", List.of(), 81_559, 8, 7, List.of(), 0)));
    moves.add(new Move.TenantSet(new Tenant("serving", null, false)));
    for (int team = 0; team < 20; team++) {
      moves.add(new Move.TenantSet(new Tenant("team-" + team, null, false)));
    }
    moves.add(new Move.ClassSet(Story.serviceClass("realtime", 1000, false, true)));
    moves.add(new Move.ClassSet(Story.serviceClass("batch", 100, true, false)));
    for (int i = 0; i < NODES; i++) {
      moves.add(new Move.NodeSet(node(i)));
    }
    book.apply(NOW, moves);
    fill(0, OPEN_RACKS * PER_RACK, "batch");
    fill(OPEN_RACKS * PER_RACK, NODES, "realtime");
  }

  private static Node node(int ordinal) {
    int rack = ordinal / PER_RACK;
    return new Node(
        new UUID(1, ordinal),
        ordinal,
        "cluster",
        "n" + ordinal,
        "h100",
        new Domain("eu", "eu-1", "b" + rack / 8, "r" + rack, null),
        96_000,
        1_048_576,
        java.util.Collections.nCopies(8, new Node.Gpu(null, Health.OK)),
        null,
        false);
  }

  private void fill(int from, int to, String serviceClass) {
    for (int node = from; node < to; node++) {
      for (int free = 8; free > 0; ) {
        int[] sizes = {1, 1, 2, 4};
        int gpus = serviceClass.equals("batch") ? Math.min(free, sizes[random.nextInt(4)]) : 8;
        book.apply(
            NOW + random.nextLong(Time.SECOND),
            List.of(new Move.LeaseMoved(null, held(node, 8 - free, gpus, serviceClass), "loaded")));
        victims += serviceClass.equals("batch") ? 1 : 0;
        free -= gpus;
      }
    }
    book.settle();
  }

  private Lease held(int node, int first, int gpus, String serviceClass) {
    String team = "team-" + random.nextInt(20);
    Ask ask =
        ask(team, serviceClass, shape(0, gpus, List.of()), 9 * Time.HOUR, random.nextInt(1001));
    long since = NOW - random.nextLong(Time.HOUR);
    Span window = new Span(since, since + 9 * Time.HOUR);
    Booking.Slot slot =
        new Booking.Slot(
            0,
            new UUID(1, node),
            Mode.WHOLE,
            Units.of(first * Units.PER_GPU, (first + gpus) * Units.PER_GPU),
            List.of(),
            0,
            0);
    Span hold = new Span(since, window.end() + 90 * Time.SECOND);
    return Draft.of(Draft.requested(ask, asked, since))
        .to(LeaseState.ALLOCATED)
        .window(window)
        .booking(new Booking("cluster", "h100", hold, List.of(slot)))
        .raiseGeneration()
        .lease();
  }

  private Ask ask(String tenant, String serviceClass, Shape shape, long length, int cost) {
    return new Ask(
        new UUID(2, ++asked),
        tenant,
        serviceClass,
        shape,
        new Ask.When.Now(length),
        serviceClass.equals("batch"),
        Ask.Shortage.WAIT,
        1L << 60,
        List.of(),
        cost,
        null);
  }
}
