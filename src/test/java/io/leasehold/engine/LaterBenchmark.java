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
 * Searches for the earliest start in two weeks on a full fleet of openb's mix, part of it booked
 * for later as well; what is found is taken, and as much is given back.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class LaterBenchmark {

  private static final long START = 1_000_000_000L;

  @Param({"1", "10", "100"})
  int times;

  /** GPUs of the request on one node; 0 = as the mix has it, 16 = two groups of 8. */
  @Param({"0", "8", "16"})
  int gpus;

  private final Undo undo = new Undo();
  private final Random random = new Random(42);
  private Capacity capacity;
  private long now = START;
  private long leases;

  /** Every GPU is taken until some time in the next two days, a fifth of them again afterwards. */
  @Setup(Level.Trial)
  public void fill() {
    capacity = new Capacity(undo);
    List<Node> nodes = FleetMix.nodes(times);
    nodes.forEach(capacity::set);
    capacity.models().forEach(model -> capacity.set(FleetMix.model(model)));
    for (Node node : nodes) {
      boolean planned = random.nextInt(5) == 0;
      for (int gpu = 0; gpu < node.gpus().size(); gpu++) {
        long end = now + Time.HOUR + random.nextLong(47 * Time.HOUR);
        take(node, gpu, new Span(now, end));
        if (planned) {
          long start = end + random.nextLong(4 * Time.HOUR);
          take(node, gpu, new Span(start, start + Time.HOUR + random.nextLong(20 * Time.HOUR)));
        }
      }
    }
    undo.settle();
  }

  private void take(Node node, int gpu, Span hold) {
    Booking.Slot slot =
        new Booking.Slot(
            0, node.id(), io.leasehold.engine.Mode.WHOLE, Units.ofGpus(1L << gpu), List.of(), 0, 0);
    capacity.take(
        new UUID(1, leases++), new Booking(node.cluster(), node.model(), hold, List.of(slot)));
  }

  @Benchmark
  public Found earliest() {
    now += 10;
    Found found =
        capacity.earliest(
            shape(), "G2", now, now + 14 * Time.DAY, 4 * Time.HOUR, now, new Budget(1_000_000));
    if (found instanceof Found.Room room) {
      int mark = undo.mark();
      capacity.take(new UUID(1, leases++), room.booking());
      undo.back(mark);
    }
    undo.settle();
    return found;
  }

  private Shape shape() {
    if (gpus == 0) {
      return FleetMix.shape(random, List.of(), true);
    }
    int groups = gpus == 16 ? 2 : 1;
    return new Shape(
        new ArrayList<>(),
        0,
        groups,
        gpus / groups,
        Shape.Slice.WHOLE,
        0,
        0,
        List.of(),
        Shape.Where.ANYWHERE);
  }
}
