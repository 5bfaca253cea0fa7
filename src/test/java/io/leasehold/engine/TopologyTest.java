package io.leasehold.engine;

import static io.leasehold.engine.Fleet.H100;
import static io.leasehold.engine.Fleet.SECOND;
import static io.leasehold.engine.Fleet.groups;
import static io.leasehold.engine.Fleet.required;
import static io.leasehold.engine.Fleet.whole;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules about levels of the topology, one by one and together. */
class TopologyTest {

  private static final Span HOLD = new Span(1_000 * SECOND, 5_000 * SECOND);

  private final Capacity capacity = new Capacity(new Undo());
  private final Map<UUID, Node> nodes = new TreeMap<>();
  private long leases = 1;

  @BeforeEach
  void knowsTheModel() {
    capacity.set(Fleet.h100());
  }

  private void node(Domain domain, int gpus) {
    Node node = Fleet.node(nodes.size(), "c1", domain, gpus);
    nodes.put(node.id(), node);
    capacity.set(node);
  }

  private Found place(Shape shape) {
    return capacity.place(shape, H100, HOLD, HOLD.start(), new Budget(1_000_000));
  }

  private Booking booked(Shape shape) {
    return ((Found.Room) place(shape)).booking();
  }

  private UUID take(Booking booking) {
    UUID lease = Fleet.id(1_000 + leases++);
    capacity.take(lease, booking);
    return lease;
  }

