package io.leasehold.engine;

import static io.leasehold.engine.Fleet.H100;
import static io.leasehold.engine.Fleet.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The earliest start found through the indexes of what is free later is the one that a look at
 * every end of every hold finds, with the very same devices; the seed is in each message.
 */
class StartsPropertyTest {

  private static final int STEPS = 300;

  private final Undo undo = new Undo();
  private final Capacity capacity = new Capacity(undo);
  private final Map<UUID, Booking> taken = new TreeMap<>();
  private final Map<UUID, Booking> possessed = new TreeMap<>();
  private long now = 1_000 * SECOND;
  private long leases;

  /** More with {@code -Dseeds=1000}. */
  static java.util.stream.LongStream seeds() {
    return java.util.stream.LongStream.rangeClosed(1, Long.getLong("seeds", 10));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void findsWhatALookAtEverythingFinds(long seed) {
    Random random = new Random(seed);
    build(random);
    int later = 0;
    for (int step = 0; step < STEPS; step++) {
      now += random.nextInt(3) == 0 ? random.nextInt(20) * SECOND + random.nextInt(3) : 0;
      end(random);
      if (step % 30 == 0) {
        change(random);
      }
      int mark = undo.mark();
      if (random.nextInt(4) == 0) {
        taken.forEach(capacity::give);
        compare("seed " + seed + " step " + step + " without plans", shape(random), random);
        undo.back(mark);
      }
      Found found = compare("seed " + seed + " step " + step, shape(random), random);
      if (found instanceof Found.Room room) {
        later += room.booking().hold().start() > now ? 1 : 0;
        take(room.booking(), random);
      }
    }
    assertThat(later).as("found later, seed " + seed).isGreaterThan(STEPS / 5);
  }

  private Found compare(String why, Shape shape, Random random) {
    long from = random.nextInt(3) == 0 ? now + random.nextInt(50) * SECOND + 7 : now;
    long latest = from + random.nextInt(400) * SECOND;
    long length = (1 + random.nextInt(120)) * SECOND + random.nextInt(2);
    if (random.nextInt(12) == 0) {
      length = Span.FOREVER;
    }
    Starts.When when = new Starts.When(from, latest, length, now);
    Found expected = exhaustive(shape, when);
    Found found = capacity.earliest(shape, H100, from, latest, length, now, new Budget(1L << 40));
    assertThat(found).as(why + " " + shape + " " + when).isEqualTo(expected);
    return found;
  }

  private Found exhaustive(Shape shape, Starts.When when) {
    TreeSet<Long> starts = new TreeSet<>(List.of(when.from(), Time.roundUp(now + 1)));
    taken.values().forEach(booking -> starts.add(Time.roundUp(booking.hold().end())));
    starts.headSet(when.from()).clear();
    starts.tailSet(when.latest(), false).clear();
    for (long start : starts) {
      Found found = capacity.place(shape, H100, when.hold(start), now, new Budget(1L << 40));
      if (found instanceof Found.Room) {
        return found;
      }
    }
    return capacity.place(shape, H100, when.hold(when.from()), now, new Budget(1L << 40));
  }

  private void build(Random random) {
    capacity.set(Fleet.h100());
    int count = 4 + random.nextInt(14);
    for (int i = 0; i < count; i++) {
      Domain domain =
          random.nextInt(6) == 0
              ? Domain.NOWHERE
              : Fleet.rack("b" + random.nextInt(2), "r" + random.nextInt(3));
      long cpu = random.nextBoolean() ? 0 : 32_000;
      capacity.set(Fleet.node(i, "c" + i % 2, domain, 1 + random.nextInt(8), cpu, 0));
    }
  }

  private static Shape shape(Random random) {
    List<Shape.Spread> topology = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      Level level = Level.values()[2 + random.nextInt(4)];
      Shape.Spread.Rule rule = Shape.Spread.Rule.values()[random.nextInt(3)];
      topology.add(
          new Shape.Spread(level, rule, random.nextInt(3) == 0 ? 1 + random.nextInt(8) : null));
    }
    Shape.Slice slice =
        switch (random.nextInt(5)) {
          case 0 -> new Shape.Slice.Share(100 * (1 + random.nextInt(9)));
          case 1 -> new Shape.Slice.Mig(Fleet.h100().profiles().get(random.nextInt(7)).name());
          default -> Shape.Slice.WHOLE;
        };
    int groups = random.nextInt(2) == 0 ? 1 + random.nextInt(3) : 0;
    int count = 1 + random.nextInt(slice == Shape.Slice.WHOLE ? groups == 0 ? 14 : 5 : 3);
    long cpu = random.nextInt(4) == 0 ? 1 + random.nextInt(20_000) : 0;
    Shape.Where where =
        random.nextInt(6) == 0
            ? new Shape.Where(List.of(), List.of("c1"), List.of(Fleet.id(0)), List.of())
            : Shape.Where.ANYWHERE;
    return new Shape(List.of(), 0, groups, count, slice, cpu, 0, topology, where);
  }

  private void take(Booking booking, Random random) {
    UUID lease = Fleet.id(1_000 + leases++);
    capacity.take(lease, booking);
    taken.put(lease, booking);
    if (booking.hold().start() <= now && random.nextInt(4) == 0) {
      capacity.possess(lease, booking);
      possessed.put(lease, booking);
    }
    undo.settle();
  }

  private void end(Random random) {
    for (Map.Entry<UUID, Booking> each : List.copyOf(taken.entrySet())) {
      if (each.getValue().hold().end() <= now || random.nextInt(80) == 0) {
        capacity.give(each.getKey(), each.getValue());
        taken.remove(each.getKey());
      }
    }
    for (Map.Entry<UUID, Booking> each : List.copyOf(possessed.entrySet())) {
      if (!taken.containsKey(each.getKey()) && random.nextInt(3) == 0) {
        capacity.dispossess(each.getKey(), each.getValue());
        possessed.remove(each.getKey());
      }
    }
    undo.settle();
  }

  private void change(Random random) {
    List<Node> nodes = new ArrayList<>(capacity.nodes());
    Node node = nodes.get(random.nextInt(nodes.size()));
    List<Node.Gpu> gpus = new ArrayList<>(node.gpus());
    Health health = random.nextInt(3) == 0 ? Health.SUSPECT : Health.OK;
    gpus.set(random.nextInt(gpus.size()), new Node.Gpu(null, health));
    capacity.set(node.withGpus(gpus));
    undo.settle();
  }
}
