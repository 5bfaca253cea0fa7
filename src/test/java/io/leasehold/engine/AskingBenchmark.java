package io.leasehold.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Milliseconds for one question to a full fleet of 1,500 nodes and 12,000 GPUs in racks, 20 tenants
 * with contracts, a fifth of the requests booked for later: when a request could be had over the
 * next 14 days, and the answer that something can never be. Its {@code main} measures time on the
 * processor instead, for machines that do other things as well.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class AskingBenchmark {

  private static final int NODES = 1_500;
  private static final int TENANTS = 20;

  private final Book book = new Book();
  private final Random random = new Random(42);
  private long now = Story.T;
  private long asked;

  @Setup(Level.Trial)
  public void fill() {
    List<Move> facts = new ArrayList<>();
    facts.add(new Move.ModelSet(Fleet.h100()));
    facts.add(new Move.ClassSet(Story.serviceClass("batch", 100, true, false)));
    facts.add(new Move.TenantSet(new Tenant("acme", null, false)));
    facts.add(contract("acme", 12_000));
    for (int i = 0; i < TENANTS; i++) {
      facts.add(new Move.TenantSet(new Tenant("team-" + i, "acme", false)));
      facts.add(contract("team-" + i, 400));
    }
    for (int i = 0; i < NODES; i++) {
      facts.add(new Move.NodeSet(Fleet.node(i, "c1", Fleet.rack("b" + i / 150, "r" + i / 15), 8)));
    }
    book.apply(now, facts);
    for (int batch = 0; batch < 14; batch++) {
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        commands.add(new Command.Create(filler()));
      }
      Engine.decide(book, commands, now);
      book.settle();
    }
  }

  private static Move contract(String tenant, int guaranteed) {
    return new Move.ContractSet(
        new Contract(
            UUID.nameUUIDFromBytes(tenant.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
            tenant,
            new Span(Story.T - Time.DAY, Story.T + 400 * Time.DAY),
            List.of(new Contract.Entitlement(Fleet.H100, guaranteed, null, null, 1))));
  }

  private Ask filler() {
    long length = Time.HOUR + random.nextLong(71 * Time.HOUR);
    long start = Time.roundUp(now + random.nextLong(72 * Time.HOUR));
    Ask.When when =
        random.nextInt(5) == 0
            ? new Ask.When.At(new Span(start, start + length))
            : new Ask.When.Now(length);
    int gpus = 1 << random.nextInt(4);
    return ask(Fleet.groups(1, gpus), when, Ask.Shortage.REFUSE);
  }

  private Ask ask(Shape shape, Ask.When when, Ask.Shortage shortage) {
    return new Ask(
        new UUID(1, ++asked),
        "team-" + random.nextInt(TENANTS),
        "batch",
        shape,
        when,
        true,
        shortage,
        Story.T + 80 * Time.DAY,
        List.of());
  }

  private Availability availability(Shape shape) {
    now += 1_000;
    Ask ask = ask(shape, new Ask.When.Now(12 * Time.HOUR), Ask.Shortage.WAIT);
    return Engine.availability(book, List.of(ask), 14 * Time.DAY, now).getFirst();
  }

  @Benchmark
  public Availability availabilityOfANode() {
    return availability(Fleet.groups(1, 8));
  }

  @Benchmark
  public Availability availabilityOfARack() {
    return availability(Fleet.groups(8, 8, Fleet.required(io.leasehold.engine.Level.RACK)));
  }

  @Benchmark
  public Availability availabilityOfAThousand() {
    return availability(Fleet.whole(1_000));
  }

  @Benchmark
  public Availability availabilityOfTheWholeFleet() {
    return availability(Fleet.whole(12_000));
  }

  @Benchmark
  public Availability availabilityOfManyGroups() {
    return availability(Fleet.groups(600, 8));
  }

  /** At most so many on a node. */
  @Benchmark
  public Availability availabilityOfAThousandSpread() {
    return availability(Fleet.whole(1_000, Fleet.spread(io.leasehold.engine.Level.NODE, 4)));
  }

  @Benchmark
  public Availability availabilityOfAThousandFractions() {
    return availability(Fleet.share(1_000, 300));
  }

  @Benchmark
  public Decision never() {
    now += 1_000;
    Shape shape = Fleet.groups(16, 8, Fleet.required(io.leasehold.engine.Level.RACK));
    int mark = book.mark();
    Ask ask = ask(shape, new Ask.When.Now(12 * Time.HOUR), Ask.Shortage.WAIT);
    Decision decision =
        Engine.decide(book, List.of(new Command.Create(ask)), now).decisions().getFirst();
    book.undo(mark);
    return decision;
  }

  /** Medians and 90th percentiles of 60 questions each, after 30 to warm up. */
  public static void main(String[] args) {
    AskingBenchmark asking = new AskingBenchmark();
    asking.fill();
    measure("a node", asking::availabilityOfANode);
    measure("8 nodes in one rack", asking::availabilityOfARack);
    measure("1,000 GPUs", asking::availabilityOfAThousand);
    measure("12,000 GPUs", asking::availabilityOfTheWholeFleet);
    measure("600 groups of 8", asking::availabilityOfManyGroups);
    measure("1,000 GPUs, at most 4 on a node", asking::availabilityOfAThousandSpread);
    measure("1,000 fractions of 0.3", asking::availabilityOfAThousandFractions);
    measure("never", asking::never);
  }

  private static void measure(String what, Supplier<Object> question) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long[] times = new long[60];
    for (int i = -30; i < times.length; i++) {
      long before = threads.getCurrentThreadCpuTime();
      Object answer = question.get();
      times[Math.max(0, i)] = threads.getCurrentThreadCpuTime() - before;
      Objects.requireNonNull(answer);
    }
    Arrays.sort(times);
    System.out.printf("%-32s %6.2f ms %6.2f ms%n", what, times[30] / 1e6, times[54] / 1e6);
  }
}
