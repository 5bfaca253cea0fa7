package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;

/**
 * How long the audit holds the decider up, and how long it looks: a full pool of one-GPU leases of
 * 20 teams below 4, each with a start and an end of its own. The first time, as the compiler has
 * not seen it, and the median of the others, in time on the processor.
 */
public final class AuditBenchmark {

  private static final int ROUNDS = 20;
  private static final long NOW = 1_800_000_000L * Time.SECOND;
  private static final Shape SHAPE =
      new Shape(List.of("h100"), 0, 0, 1, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
  private static final java.lang.management.ThreadMXBean THREADS =
      java.lang.management.ManagementFactory.getThreadMXBean();

  private AuditBenchmark() {}

  public static void main(String[] args) {
    for (int nodes : new int[] {2_064, 20_640}) {
      run(nodes);
    }
  }

  private static void run(int nodes) {
    Book book = furnished(nodes);
    long[] taking = new long[ROUNDS];
    long[] looking = new long[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      long start = THREADS.getCurrentThreadCpuTime();
      Image image = Image.of(book);
      long taken = THREADS.getCurrentThreadCpuTime();
      List<String> faults = image.faults();
      looking[i] = THREADS.getCurrentThreadCpuTime() - taken;
      taking[i] = taken - start;
      if (!faults.isEmpty()) {
        throw new IllegalStateException(faults.getFirst());
      }
    }
    tell(nodes, "taking the image", taking);
    tell(nodes, "looking at it", looking);
  }

  private static void tell(int nodes, String what, long[] nanos) {
    double first = nanos[0] / 1e6;
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "%,d leases: %-17s first %7.2f ms, median %7.2f ms%n",
        nodes * 8,
        what,
        first,
        nanos[ROUNDS / 2] / 1e6);
  }

  private static Book furnished(int nodes) {
    Book book = new Book();
    Random random = new Random(1);
    List<Move> moves = new ArrayList<>();
    moves.add(
        new Move.ModelSet(new GpuModel("h100", "H100", List.of(), 81_559, 8, 7, List.of(), 0)));
    moves.add(new Move.ClassSet(Story.serviceClass("batch", 100, true, false)));
    for (int above = 0; above < 4; above++) {
      moves.add(new Move.TenantSet(new Tenant("above-" + above, null, false)));
    }
    for (int team = 0; team < 20; team++) {
      moves.add(new Move.TenantSet(new Tenant("team-" + team, "above-" + team % 4, false)));
    }
    for (int i = 0; i < nodes; i++) {
      moves.add(new Move.NodeSet(node(i)));
    }
    for (int i = 0; i < nodes * 8; i++) {
      moves.add(new Move.LeaseMoved(null, lease(i, random), "loaded"));
    }
    book.apply(NOW, moves);
    book.settle();
    return book;
  }

  private static Node node(int ordinal) {
    return new Node(
        new UUID(1, ordinal),
        ordinal,
        "cluster",
        "n" + ordinal,
        "h100",
        Domain.NOWHERE,
        0,
        0,
        Collections.nCopies(8, new Node.Gpu(null, Health.OK)),
        null,
        false);
  }

  private static Lease lease(int number, Random random) {
    long start = NOW - random.nextLong(Time.HOUR);
    Span window = new Span(start, start + 4 * Time.HOUR);
    Booking.Slot slot =
        new Booking.Slot(
            0,
            new UUID(1, number / 8),
            Mode.WHOLE,
            Units.ofGpus(1L << number % 8),
            List.of(),
            0,
            0);
    Ask ask =
        new Ask(
            new UUID(2, number),
            "team-" + number % 20,
            "batch",
            SHAPE,
            new Ask.When.Now(4 * Time.HOUR),
            true,
            Ask.Shortage.WAIT,
            1L << 60,
            List.of(),
            0,
            null);
    return Draft.of(Draft.requested(ask, number + 1, start))
        .to(LeaseState.ALLOCATED)
        .window(window)
        .booking(new Booking("cluster", "h100", window, List.of(slot)))
        .raiseGeneration()
        .lease();
  }
}
