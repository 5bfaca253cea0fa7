package io.leasehold.engine;

import static io.leasehold.engine.Fleet.H100;
import static io.leasehold.engine.Fleet.SECOND;
import static io.leasehold.engine.Fleet.groups;
import static io.leasehold.engine.Fleet.id;
import static io.leasehold.engine.Fleet.mig;
import static io.leasehold.engine.Fleet.node;
import static io.leasehold.engine.Fleet.nodes;
import static io.leasehold.engine.Fleet.perNode;
import static io.leasehold.engine.Fleet.preferred;
import static io.leasehold.engine.Fleet.rack;
import static io.leasehold.engine.Fleet.required;
import static io.leasehold.engine.Fleet.share;
import static io.leasehold.engine.Fleet.spread;
import static io.leasehold.engine.Fleet.whole;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fits where and when. */
class CapacityTest {

  private static final long NOW = 1_000 * SECOND;
  private static final Span HOUR = new Span(NOW, NOW + 3_600 * SECOND);

  private final Undo undo = new Undo();
  private final Capacity capacity = new Capacity(undo);
  private int leases = 1_000;

  @BeforeEach
  void knowsTheModel() {
    capacity.set(Fleet.h100());
  }

  private void fleet(int... gpus) {
    for (int i = 0; i < gpus.length; i++) {
      capacity.set(node(i, "c1", Domain.NOWHERE, gpus[i]));
    }
  }

  private Found place(Shape shape, Span hold) {
    return capacity.place(shape, H100, hold, NOW, new Budget(100_000));
  }

  private Booking room(Shape shape, Span hold) {
    assertThat(place(shape, hold)).isInstanceOf(Found.Room.class);
    return ((Found.Room) place(shape, hold)).booking();
  }

  private Found.None none(Shape shape) {
    assertThat(place(shape, HOUR)).isInstanceOf(Found.None.class);
    return (Found.None) place(shape, HOUR);
  }

  private UUID take(Booking booking) {
    UUID lease = id(leases++);
    capacity.take(lease, booking);
    return lease;
  }

  private UUID take(int node, long gpus, Span hold) {
    return take(booking(node, gpus, hold));
  }

  private static Booking booking(int node, long gpus, Span hold) {
    return new Booking(
        "c1",
        H100,
        hold,
        List.of(new Booking.Slot(0, id(node), Mode.WHOLE, Units.ofGpus(gpus), List.of(), 0, 0)));
  }

  private Found earliest(Shape shape, long from, long latest, long length) {
    return capacity.earliest(shape, H100, from, latest, length, NOW, new Budget(100_000));
  }

  @Test
  void tellsCountFromShape() {
    fleet(8, 8);
    UUID first = take(0, 0x0F, HOUR);
    UUID second = take(1, 0xF0, HOUR);
    Found.None shape = none(whole(8, required(Level.NODE)));
    assertThat(shape.kind()).isEqualTo(Found.None.Kind.SHAPE);
    assertThat(shape.detail()).isEqualTo("8 free, but as 4+4");
    assertThat(shape.free()).isEqualTo(8);
    assertThat(shape.most()).isEqualTo(4);
    Found.None count = none(whole(9));
    assertThat(count.kind()).isEqualTo(Found.None.Kind.COUNT);
    assertThat(count.free()).isEqualTo(8);
    assertThat(count.blockers()).containsExactly(first, second);
  }

  @Test
  void namesWhatIsSoonestFreeFirstOfAll() {
    int[] gpus = new int[40];
    Arrays.fill(gpus, 8);
    fleet(gpus);
    List<UUID> byEnd = new ArrayList<>();
    for (int i = 0; i < gpus.length; i++) {
      byEnd.add(take(i * 7 % 40, 0xFF, new Span(NOW, NOW + (i + 1) * SECOND)));
    }
    assertThat(none(whole(1)).blockers()).isEqualTo(byEnd.subList(0, 16));
    assertThat(none(whole(1, required(Level.NODE))).blockers()).isEqualTo(byEnd.subList(0, 16));
  }