  /** GPUs by domain of a level. */
  private Map<String, Integer> per(Level level, Booking booking) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Booking.Slot slot : booking.slots()) {
      Node node = nodes.get(slot.node());
      String path = level == Level.NODE ? node.name() : node.domain().path(level);
      counts.merge(String.valueOf(path), slot.units().size() / Units.PER_GPU, Integer::sum);
    }
    return counts;
  }

  private static Shape.Spread rule(Level level, Shape.Spread.Rule rule, Integer atMost) {
    return new Shape.Spread(level, rule, atMost);
  }

  @Test
  void twoPerNodeAndSixteenPerRackInsideOneBlock() {
    for (int block = 0; block < 2; block++) {
      for (int i = 0; i < 30; i++) {
        node(Fleet.rack("b" + block, "r" + i / 10), block == 0 && i >= 20 ? 1 : 8);
      }
    }
    Shape.Spread[] rules = {
      rule(Level.NODE, Shape.Spread.Rule.SPREAD, 2),
      rule(Level.RACK, Shape.Spread.Rule.PREFERRED, 16),
      required(Level.BLOCK)
    };
    Booking booking = booked(whole(48, rules));
    assertThat(per(Level.BLOCK, booking)).hasSize(1).containsKey("eu-1/eu-1a/b1");
    assertThat(per(Level.RACK, booking).values()).containsExactly(16, 16, 16);
    assertThat(per(Level.NODE, booking).values()).allMatch(each -> each <= 2);
    Booking sixteen = booked(whole(16, rules));
    assertThat(per(Level.RACK, sixteen)).as("as few racks as can be").hasSize(1);
    assertThat(per(Level.NODE, sixteen)).as("over as many nodes as can be").hasSize(10);
    Found.None none = (Found.None) place(whole(49, rules));
    assertThat(none.most()).isEqualTo(48);
    assertThat(none.kind()).as("GPUs there are enough").isEqualTo(Found.None.Kind.SHAPE);
  }

  @Test
  void groupsCountWithAllTheirGpusAgainstALimit() {
    for (int i = 0; i < 4; i++) {
      node(Fleet.rack("b1", "r" + i / 2), 8);
    }
    Shape.Spread[] rules = {required(Level.BLOCK), rule(Level.RACK, Shape.Spread.Rule.SPREAD, 10)};
    assertThat(per(Level.RACK, booked(groups(4, 4, rules))).values()).containsExactly(8, 8);
    assertThat(((Found.None) place(groups(5, 4, rules))).most()).isEqualTo(16);
  }

  @Test
  void spreadsOverRacksFirstAndOverTheirNodesThen() {
    for (int i = 0; i < 8; i++) {
      node(Fleet.rack("b1", "r" + i / 4), 8);
    }
    Booking booking =
        booked(
            groups(
                4,
                2,
                rule(Level.NODE, Shape.Spread.Rule.SPREAD, null),
                rule(Level.RACK, Shape.Spread.Rule.SPREAD, null)));
    assertThat(per(Level.RACK, booking).values()).containsExactly(4, 4);
    assertThat(per(Level.NODE, booking)).hasSize(4);
  }

  @Test
  void inTheRackInWhichItIsSpreadMostWhicheverIsNamedFirst() {
    for (String wide : List.of("r0", "r2")) {
      TopologyTest racks = new TopologyTest();
      racks.knowsTheModel();
      racks.node(Fleet.rack("b1", "r1"), 8);
      for (int i = 0; i < 4; i++) {
        racks.node(Fleet.rack("b1", wide), 2);
      }
      Shape spread =
          whole(4, required(Level.RACK), rule(Level.NODE, Shape.Spread.Rule.SPREAD, null));
      assertThat(racks.per(Level.NODE, racks.booked(spread))).hasSize(4);
    }
  }

  @Test
  void s51SmallRequestsLeaveTheNodeOfExactlyTwoWhole() {
    node(Domain.NOWHERE, 4);
    node(Domain.NOWHERE, 2);
    node(Domain.NOWHERE, 1);
    node(Domain.NOWHERE, 1);
    List<UUID> ones = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Booking one = booked(whole(1));
      ones.addAll(Fleet.nodes(one));
      take(one);
    }
    assertThat(ones).containsExactlyInAnyOrder(Fleet.id(2), Fleet.id(3));
    assertThat(Fleet.nodes(booked(groups(1, 2)))).containsExactly(Fleet.id(1));
  }

  /** Four racks of 72 GPUs, each one NVLink domain of 18 nodes. */
  @Test
  void s52SingleGpusFillOneRackAfterTheOtherAlsoWhenSomeEnd() {
    for (int i = 0; i < 72; i++) {
      node(new Domain("eu-1", "eu-1a", "b1", "r" + i / 18, "nvl" + i / 18), 4);
    }
    long seed = 5;
    Random random = new Random(seed);
    Map<UUID, Booking> taken = new TreeMap<>();
    for (int i = 0; i < 400; i++) {
      if (taken.size() < 130) {
        Booking one = booked(whole(1));
        taken.put(take(one), one);
      }
      if (random.nextInt(3) == 0) {
        UUID ends = List.copyOf(taken.keySet()).get(random.nextInt(taken.size()));
        capacity.give(ends, taken.remove(ends));
      }
    }
    Shape rack = whole(72, required(Level.NVLINK));
    for (int i = 0; i < 2; i++) {
      Found found = place(rack);
      assertThat(found).as("seed " + seed + ", rack " + i).isInstanceOf(Found.Room.class);
      Booking booking = ((Found.Room) found).booking();
      assertThat(per(Level.NVLINK, booking)).hasSize(1);
      take(booking);
    }
  }

  @Test
  void l22AFilterFindsNothingThatLacksWhatItAsksFor() {
    node(new Domain("eu", "a", null, null, null), 2);
    node(new Domain("eu", null, null, null, null), 8);
    node(Domain.NOWHERE, 8);
    node(new Domain("eu", "ab", null, null, null), 8);
    Shape inZone =
        new Shape(
            List.of(H100),
            0,
            0,
            2,
            Shape.Slice.WHOLE,
            0,
            0,
            List.of(),
            new Shape.Where(List.of(), List.of(), List.of(), List.of("eu/a")));
    Booking booking = booked(inZone);
    assertThat(Fleet.nodes(booking)).containsExactly(Fleet.id(0));
    take(booking);
    assertThat(((Found.None) place(inZone)).free()).isZero();
    assertThat(place(whole(8, required(Level.ZONE)))).isInstanceOf(Found.Room.class);
    assertThat(Fleet.nodes(booked(whole(8, required(Level.ZONE))))).containsExactly(Fleet.id(3));
    assertThat(place(whole(1, required(Level.BLOCK))))
        .as("nothing is in a block")
        .isInstanceOf(Found.None.class);
  }
}
