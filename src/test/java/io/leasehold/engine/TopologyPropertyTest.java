package io.leasehold.engine;

import static io.leasehold.engine.Fleet.H100;
import static io.leasehold.engine.Fleet.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Placement on small fleets against every way there is to lay the items out. Whatever rules about
 * levels come together: what can be laid is found, what is found keeps the rules, and it is as near
 * or as far apart as can be.
 */
class TopologyPropertyTest {

  private static final Span HOLD = new Span(1_000 * SECOND, 2_000 * SECOND);
  private static final int SHAPES = 60;

  private final Undo undo = new Undo();
  private final Capacity capacity = new Capacity(undo);
  private final FleetTruth truth = new FleetTruth();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Integer> free = new ArrayList<>();

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 60));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void findsWhatCanBeLaidAndLaysItBest(long seed) {
    Random random = new Random(seed);
    build(random);
    for (int i = 0; i < SHAPES; i++) {
      Shape shape = shape(random);
      String why = "seed " + seed + " shape " + i + ": " + shape;
      Booking booking = check(why, shape);
      if (booking != null) {
        grow(why, shape, booking, 1 + random.nextInt(4));
      }
    }
  }

  private void build(Random random) {
    capacity.set(truth.model);
    int count = 2 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      Domain domain =
          random.nextInt(8) == 0
              ? Domain.NOWHERE
              : new Domain(
                  "eu",
                  random.nextInt(6) == 0 ? null : "eu-" + random.nextInt(2),
                  "b" + random.nextInt(2),
                  "r" + random.nextInt(2),
                  random.nextBoolean() ? null : "v" + random.nextInt(2));
      Node node = Fleet.node(i, "c1", domain, 1 + random.nextInt(4));
      nodes.add(node);
      capacity.set(node);
      truth.nodes.put(node.id(), node);
      int taken = random.nextInt(node.gpus().size() + 1);
      free.add(node.gpus().size() - taken);
      if (taken > 0) {
        Booking booking =
            new Booking(
                "c1",
                H100,
                HOLD,
                List.of(
                    new Booking.Slot(
                        0,
                        node.id(),
                        Mode.WHOLE,
                        Units.ofGpus((1L << taken) - 1),
                        List.of(),
                        0,
                        0)));
        FleetTruth.Taken held = new FleetTruth.Taken(Fleet.id(100 + i), booking);
        truth.taken.add(held);
        capacity.take(held.lease(), booking);
      }
    }
  }

  private static Shape shape(Random random) {
    List<Shape.Spread> topology = new ArrayList<>();
    for (Level level : Level.values()) {
      if (random.nextInt(3) == 0) {
        Shape.Spread.Rule rule =
            random.nextInt(4) == 0
                ? Shape.Spread.Rule.REQUIRED
                : Shape.Spread.Rule.values()[1 + random.nextInt(2)];
        Integer atMost = random.nextBoolean() ? null : Integer.valueOf(1 + random.nextInt(6));
        topology.add(new Shape.Spread(level, rule, atMost));
      }
    }
    java.util.Collections.shuffle(topology, random);
    boolean grouped = random.nextBoolean();
    return Fleet.shape(
        grouped ? 1 + random.nextInt(4) : 0,
        1 + random.nextInt(grouped ? 3 : 8),
        Shape.Slice.WHOLE,
        topology.toArray(Shape.Spread[]::new));
  }

  private Booking check(String why, Shape shape) {
    Best best = best(shape, shape.size());
    Found found = capacity.place(shape, H100, HOLD, HOLD.start() - SECOND, new Budget(1_000_000));
    if (!(found instanceof Found.Room room)) {
      assertThat(best.any).as(why).isFalse();
      int most = 0;
      for (int size = 1; size < shape.size(); size++) {
        most = best(shape, size).any ? size : most;
      }
      int each = shape.groups() > 0 ? shape.count() : 1;
      assertThat(((Found.None) found).most()).as(why).isEqualTo((long) most * each);
      return null;
    }
    assertThat(best.any).as(why).isTrue();
    truth.check(why, shape, room.booking(), HOLD.start() - SECOND);
    int[] laid = laid(room.booking());
    assertThat(nearness(shape, laid)).as(why + ": nearness").isEqualTo(best.nearest);
    Topology topology = Topology.of(shape.topology());
    if (!topology.fills().isEmpty()
        && topology.fills().getFirst().spread()
        && topology.preferred() == null) {
      assertThat(domains(topology.fills().getFirst().level(), laid).size())
          .as(why + ": spread")
          .isEqualTo(best.widest);
    }
    if (shape.groups() == 0 && shape.topology().isEmpty()) {
      assertThat(room.booking().slots()).as(why + ": nodes").hasSize(best.fewestNodes);
    }
    return room.booking();
  }

  /** More beside what is kept is found if there is any way, and all of it keeps the rules. */
  private void grow(String why, Shape shape, Booking kept, int more) {
    int[] before = laid(kept);
    boolean[] any = new boolean[1];
    each(
        shape,
        shape.size() + more,
        0,
        new int[nodes.size()],
        laid -> any[0] |= java.util.Arrays.compare(min(laid, before), before) == 0);
    int mark = undo.mark();
    capacity.take(Fleet.id(99), kept);
    Found found =
        capacity.beside(
            shape.scaled(more), kept, HOLD, HOLD.start() - SECOND, new Budget(1_000_000));
    undo.back(mark);
    assertThat(found instanceof Found.Room).as(why + " and " + more + " more").isEqualTo(any[0]);
    if (found instanceof Found.Room room) {
      int[] all = laid(room.booking());
      for (int i = 0; i < all.length; i++) {
        all[i] += before[i];
      }
      assertThat(keepsTheRules(shape, all)).as(why + " and " + more + " more").isTrue();
    }
  }

  private static int[] min(int[] one, int[] other) {
    int[] least = new int[one.length];
    java.util.Arrays.setAll(least, i -> Math.min(one[i], other[i]));
    return least;
  }

  /** The best there is, of every way to lay so many items on the nodes. */
  private static final class Best {
    boolean any;
    int nearest = -1;
    int widest;
    int fewestNodes = Integer.MAX_VALUE;
  }

  private Best best(Shape shape, int size) {
    Best best = new Best();
    Topology topology = Topology.of(shape.topology());
    each(
        shape,
        size,
        0,
        new int[nodes.size()],
        laid -> {
          best.any = true;
          best.nearest = Math.max(best.nearest, nearness(shape, laid));
          best.fewestNodes = Math.min(best.fewestNodes, domains(Level.NODE, laid).size());
          if (!topology.fills().isEmpty()) {
            best.widest =
                Math.max(best.widest, domains(topology.fills().getFirst().level(), laid).size());
          }
        });
    return best;
  }

  private void each(Shape shape, int left, int node, int[] laid, Consumer<int[]> action) {
    if (node == nodes.size()) {
      if (left == 0 && keepsTheRules(shape, laid)) {
        action.accept(laid);
      }
      return;
    }
    int each = shape.groups() > 0 ? shape.count() : 1;
    for (int items = 0; items <= Math.min(left, free.get(node) / each); items++) {
      laid[node] = items * each;
      each(shape, left - items, node + 1, laid, action);
    }
    laid[node] = 0;
  }

  private boolean keepsTheRules(Shape shape, int[] laid) {
    for (Shape.Spread rule : shape.topology()) {
      Map<String, Integer> perDomain = new HashMap<>();
      for (int i = 0; i < laid.length; i++) {
        if (laid[i] > 0) {
          perDomain.merge(FleetTruth.bucket(nodes.get(i), rule.level()), laid[i], Integer::sum);
        }
      }
      if (rule.rule() == Shape.Spread.Rule.REQUIRED
          && (perDomain.size() != 1 || perDomain.keySet().iterator().next().endsWith("/?"))) {
        return false;
      }
      if (rule.atMost() != null
          && perDomain.values().stream().anyMatch(each -> each > rule.atMost())) {
        return false;
      }
    }
    return true;
  }

  /**
   * The deepest level, up to the preferred one, in one domain of which everything lies; nothing is
   * nearer than one node.
   */
  private int nearness(Shape shape, int[] laid) {
    Topology topology = Topology.of(shape.topology());
    if (topology.preferred() == null) {
      return -1;
    }
    if (domains(Level.NODE, laid).size() == 1) {
      return topology.preferred().ordinal();
    }
    int least = topology.required() == null ? -1 : topology.required().ordinal();
    for (int level = topology.preferred().ordinal(); level > least; level--) {
      Set<String> domains = domains(Level.values()[level], laid);
      if (domains.size() == 1 && !domains.iterator().next().endsWith("/?")) {
        return level;
      }
    }
    return least;
  }

  private Set<String> domains(Level level, int[] laid) {
    Set<String> domains = new HashSet<>();
    for (int i = 0; i < laid.length; i++) {
      if (laid[i] > 0) {
        domains.add(FleetTruth.bucket(nodes.get(i), level));
      }
    }
    return domains;
  }

  private int[] laid(Booking booking) {
    int[] laid = new int[nodes.size()];
    for (Booking.Slot slot : booking.slots()) {
      for (int i = 0; i < laid.length; i++) {
        if (nodes.get(i).id().equals(slot.node())) {
          laid[i] += slot.units().size() / Units.PER_GPU;
        }
      }
    }
    return laid;
  }
}