  @Test
  void namesWhoCameSince() {
    fleet(8);
    UUID first = take(0, 0x0F, HOUR);
    assertThat(none(whole(8)).blockers()).containsExactly(first);
    UUID second = take(0, 0xF0, HOUR);
    assertThat(none(whole(8)).blockers()).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void putsSmallOnesWhereTheyFitTightestSoThatATwoStaysWhole() {
    fleet(2, 1, 1);
    assertThat(nodes(room(groups(2, 1), HOUR))).containsExactlyInAnyOrder(id(1), id(2));
  }

  @Test
  void fillsRacksOneByOneSoThatAWholeRackStaysFree() {
    for (int i = 0; i < 72; i++) {
      capacity.set(node(i, "c1", rack("b1", "r" + i % 4), 4));
    }
    for (int i = 0; i < 3 * 72; i++) {
      take(room(whole(1), HOUR));
    }
    assertThat(room(whole(72, required(Level.RACK)), HOUR).slots()).hasSize(18);
  }

  @Test
  void saysThatNoNodeIsWholeWhereEachHasABrokenGpu() {
    for (int i = 0; i < 2; i++) {
      Node good = node(i, "c1", Domain.NOWHERE, 8);
      List<Node.Gpu> gpus = new ArrayList<>(good.gpus());
      gpus.set(3, new Node.Gpu(null, Health.BROKEN));
      capacity.set(
          new Node(good.id(), i, "c1", "n" + i, H100, Domain.NOWHERE, 0, 0, gpus, null, false));
    }
    assertThat(none(groups(1, 8)).detail()).isEqualTo("14 free, but as 7+7");
    assertThat(none(groups(1, 8)).most()).isZero();
  }

  @Test
  void staysWhereTheRequestSaysItMayLie() {
    capacity.set(node(0, "c1", rack("b1", "r1"), 8));
    capacity.set(node(1, "c1", rack("b1", "r10"), 8));
    capacity.set(node(2, "c2", rack("b1", "r1"), 8));
    assertThat(nodes(room(where(List.of("c2"), List.of(), List.of()), HOUR)))
        .containsExactly(id(2));
    assertThat(nodes(room(where(List.of("c1"), List.of(id(0)), List.of()), HOUR)))
        .containsExactly(id(1));
    Shape inRack = where(List.of("c1"), List.of(), List.of("eu-1/eu-1a/b1/r1"));
    assertThat(nodes(room(inRack, HOUR))).containsExactly(id(0));
    take(0, 1, HOUR);
    assertThat(none(inRack).free()).isEqualTo(7);
  }

  private static Shape where(List<String> clusters, List<UUID> avoidNodes, List<String> within) {
    return new Shape(
        List.of(),
        0,
        0,
        8,
        Shape.Slice.WHOLE,
        0,
        0,
        List.of(),
        new Shape.Where(clusters, List.of(), avoidNodes, within));
  }

  @Test
  void givesUpWhenTheBudgetIsSpentAndSaysSo() {
    fleet(8, 8, 8);
    assertThat(capacity.place(mig(1, "7g.80gb"), H100, HOUR, NOW, new Budget(1)))
        .isInstanceOf(Found.GaveUp.class);
  }

  @Test
  void aFullFleetSaysNoWithoutALookAtItsNodes() {
    fleet(4, 4, 4, 2);
    take(0, 0b1111, HOUR);
    take(1, 0b1111, HOUR);
    take(2, 0b0011, HOUR);
    assertThat(capacity.placeUntold(groups(1, 3), H100, HOUR, NOW, new Budget(0)))
        .isSameAs(Found.None.UNTOLD);
    assertThat(capacity.placeUntold(groups(3, 2), H100, HOUR, NOW, new Budget(0)))
        .isSameAs(Found.None.UNTOLD);
    assertThat(capacity.placeUntold(groups(2, 2), H100, HOUR, NOW, new Budget(0)))
        .as("that may fit, so nodes are looked at")
        .isInstanceOf(Found.GaveUp.class);
  }

  @Test
  void takesAsFewNodesAsCanBeWithoutGroups() {
    fleet(2, 4, 8, 8);
    assertThat(perNode(room(whole(12), HOUR))).containsExactlyInAnyOrder(4, 8);
    assertThat(perNode(room(whole(4), HOUR))).containsExactly(4);
  }

  @Test
  void anEndAndAStartAtTheSameInstantDoNotOverlap() {
    fleet(8);
    take(0, 0xFF, HOUR);
    assertThat(place(whole(8), new Span(HOUR.end(), HOUR.end() + 1)))
        .isInstanceOf(Found.Room.class);
    assertThat(place(whole(1), new Span(HOUR.end() - 1, HOUR.end() + 1)))
        .isInstanceOf(Found.None.class);
  }

  @Test
  void doesNotLookPastTheHoldForWhatIsPlanned() {
    fleet(8);
    take(0, 0xFF, new Span(HOUR.end(), HOUR.end() + SECOND));
    assertThat(place(whole(8), HOUR)).isInstanceOf(Found.Room.class);
    assertThat(place(whole(1), new Span(NOW, HOUR.end() + 1))).isInstanceOf(Found.None.class);
  }

  @Test
  void whatIsPossessedIsNotFreeNowButMayBePlannedOn() {
    fleet(8);
    UUID lease = id(7);
    capacity.possess(lease, booking(0, 0xFF, HOUR));
    assertThat(place(whole(1), HOUR)).isInstanceOf(Found.None.class);
    assertThat(place(whole(1), new Span(NOW + 1, HOUR.end()))).isInstanceOf(Found.Room.class);
    assertThat(capacity.possessorInTheWay(id(8), booking(0, 1, HOUR))).isEqualTo(lease);
    assertThat(capacity.possessorInTheWay(lease, booking(0, 1, HOUR))).isNull();
    capacity.dispossess(lease, booking(0, 0xFF, HOUR));
    assertThat(place(whole(8), HOUR)).isInstanceOf(Found.Room.class);
  }

  @Test
  void findsTheEarliestStartInWholeSeconds() {
    fleet(8);
    take(0, 0xFF, new Span(NOW, NOW + 10 * SECOND + 1));
    Found.Room found = (Found.Room) earliest(whole(3), NOW, NOW + 60 * SECOND, 5 * SECOND);
    assertThat(found.booking().hold().start()).isEqualTo(NOW + 11 * SECOND);
    assertThat(earliest(whole(3), NOW, NOW + 10 * SECOND, SECOND)).isInstanceOf(Found.None.class);
  }

  @Test
  void usesAGapBetweenTwoPlansOnlyWhereItIsLongEnough() {
    fleet(8);
    take(0, 0xFF, new Span(NOW, NOW + 10 * SECOND));
    take(0, 0xFF, new Span(NOW + 15 * SECOND, NOW + 30 * SECOND));
    assertThat(start(earliest(whole(1), NOW, Span.FOREVER, 5 * SECOND)))
        .isEqualTo(NOW + 10 * SECOND);
    assertThat(start(earliest(whole(1), NOW, Span.FOREVER, 6 * SECOND)))
        .isEqualTo(NOW + 30 * SECOND);
  }

  private static long start(Found found) {
    return ((Found.Room) found).booking().hold().start();
  }

  @Test
  void neverChoosesBrokenDrainingOrPausedOnes() {
    Node good = node(0, "c1", Domain.NOWHERE, 2);
    Node broken =
        new Node(
            good.id(),
            0,
            "c1",
            "n0",
            H100,
            Domain.NOWHERE,
            0,
            0,
            List.of(new Node.Gpu(null, Health.BROKEN), new Node.Gpu(null, Health.OK)),
            null,
            false);
    capacity.set(broken);
    assertThat(room(whole(1), HOUR).slots().getFirst().units()).isEqualTo(Units.ofGpus(2));
    assertThat(none(whole(2)).free()).isEqualTo(1);
    assertThat(capacity.placeOnEmpty(whole(2), H100, new Budget(10)))
        .isInstanceOf(Found.Room.class);
    assertThat(capacity.healthyGpus(H100)).isEqualTo(1);
    capacity.set(
        new Node(
            good.id(), 0, "c1", "n0", H100, Domain.NOWHERE, 0, 0, good.gpus(), NOW * 2, false));
    assertThat(place(whole(1), HOUR)).isInstanceOf(Found.None.class);
    capacity.set(good);
    capacity.setPaused("c1", true);
    assertThat(none(whole(1)).scope()).isEqualTo("cluster");
    capacity.setPaused("c1", false);
    assertThat(place(whole(2), HOUR)).isInstanceOf(Found.Room.class);
  }

  @Test
  void staysInOneDomainWhereThatIsRequired() {
    capacity.set(node(0, "c1", rack("b1", "r1"), 4));
    capacity.set(node(1, "c1", rack("b1", "r2"), 8));
    capacity.set(node(2, "c1", rack("b2", "r1"), 4));
    capacity.set(node(3, "c1", rack("b2", "r1"), 8));
    assertThat(nodes(room(whole(12, required(Level.RACK)), HOUR))).containsExactly(id(2), id(3));
    assertThat(none(whole(13, required(Level.RACK))).detail()).isEqualTo("24 free, but as 12+8+4");
    assertThat(none(whole(13, required(Level.RACK))).name()).isEqualTo("eu-1/eu-1a/b2/r1");
    assertThat(place(whole(1, required(Level.NVLINK)), HOUR)).isInstanceOf(Found.None.class);
    assertThat(nodes(room(whole(4, required(Level.RACK)), HOUR))).containsExactly(id(0));
  }

  @Test
  void widensAPreferredLevelStepByStep() {
    capacity.set(node(0, "c1", rack("b1", "r1"), 4));
    capacity.set(node(1, "c1", rack("b2", "r1"), 4));
    capacity.set(node(2, "c1", rack("b2", "r2"), 4));
    assertThat(nodes(room(whole(8, preferred(Level.RACK)), HOUR))).containsExactly(id(1), id(2));
    assertThat(nodes(room(whole(12, preferred(Level.RACK)), HOUR))).hasSize(3);
  }

  @Test
  void spreadsOverDomainsWithALimitForEach() {
    for (int i = 0; i < 4; i++) {
      capacity.set(node(i, "c1", rack("b1", "r" + i % 2), 8));
    }
    assertThat(nodes(room(groups(4, 2, spread(Level.NODE, null)), HOUR))).doesNotHaveDuplicates();
    assertThat(place(whole(8, spread(Level.RACK, 4)), HOUR)).isInstanceOf(Found.Room.class);
    assertThat(place(whole(9, spread(Level.RACK, 4)), HOUR)).isInstanceOf(Found.None.class);
  }

  @Test
  void neverMixesSharingModesOnAGpu() {
    fleet(1);
    take(room(share(1, 300), HOUR));
    assertThat(none(mig(1, "1g.10gb")).kind()).isEqualTo(Found.None.Kind.MODE);
    assertThat(none(whole(1)).kind()).isEqualTo(Found.None.Kind.COUNT);
    assertThat(place(share(2, 350), HOUR)).isInstanceOf(Found.Room.class);
    assertThat(place(share(2, 351), HOUR)).isInstanceOf(Found.None.class);
  }

  @Test
  void opensNoNewGpuWhileAnOpenOneHasRoom() {
    fleet(2, 2);
    take(room(share(1, 300), HOUR));
    Booking second = room(share(2, 300), HOUR);
    assertThat(second.slots()).hasSize(1);
    assertThat(second.slots().getFirst().node()).isEqualTo(id(0));
    assertThat(second.slots().getFirst().units()).isEqualTo(Units.of(300, 900));
  }

  @Test
  void saysWhenCpuIsWhatIsShort() {
    capacity.set(node(0, "c1", Domain.NOWHERE, 8, 16_000, 0));
    Shape hungry =
        new Shape(
            List.of(), 0, 0, 4, Shape.Slice.WHOLE, 16_001, 0, List.of(), Shape.Where.ANYWHERE);
    Found.None none = none(hungry);
    assertThat(none.kind()).isEqualTo(Found.None.Kind.HOST);
    assertThat(none.most()).isEqualTo(3);
  }

  @Test
  void undoesEverything() {
    fleet(4);
    int mark = undo.mark();
    Booking booking = room(whole(4), HOUR);
    UUID lease = take(booking);
    capacity.possess(lease, booking);
    capacity.give(lease, booking);
    capacity.set(node(1, "c1", Domain.NOWHERE, 8));
    capacity.setPaused("c1", true);
    undo.back(mark);
    assertThat(room(whole(4), HOUR)).isEqualTo(booking);
    assertThat(none(whole(5)).free()).isEqualTo(4);
    assertThat(capacity.nodes()).hasSize(1);
  }

  @Test
  void namesTheLeasesInTheWayOfAnExtensionButNotItself() {
    fleet(8);
    UUID mine = take(0, 0x0F, HOUR);
    UUID later = take(0, 0x03, new Span(HOUR.end() + 10, HOUR.end() + 20));
    UUID soon = take(0, 0x04, new Span(HOUR.end() + 5, HOUR.end() + 20));
    take(0, 0xF0, new Span(HOUR.end(), HOUR.end() + 20));
    Booking booking = booking(0, 0x0F, HOUR);
    assertThat(capacity.inTheWay(mine, booking, new Span(NOW, HOUR.end() + 5))).isEmpty();
    assertThat(capacity.inTheWay(mine, booking, new Span(HOUR.end(), HOUR.end() + 11)))
        .containsExactly(soon, later);
  }
}
