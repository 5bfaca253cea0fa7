package io.leasehold.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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

  private static final Path OPENB =
      Path.of(System.getProperty("openb", "/work/shared/data/openb/openb_node_list_gpu_node.csv"));

  /** Nodes, GPUs, CPU, memory and model of the mix, where the list is not at hand. */
  private static final String[] MIX = {
    "549,8,96000,393216,G2",
    "387,2,104000,524288,T4",
    "107,2,16000,122880,P100",
    "39,8,128000,786432,G3",
    "28,4,32000,131072,V100M16",
    "22,2,64000,262144,P100",
    "21,8,96000,786432,V100M32",
    "19,1,8000,32768,V100M16",
    "17,4,96000,393216,T4",
    "9,4,48000,376832,V100M32"
  };

  /** Pieces, thousandths of a GPU, CPU and weight of a request. */
  private static final int[][] REQUESTS = {
    {1, 1000, 11_300, 391}, {1, 810, 8_000, 108}, {1, 470, 6_000, 75}, {1, 320, 4_000, 33},
    {1, 650, 8_000, 25}, {1, 230, 4_000, 14}, {1, 460, 6_000, 13}, {8, 1000, 88_000, 5},
    {2, 1000, 16_000, 2}, {4, 1000, 40_000, 2}
  };

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
  public void fill() throws IOException {
    capacity = new Capacity(undo);
    List<String> byGpu = new ArrayList<>();
    int ordinal = 0;
    for (int round = 0; round < times; round++) {
      for (Node node : nodes(ordinal)) {
        capacity.set(node);
        ordinal++;
        total += 1000L * node.gpus().size();
        for (int i = 0; i < node.gpus().size() && round == 0; i++) {
          byGpu.add(node.model());
        }
      }
    }
    models = byGpu.toArray(new String[0]);
    for (String model : capacity.models()) {
      capacity.set(new GpuModel(model, model, List.of(), 16_384, 0, 0, List.of(), 0));
    }
    running = new Running[(int) (total / 100)];
    for (int misses = 0; taken < total * load && misses < 100_000; ) {
      misses += admit() ? 0 : 1;
    }
    undo.settle();
  }

  private static List<Node> nodes(int ordinal) throws IOException {
    List<Node> nodes = new ArrayList<>();
    if (Files.exists(OPENB)) {
      List<String> lines = Files.readAllLines(OPENB);
      for (String line : lines.subList(1, lines.size())) {
        String[] f = line.split(",");
        nodes.add(node(ordinal + nodes.size(), f[3], f[1], f[2], f[4]));
      }
    } else {
      for (String line : MIX) {
        String[] f = line.split(",");
        for (int i = 0; i < Integer.parseInt(f[0]); i++) {
          nodes.add(node(ordinal + nodes.size(), f[1], f[2], f[3], f[4]));
        }
      }
    }
    return nodes;
  }

  private static Node node(int ordinal, String gpus, String cpu, String memory, String model) {
    return new Node(
        Fleet.id(ordinal),
        ordinal,
        "c1",
        "n" + ordinal,
        model,
        Domain.NOWHERE,
        Long.parseLong(cpu),
        Long.parseLong(memory),
        IntStream.range(0, Integer.parseInt(gpus))
            .mapToObj(_ -> new Node.Gpu(null, Health.OK))
            .toList(),
        null,
        false);
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
    int[] request = pick();
    Shape.Slice slice = request[1] == 1000 ? Shape.Slice.WHOLE : new Shape.Slice.Share(request[1]);
    Shape shape =
        new Shape(
            List.of(),
            0,
            request[0] == 1 ? 0 : 1,
            request[0],
            slice,
            request[2],
            0,
            List.of(),
            Shape.Where.ANYWHERE);
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

  private int[] pick() {
    int left = random.nextInt(668);
    for (int[] request : REQUESTS) {
      left -= request[3];
      if (left < 0) {
        return request;
      }
    }
    throw new IllegalStateException("the weights add up to 668");
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
