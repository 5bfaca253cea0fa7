package io.leasehold.engine;

import static io.leasehold.engine.Fleet.H100;
import static io.leasehold.engine.Fleet.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random lives of a fleet, held against {@link FleetTruth}. The seed is in each message. */
class CapacityPropertyTest {

  private static final int STEPS = 400;

  private final Undo undo = new Undo();
  private final Capacity capacity = new Capacity(undo);
  private final FleetTruth truth = new FleetTruth();
  private long now = 1_000 * SECOND;
  private long leases = 1;

  /** More with {@code -Dseeds=1000}. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 12));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsFoundIsFreeAndWhatIsFreeIsFound(long seed) {
    Random random = new Random(seed);
    build(random);
    int found = 0;
    for (int step = 0; step < STEPS; step++) {
      String why = "seed " + seed + " step " + step;
      now += random.nextInt(3) == 0 ? random.nextInt(30) * SECOND : 0;
      endSome(random);
      found += ask(why, random) ? 1 : 0;
      if (step % 20 == 0) {
        changeSomeNode(random);
        takesBackWhatItDid(why, random);
        decidesAsOneBuiltAnew(why, random);
      }
    }
    assertThat(found).as("seed " + seed).isGreaterThan(STEPS / 10);
  }

  private void build(Random random) {
    capacity.set(truth.model);
    int count = 6 + random.nextInt(10);
    for (int i = 0; i < count; i++) {
      Domain domain =
          random.nextInt(6) == 0
              ? Domain.NOWHERE
              : Fleet.rack("b" + random.nextInt(2), "r" + random.nextInt(2));
      long cpu = random.nextBoolean() ? 0 : 32_000;
      set(Fleet.node(i, "c" + i % 2, domain, 1 + random.nextInt(8), cpu, 0));
    }
  }

  private void set(Node node) {
    capacity.set(node);
    truth.nodes.put(node.id(), node);
  }

  private boolean ask(String why, Random random) {
    Shape shape = shape(random);
    long length = (1 + random.nextInt(100)) * SECOND;
    long start = random.nextInt(3) == 0 ? now + random.nextInt(100) * SECOND : now;
    boolean earliest = random.nextInt(4) == 0;
    boolean open = !earliest && random.nextInt(9) == 0;
    Span hold = new Span(start, open ? Span.FOREVER : start + length);
    Found found =
        earliest
            ? capacity.earliest(
                shape, H100, start, start + 200 * SECOND, length, now, new Budget(1_000_000))
            : capacity.place(shape, H100, hold, now, new Budget(1_000_000));
    assertThat(found).as(why).isNotInstanceOf(Found.GaveUp.class);
    if (!earliest) {
      Found untold = capacity.placeUntold(shape, H100, hold, now, new Budget(1_000_000));
      assertThat(untold)
          .as(why + ": without numbers")
          .isEqualTo(found instanceof Found.None ? Found.None.UNTOLD : found);
    }
    if (found instanceof Found.Room room) {
      truth.check(why + " " + shape, shape, room.booking(), now);
      if (earliest) {
        checkNothingWasEarlier(why + " " + shape, shape, hold, room.booking().hold().start());
      }
      take(room.booking(), random);
      return true;
    }
    checkMiss(why + " " + shape, shape, hold, (Found.None) found);
    return false;
  }

  private void checkMiss(String why, Shape shape, Span hold, Found.None none) {
    if (isWholeOnOneNode(shape)) {
      assertThat(truth.hasRoomOnOneNode(shape.count(), shape.cpuMilli(), hold, now))
          .as(why)
          .isFalse();
    }
    assertThat(none.most()).as(why).isLessThan(shape.pieces());
    if (shape.slice() == Shape.Slice.WHOLE && none.scope().equals("cluster")) {
      long free = 0;
      for (Node node : truth.nodes.values()) {
        free += node.cluster().equals(none.name()) ? truth.freeGpus(node, hold, now) : 0;
      }
      assertThat(none.free()).as(why).isEqualTo(free);
      assertThat(none.kind() == Found.None.Kind.COUNT).as(why).isEqualTo(free < shape.pieces());
    }
  }

  private static boolean isWholeOnOneNode(Shape shape) {
    return shape.slice() == Shape.Slice.WHOLE
        && shape.topology().isEmpty()
        && (shape.groups() == 1 || (shape.groups() == 0 && shape.count() == 1));
  }

  /** Looks at the start asked for and at each whole second after it. */
  private void checkNothingWasEarlier(String why, Shape shape, Span hold, long found) {
    long length = hold.end() - hold.start();
    for (long start = hold.start(); start < found && isWholeOnOneNode(shape); ) {
      Span earlier = new Span(start, start + length);
      assertThat(truth.hasRoomOnOneNode(shape.count(), shape.cpuMilli(), earlier, now))
          .as(why + " at " + start)
          .isFalse();
      start = (start / SECOND + 1) * SECOND;
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
    long cpu = random.nextInt(3) == 0 ? 1 + random.nextInt(20_000) : 0;
    int groups = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0;
    Shape.Slice slice =
        switch (random.nextInt(4)) {
          case 0 -> new Shape.Slice.Share(1 + random.nextInt(999));
          case 1 -> new Shape.Slice.Mig(Fleet.h100().profiles().get(random.nextInt(7)).name());
          default -> Shape.Slice.WHOLE;
        };
    int count = 1 + random.nextInt(slice == Shape.Slice.WHOLE ? 10 : 3);
    return new Shape(List.of(), 0, groups, count, slice, cpu, 0, topology, Shape.Where.ANYWHERE);
  }

  private void take(Booking booking, Random random) {
    FleetTruth.Taken taken = new FleetTruth.Taken(Fleet.id(leases++), booking);
    capacity.take(taken.lease(), booking);
    truth.taken.add(taken);
    if (booking.hold().start() <= now && random.nextInt(4) == 0) {
      capacity.possess(taken.lease(), booking);
      truth.possessed.add(taken);
    }
  }

  private void endSome(Random random) {
    for (FleetTruth.Taken each : List.copyOf(truth.taken)) {
      if (each.booking().hold().end() <= now || random.nextInt(60) == 0) {
        capacity.give(each.lease(), each.booking());
        truth.taken.remove(each);
      }
    }
    for (FleetTruth.Taken each : List.copyOf(truth.possessed)) {
      if (!truth.taken.contains(each) && random.nextInt(3) == 0) {
        capacity.dispossess(each.lease(), each.booking());
        truth.possessed.remove(each);
      }
    }
  }

  private void changeSomeNode(Random random) {
    List<Node> all = new ArrayList<>(capacity.nodes());
    Node node = all.get(random.nextInt(all.size()));
    List<Node.Gpu> gpus = new ArrayList<>(node.gpus());
    gpus.set(
        random.nextInt(gpus.size()),
        new Node.Gpu(null, random.nextInt(3) == 0 ? Health.SUSPECT : Health.OK));
    set(
        new Node(
            node.id(),
            node.ordinal(),
            node.cluster(),
            node.name(),
            node.model(),
            node.domain(),
            node.cpuMilli(),
            node.memoryMiB(),
            gpus,
            random.nextInt(8) == 0 ? now : null,
            false));
  }

  private void takesBackWhatItDid(String why, Random random) {
    List<String> before = answers(capacity, new Random(7));
    int mark = undo.mark();
    for (FleetTruth.Taken each : truth.taken) {
      if (random.nextBoolean()) {
        capacity.give(each.lease(), each.booking());
      }
    }
    for (int i = 0; i < 10; i++) {
      Found found =
          capacity.place(
              shape(random), H100, new Span(now, now + SECOND), now, new Budget(1_000_000));
      if (found instanceof Found.Room room) {
        UUID lease = Fleet.id(1_000_000 + i);
        capacity.take(lease, room.booking());
        capacity.possess(lease, room.booking());
      }
    }
    capacity.set(Fleet.node(999, "c0", Domain.NOWHERE, 8));
    capacity.setPaused("c1", true);
    undo.back(mark);
    assertThat(answers(capacity, new Random(7))).as(why + ": undo").isEqualTo(before);
  }

  private void decidesAsOneBuiltAnew(String why, Random random) {
    Capacity anew = new Capacity(new Undo());
    List<Node> nodes = new ArrayList<>(truth.nodes.values());
    Collections.shuffle(nodes, random);
    nodes.forEach(anew::set);
    anew.set(truth.model);
    List<FleetTruth.Taken> taken = new ArrayList<>(truth.taken);
    Collections.shuffle(taken, random);
    taken.forEach(each -> anew.take(each.lease(), each.booking()));
    truth.possessed.forEach(each -> anew.possess(each.lease(), each.booking()));
    assertThat(answers(anew, new Random(9)))
        .as(why + ": built anew")
        .isEqualTo(answers(capacity, new Random(9)));
  }

  /** What a capacity answers to a row of questions. */
  private List<String> answers(Capacity asked, Random random) {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long start = i % 2 == 0 ? now : now + random.nextInt(50) * SECOND;
      Span hold = new Span(start, start + (1 + random.nextInt(60)) * SECOND);
      answers.add(asked.place(shape(random), H100, hold, now, new Budget(1_000_000)).toString());
    }
    return answers;
  }
}
