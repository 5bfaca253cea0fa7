package io.leasehold.engine;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The load of Kueue's own performance test on our engine: cohorts of queues with a quota of 20 and
 * a borrowing limit of 100 each; every queue gets small, medium and large requests at a steady pace
 * that is more than the cohort can run at once. Theirs counts quota only; here every request is
 * placed on nodes of 8 as well, with all limits, reasons and timelines on.
 *
 * <p>By hand: {@code KueueLoad baseline} or {@code KueueLoad large}. Counts by the CPU time of the
 * deciding thread, which a loaded machine changes little.
 */
public final class KueueLoad {

  private static final long MILLI = 1_000;
  private static final String MODEL = "h100";
  private static final int QUOTA = 20;
  private static final int BORROWING = 100;

  /** Their three sizes: requests a queue, pace and run time in ms, priority, amount. */
  private record Size(String name, int count, int pace, int run, int priority, int gpus) {}

  private record Event(long at, int order, Size size, String queue, UUID lease) {}

  private final List<Size> sizes;
  private final Book book = new Book();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingInt(Event::order));
  private final List<Event> arrivals = new ArrayList<>();
  private final long[] waited;
  private final int[] started;
  private int numbered;

  private KueueLoad(int cohorts, int queues, List<Size> sizes) {
    this.sizes = sizes;
    this.waited = new long[sizes.size()];
    this.started = new int[sizes.size()];
    List<Move> facts = new ArrayList<>();
    facts.add(
        new Move.ModelSet(new GpuModel(MODEL, "H100", List.of(), 81_920, 0, 0, List.of(), 0)));
    for (Size size : sizes) {
      facts.add(
          new Move.ClassSet(
              new ServiceClass(
                  size.name(),
                  size.priority(),
                  false,
                  true,
                  false,
                  0,
                  0,
                  0,
                  0,
                  4 * Time.HOUR,
                  Time.DAY,
                  Time.DAY)));
    }
    for (int i = 0; i < cohorts * queues * QUOTA / 8; i++) {
      facts.add(new Move.NodeSet(node(i)));
    }
    for (int cohort = 0; cohort < cohorts; cohort++) {
      tenant(facts, "cohort-" + cohort, null, queues * QUOTA, 0);
      for (int queue = 0; queue < queues; queue++) {
        String slug = "queue-" + cohort + "-" + queue;
        tenant(facts, slug, "cohort-" + cohort, QUOTA, BORROWING);
        for (Size size : sizes) {
          for (int i = 0; i < size.count(); i++) {
            long at = Story.T + (long) i * size.pace() * MILLI;
            events.add(new Event(at, numbered++, size, slug, new UUID(1, numbered)));
          }
        }
      }
    }
    book.apply(Story.T - 1, facts);
  }

  private static Node node(int ordinal) {
    return new Node(
        new UUID(7, ordinal),
        ordinal,
        "c",
        "n" + ordinal,
        MODEL,
        Domain.NOWHERE,
        0,
        0,
        IntStream.range(0, 8).mapToObj(_ -> new Node.Gpu(null, Health.OK)).toList(),
        null,
        false);
  }

  private static void tenant(
      List<Move> facts, String slug, String parent, int guaranteed, int borrowing) {
    facts.add(new Move.TenantSet(new Tenant(slug, parent, false)));
    facts.add(
        new Move.ContractSet(
            new Contract(
                UUID.nameUUIDFromBytes(slug.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                slug,
                new Span(0, Span.FOREVER),
                List.of(new Contract.Entitlement(MODEL, guaranteed, borrowing, null, 1)))));
  }

  private Ask ask(Event event) {
    return new Ask(
        event.lease(),
        event.queue(),
        event.size().name(),
        new Shape(
            List.of(MODEL),
            0,
            0,
            event.size().gpus(),
            Shape.Slice.WHOLE,
            0,
            0,
            List.of(),
            Shape.Where.ANYWHERE),
        new Ask.When.Now(event.size().run() * MILLI),
        true,
        Ask.Shortage.WAIT,
        Span.FOREVER,
        List.of());
  }

  /** Everything that happens within a millisecond is a batch. */
  private void run() {
    var cpu = ManagementFactory.getThreadMXBean();
    long from = cpu.getCurrentThreadCpuTime();
    int total = events.size();
    int decided = 0;
    long now = Story.T;
    int most = 0;
    List<Command> after = new ArrayList<>();
    while (!events.isEmpty() || !book.leases().isEmpty()) {
      long next = Math.min(events.isEmpty() ? Span.FOREVER : events.peek().at(), book.nextDue());
      now = after.isEmpty() ? Math.max(now + 1, Math.ceilDiv(next, MILLI) * MILLI) : now + 1;
      List<Command> commands = after;
      after = new ArrayList<>();
      while (!events.isEmpty() && events.peek().at() <= now) {
        commands.add(new Command.Create(ask(events.poll())));
        decided++;
      }
      Batch batch = Engine.decide(book, commands, now);
      book.settle();
      most = Math.max(most, book.register().waiting().size());
      for (Move move : batch.moves()) {
        if (move instanceof Move.LeaseMoved moved) {
          Lease lease = moved.after();
          if (lease.state() == LeaseState.ENDING) {
            after.add(Story.withdrawn(lease));
          } else if (lease.state() == LeaseState.ALLOCATED
              && (moved.before() == null || moved.before().state() != LeaseState.ALLOCATED)) {
            count(lease, now);
          }
        }
      }
    }
    double seconds = (cpu.getCurrentThreadCpuTime() - from) / 1e9;
    System.out.printf(
        "%d requests, %.1f s of CPU, %.0f requests/s (Kueue 43/s), most waiting %d,"
            + " simulated %.0f s%n",
        total, seconds, total / seconds, most, (now - Story.T) / 1e6);
    for (int i = 0; i < sizes.size(); i++) {
      System.out.printf(
          "  %-6s %d started, mean wait %.1f s%n",
          sizes.get(i).name(), started[i], waited[i] / 1e6 / Math.max(1, started[i]));
    }
    if (decided != total) {
      throw new IllegalStateException(decided + " of " + total);
    }
  }

  private void count(Lease lease, long now) {
    for (int i = 0; i < sizes.size(); i++) {
      if (sizes.get(i).name().equals(lease.ask().serviceClass())) {
        waited[i] += now - lease.createdAt();
        started[i]++;
      }
    }
  }

  private static KueueLoad of(String which) {
    return switch (which) {
      case "baseline" ->
          new KueueLoad(
              5,
              6,
              List.of(
                  new Size("small", 350, 100, 200, 50, 1),
                  new Size("medium", 100, 500, 500, 100, 5),
                  new Size("large", 50, 1_200, 1_000, 200, 20)));
      case "large" ->
          new KueueLoad(
              10,
              100,
              List.of(
                  new Size("small", 35, 100, 200, 50, 1),
                  new Size("medium", 10, 500, 500, 100, 5),
                  new Size("large", 5, 1_200, 1_000, 200, 20)));
      default -> throw new IllegalArgumentException(which + " is neither baseline nor large");
    };
  }

  public static void main(String[] args) {
    for (String which : args) {
      System.out.println(which);
      of(which).run();
    }
  }
}
