package io.leasehold.engine;

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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Decisions per second on the fleet of openb (or one of the same mix), once, ten and a hundred
 * times over: place and take one request, give back the oldest. Half of the requests name a model,
 * by how much of the fleet it is; the load stays at the part given.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class CapacityBenchmark {

  private record Running(UUID lease, Booking booking) {}

  @Param({"1", "10", "100"})
  int times;

  @Param({"0.90"})
  double load;

  /** Part of the requests that is booked for later, in hundredths. */
  @Param({"0", "20"})
  int planned;

  private final Undo undo = new Undo();
  private Capacity capacity;
  private Running[] running;
  private int oldest;
  private int count;
  private long taken;
  private long total;
  private long now = 1_000_000_000L;
  private long leases;
  private String[] models;
  private final Random random = new Random(42);

  @Setup(Level.Trial)
  public void fill() {
    capacity = new Capacity(undo);
    List<String> byGpu = new ArrayList<>();
    for (Node node : FleetMix.nodes(times)) {
      capacity.set(node);
      total += 1000L * node.gpus().size();
      for (int i = 0; i < node.gpus().size(); i++) {
        byGpu.add(node.model());
      }
    }
    models = byGpu.toArray(new String[0]);
    for (String model : capacity.models()) {
      capacity.set(FleetMix.model(model));
    }
    running = new Running[(int) (total / 100)];
    for (int misses = 0; taken < total * load && misses < 100_000; ) {
      misses += admit() ? 0 : 1;
    }
    undo.settle();
  }

  /** One request decided and booked; as many given back as keeps the load. */
  @Benchmark
  public boolean decide() {
    boolean admitted = admit();
    while (taken > total * load && count > 0) {
      end();
    }
    undo.settle();
    return admitted;
  }

  private boolean admit() {
    now += 10;
    Shape shape = FleetMix.shape(random, List.of(), true);
    long start = random.nextInt(100) < planned ? now + 3_600_000_000L : now;
    Span hold = new Span(start, start + 7_200_000_000L + random.nextInt(1_000_000));
    String model = models[random.nextInt(models.length)];
    Found found = capacity.place(shape, model, hold, now, new Budget(100_000));
    if (!(found instanceof Found.Room room) || count == running.length) {
      return false;
    }
    Running one = new Running(new UUID(1, leases++), room.booking());
    capacity.take(one.lease(), one.booking());
    running[(oldest + count++) % running.length] = one;
    taken += one.booking().gpuMilli();
    return true;
  }

  /** A random one ends: what is left is the ragged fleet of a long run. */
  private void end() {
    int at = (oldest + random.nextInt(count)) % running.length;
    Running one = running[at];
    running[at] = running[oldest];
    oldest = (oldest + 1) % running.length;
    count--;
    capacity.give(one.lease(), one.booking());
    taken -= one.booking().gpuMilli();
  }
}
