package io.leasehold.engine;

import static io.leasehold.engine.Fleet.H100;
import static io.leasehold.engine.Fleet.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the sweep over a fleet says of any instant, or of any start, is what a search for devices
 * finds there: of every sharing mode, within domains and the limits of domains. The seed is in each
 * message.
 */
class SupplyPropertyTest {

  private static final Span SPAN = new Span(1_000 * SECOND, 1_400 * SECOND);
  private static final long BEFORE = 900 * SECOND;
  private static final int SHAPES = 40;

  private final Capacity capacity = new Capacity(new Undo());
  private final Random random = new Random();
  private long leases = 1_000;

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 20));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void countsWhatASearchFinds(long seed) {
    random.setSeed(seed);
    build();
    for (int i = 0; i < 60; i++) {
      take(shape(List.of(), Shape.Slice.WHOLE, 4, 20_000));
      take(shape(List.of(), slice(), 3, 10_000));
    }
    int less = 0;
    for (int i = 0; i < SHAPES; i++) {
      Shape.Slice slice = slice();
      Shape shape = shape(topology(), slice, 14, 0);
      String why = "seed " + seed + " shape " + i + ": " + shape;
      long length = (1 + random.nextInt(120)) * SECOND;
      List<Stock> stocks = capacity.open(shape.where(), H100);
      Demand demand = Demand.of(shape, capacity.model(H100));
      Topology topology = Topology.of(shape.topology());
      Steps at = Supply.of(stocks, demand, topology, shape.where(), SPAN);
      Steps from = Supply.ofStarts(stocks, demand, shape, SPAN, length);
      for (int look = 0; look < 12; look++) {
        long instant = SPAN.start() + random.nextInt(400) * SECOND;
        long now = value(at, instant) * demand.each();
        assertThat(now).as(why + " at " + instant).isEqualTo(most(shape, instant, 1));
        assertThat(value(from, instant) * demand.each())
            .as(why + " from " + instant + " for " + length)
            .isEqualTo(most(shape, instant, length));
        less += now < shape.pieces() ? 1 : 0;
      }
    }
    assertThat(less).as("short of it, seed " + seed).isGreaterThan(SHAPES);
  }

  private static long value(Steps steps, long instant) {
    int step = 0;
    while (steps.end(step) <= instant) {
      step++;
    }
    return steps.value(step);
  }

  private long most(Shape shape, long start, long length) {
    Span hold = new Span(start, start + length);
    return switch (capacity.place(shape, H100, hold, BEFORE, new Budget(Long.MAX_VALUE))) {
      case Found.Room _ -> shape.pieces();
      case Found.None none -> none.most();
      case Found.GaveUp _ -> throw new AssertionError("gave up");
    };
  }

  private void build() {
    capacity.set(Fleet.h100());
    int count = 3 + random.nextInt(10);
    for (int i = 0; i < count; i++) {
      Domain domain =
          random.nextInt(6) == 0
              ? Domain.NOWHERE
              : Fleet.rack("b" + random.nextInt(2), "r" + random.nextInt(3));
      capacity.set(Fleet.node(i, "c" + i % 2, domain, 1 + random.nextInt(6), 64_000, 0));
    }
  }

  private void take(Shape shape) {
    long start = SPAN.start() + (random.nextInt(500) - 100) * SECOND;
    Span hold = new Span(start, start + (1 + random.nextInt(150)) * SECOND);
    if (capacity.place(shape, H100, hold, BEFORE, new Budget(Long.MAX_VALUE))
        instanceof Found.Room room) {
      capacity.take(Fleet.id(leases++), room.booking());
    }
  }

  private Shape.Slice slice() {
    return switch (random.nextInt(3)) {
      case 0 -> new Shape.Slice.Share(100 * (1 + random.nextInt(9)));
      case 1 -> new Shape.Slice.Mig(Fleet.h100().profiles().get(random.nextInt(7)).name());
      default -> Shape.Slice.WHOLE;
    };
  }

  private List<Shape.Spread> topology() {
    List<Shape.Spread> topology = new ArrayList<>();
    for (Level level : List.of(Level.BLOCK, Level.RACK, Level.NODE)) {
      if (random.nextInt(3) == 0) {
        Shape.Spread.Rule rule = Shape.Spread.Rule.values()[random.nextInt(3)];
        Integer atMost = random.nextBoolean() ? null : Integer.valueOf(1 + random.nextInt(8));
        topology.add(new Shape.Spread(level, rule, atMost));
      }
    }
    return topology;
  }

  private Shape shape(List<Shape.Spread> topology, Shape.Slice slice, int most, long cpu) {
    boolean grouped = random.nextBoolean();
    int groups = grouped ? 1 + random.nextInt(5) : 0;
    int count = 1 + random.nextInt(grouped ? 3 : most);
    long each = cpu == 0 ? 0 : random.nextLong(cpu);
    return new Shape(List.of(), 0, groups, count, slice, each, 0, topology, Shape.Where.ANYWHERE);
  }
}
