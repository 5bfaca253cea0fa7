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
 * A domain is filled as if every node were looked at again for each item; the seed is in each
 * message.
 */
class FillingPropertyTest {

  private static final Span HOLD = new Span(1_000 * SECOND, 2_000 * SECOND);
  private static final int SHAPES = 60;

  private final Capacity capacity = new Capacity(new Undo());

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 150));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void laysAsOneWhoLooksAtEveryNodeEachTime(long seed) {
    Random random = new Random(seed);
    build(random);
    Stock stock = capacity.all(H100).getFirst();
    int filled = 0;
    for (int i = 0; i < SHAPES; i++) {
      Shape shape = shape(random);
      Demand demand = Demand.of(shape, capacity.model(H100));
      Topology topology = Topology.of(shape.topology());
      Window window =
          Window.exact(
              stock, demand, Over.of(HOLD, 0), Shape.Where.ANYWHERE, new Budget(Long.MAX_VALUE));
      boolean scored = random.nextInt(4) > 0;
      Packing packing = Packing.of(window, topology, scored);
      int from = random.nextInt(stock.size() / 2);
      int to = from + 1 + random.nextInt(stock.size() - from);
      Rooms rooms = rooms(window, topology);
      int items = rooms.fits(from, to, demand.items());
      if (items > 0) {
        filled++;
        int[] run = {from, to};
        Plain plain = new Plain(packing, window, topology, rooms(window, topology));
        assertThat(new Filling(packing, window, topology, rooms, run).lay(items))
            .as("seed " + seed + " shape " + i + " " + from + ".." + to + " " + shape)
            .isEqualTo(plain.lay(from, to, items));
      }
    }
    assertThat(filled).as("filled, seed " + seed).isGreaterThan(SHAPES / 3);
  }

  private static Rooms rooms(Window window, Topology topology) {
    int[] room = new int[window.size()];
    for (int node = 0; node < room.length; node++) {
      room[node] = window.items(node);
    }
    return new Rooms(window.stock(), window.demand(), topology, room);
  }

  private void build(Random random) {
    capacity.set(Fleet.h100());
    askForGangs(random);
    int count = 4 + random.nextInt(24);
    for (int i = 0; i < count; i++) {
      Domain domain = Fleet.rack("b" + random.nextInt(2), "r" + random.nextInt(4));
      Node node = Fleet.node(i, "c1", domain, 1 + random.nextInt(8), 64_000, 0);
      capacity.set(node);
      int taken = random.nextInt(node.gpus().size() + 1);
      if (taken > 0) {
        Booking.Slot slot =
            new Booking.Slot(
                0,
                node.id(),
                Mode.WHOLE,
                Units.ofGpus((1L << taken) - 1),
                List.of(),
                random.nextInt(9) * 4_000L,
                0);
        capacity.take(Fleet.id(100 + i), new Booking("c1", H100, HOLD, List.of(slot)));
      }
    }
  }

  /**
   * Gangs are asked for: what is left to them makes one more on a node cost other than the first.
   */
  private void askForGangs(Random random) {
    for (int i = 0; i < 20; i++) {
      Ask ask =
          new Ask(
              Fleet.id(500 + i),
              "acme",
              "batch",
              Fleet.groups(1, 1 + random.nextInt(8)),
              new Ask.When.Now(Time.HOUR),
              true,
              Ask.Shortage.WAIT,
              Time.DAY,
              List.of());
      Lease asked = Draft.requested(ask, i, 0);
      capacity.mix().moved(null, Draft.of(asked).to(LeaseState.WAITING).lease());
    }
  }

  private static Shape shape(Random random) {
    List<Shape.Spread> topology = new ArrayList<>();
    for (Level level : List.of(Level.BLOCK, Level.RACK, Level.NODE)) {
      if (random.nextInt(3) == 0) {
        Shape.Spread.Rule rule = Shape.Spread.Rule.values()[1 + random.nextInt(2)];
        Integer atMost = random.nextBoolean() ? null : Integer.valueOf(1 + random.nextInt(9));
        topology.add(new Shape.Spread(level, rule, atMost));
      }
    }
    boolean grouped = random.nextBoolean();
    return new Shape(
        List.of(),
        0,
        grouped ? 1 + random.nextInt(12) : 0,
        1 + random.nextInt(grouped ? 3 : 40),
        random.nextInt(4) == 0 ? new Shape.Slice.Share(300) : Shape.Slice.WHOLE,
        random.nextInt(3) * 2_000L,
        0,
        topology,
        Shape.Where.ANYWHERE);
  }

  /** The same, item by item. */
  private record Plain(Packing packing, Window window, Topology topology, Rooms rooms, int[] laid) {

    Plain(Packing packing, Window window, Topology topology, Rooms rooms) {
      this(packing, window, topology, rooms, new int[rooms.size()]);
    }

    int[] lay(int from, int to, int items) {
      for (int left = items; left > 0; ) {
        left -= layBy(0, from, to, left);
      }
      return laid;
    }

    private int layBy(int rule, int from, int to, int left) {
      if (rule == topology.fills().size()) {
        return layOnNode(from, to, left);
      }
      Topology.Fill fill = topology.fills().get(rule);
      int[] run =
          fill.spread() ? emptiest(fill.level(), from, to) : fullest(fill.level(), from, to, left);
      int items = fill.spread() ? 1 : rooms.fits(run[0], run[1], left);
      for (int rest = items; rest > 0; ) {
        rest -= layBy(rule + 1, run[0], run[1], rest);
      }
      return items;
    }

    private int[] emptiest(Level level, int from, int to) {
      int[] best = null;
      int fewest = Integer.MAX_VALUE;
      for (int lo = from; lo < to; ) {
        int hi = window.stock().bucketEnd(lo, to, level);
        int here = 0;
        for (int i = lo; i < hi; i++) {
          here += laid[i];
        }
        if (here < fewest && rooms.fits(lo, hi, 1) > 0) {
          fewest = here;
          best = new int[] {lo, hi};
        }
        lo = hi;
      }
      return best;
    }

    private int[] fullest(Level level, int from, int to, int left) {
      int[] best = null;
      int most = 0;
      long least = Long.MAX_VALUE;
      for (int lo = from; lo < to; ) {
        int hi = window.stock().runEnd(lo, to, level);
        int fit = rooms.fits(lo, hi, left);
        long pieces = 0;
        for (int i = lo; i < hi; i++) {
          pieces += window.pieces(i);
        }
        if (fit > most || (fit == most && fit > 0 && pieces < least)) {
          most = fit;
          least = pieces;
          best = new int[] {lo, hi};
        }
        lo = hi;
      }
      return best;
    }

    private int layOnNode(int from, int to, int left) {
      int items = window.demand().grouped() ? 1 : left;
      int best = -1;
      long least = Long.MAX_VALUE;
      int roomiest = from;
      for (int i = from; i < to; i++) {
        roomiest = rooms.of(i) > rooms.of(roomiest) ? i : roomiest;
        if (rooms.of(i) >= items && (packing.isScored() || best < 0)) {
          long cost = packing.isScored() ? cost(i, items) : 0;
          best = cost < least ? i : best;
          least = Math.min(least, cost);
        }
      }
      int node = best < 0 ? roomiest : best;
      items = best < 0 ? rooms.of(node) : items;
      rooms.take(node, items);
      laid[node] += items;
      return items;
    }

    private long cost(int node, int items) {
      return window.cost(node, laid[node] + items)
          - (laid[node] == 0 ? 0 : window.cost(node, laid[node]));
    }
  }
}
