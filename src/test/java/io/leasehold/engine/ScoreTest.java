package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Where a request lies of all the nodes that could take it. */
class ScoreTest {

  private static final long NONE = 0;

  private final Story story = Story.of("h100");
  private final List<Node> nodes = new ArrayList<>();
  private Ask.When when = new Ask.When.Now(Time.HOUR);

  private void node(String model, int gpus, long cpu) {
    int ordinal = nodes.size();
    Node node =
        new Node(
            new UUID(7, ordinal),
            ordinal,
            "east",
            "n" + ordinal,
            model,
            Domain.NOWHERE,
            cpu,
            0,
            Collections.nCopies(gpus, new Node.Gpu(null, Health.OK)),
            null,
            false);
    nodes.add(node);
    story.facts(new Move.NodeSet(node));
  }

  private void model(String slug) {
    story.facts(new Move.ModelSet(new GpuModel(slug, slug, List.of(), 80, 0, 0, List.of(), 0)));
  }

  private static Shape shape(int gpus, int milli, long cpu, String... models) {
    return new Shape(
        List.of(models),
        0,
        gpus > 1 ? 1 : 0,
        gpus,
        milli == 1000 ? Shape.Slice.WHOLE : new Shape.Slice.Share(milli),
        cpu,
        0,
        List.of(),
        Shape.Where.ANYWHERE);
  }

  /** The ordinal of the node that it gets. */
  private long lies(Shape shape) {
    Lease lease = story.asks("vision", 1).shape(shape).when(when).lease();
    assertThat(lease.booking()).as("%s", shape).isNotNull();
    return lease.booking().slots().getFirst().node().getLeastSignificantBits();
  }

  /** Puts a lease on one node. */
  private void on(int node, Shape shape) {
    List<UUID> others =
        nodes.stream().map(Node::id).filter(id -> !id.equals(nodes.get(node).id())).toList();
    Shape there =
        new Shape(
            shape.models(),
            0,
            shape.groups(),
            shape.count(),
            shape.slice(),
            shape.cpuMilli(),
            0,
            List.of(),
            new Shape.Where(List.of(), List.of(), others, List.of()));
    assertThat(lies(there)).isEqualTo(node);
  }

  @Test
  void aFractionGoesIntoTheSmallestHoleThatTakesIt() {
    node("h100", 2, NONE);
    node("h100", 2, NONE);
    node("h100", 2, NONE);
    on(0, shape(1, 530, NONE));
    on(1, shape(1, 650, NONE));
    on(2, shape(1, 810, NONE));
    assertThat(lies(shape(1, 320, NONE))).isEqualTo(1);
    assertThat(lies(shape(1, 160, NONE))).isEqualTo(2);
    assertThat(lies(shape(1, 470, NONE))).isEqualTo(0);
  }

  @Test
  void aSingleGpuLeavesTheRoomOfGangsAlone() {
    node("h100", 8, NONE);
    node("h100", 8, NONE);
    on(1, shape(1, 1000, NONE));
    on(1, shape(4, 1000, NONE));
    assertThat(lies(shape(1, 1000, NONE))).isEqualTo(1);
    assertThat(lies(shape(8, 1000, NONE))).isEqualTo(0);
  }

  @Test
  void cpuThatAGangNeedsIsRoomToo() {
    node("h100", 8, 96_000);
    node("h100", 4, 96_000);
    Lease gang = story.asks("vision", 1).shape(shape(8, 1000, 88_000)).lease();
    story.decide(new Command.Release(gang.id()), withdrawn(gang));
    Lease waits = story.asks("vision", 1).shape(shape(8, 1000, 90_000)).lease();
    assertThat(lies(shape(0, 1000, 32_000))).isEqualTo(1);
    assertThat(waits.state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void whatStartsLaterIsScoredByWhatIsFreeThen() {
    List<Consumer<ScoreTest>> rules =
        List.of(
            ScoreTest::aFractionGoesIntoTheSmallestHoleThatTakesIt,
            ScoreTest::aSingleGpuLeavesTheRoomOfGangsAlone,
            ScoreTest::aPairLeavesTheRoomOfGangsAlone,
            ScoreTest::gpusAreNotLeftWithoutTheCpuThatRequestsWantBesideThem);
    for (Consumer<ScoreTest> rule : rules) {
      ScoreTest later = new ScoreTest();
      later.when = new Ask.When.At(new Span(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR));
      rule.accept(later);
    }
  }

  /** Though less would be left on the other. */
  @Test
  void aPairLeavesTheRoomOfGangsAlone() {
    node("h100", 6, NONE);
    node("h100", 5, NONE);
    node("h100", 4, NONE);
    on(2, shape(4, 1000, NONE));
    assertThat(lies(shape(2, 1000, NONE))).isEqualTo(0);
  }

  private static Command withdrawn(Lease lease) {
    return new Command.Report(lease.id(), lease.generation() + 1, Command.Report.News.WITHDRAWN);
  }

  @Test
  void roomForAGangIsWorthMoreWhereFewNodesCouldEverTakeIt() {
    node("h100", 8, 128_000);
    node("h100", 8, 96_000);
    Hosts alike = new Hosts();
    Hosts few = new Hosts();
    for (int i = 0; i < 10; i++) {
      alike.add(new NodeTimeline(nodes.get(0)));
      few.add(new NodeTimeline(nodes.get(i == 0 ? 0 : 1)));
    }
    Mix mix = new Mix(new Undo());
    mix.moved(null, story.asks("vision", 1).shape(shape(8, 1000, 120_000)).lease());
    Score.Free empty = new Score.Free(8_000, 8, 128_000);
    Score.Free begun = empty.less(1_000, 7, 1_000);
    assertThat(mix.score(few).of(empty, begun))
        .isGreaterThan(5 * mix.score(alike).of(empty, begun));
  }

  @Test
  void gpusAreNotLeftWithoutTheCpuThatRequestsWantBesideThem() {
    node("h100", 2, 20_000);
    node("h100", 2, 40_000);
    on(0, shape(1, 1000, 10_000));
    on(1, shape(1, 1000, 10_000));
    assertThat(lies(shape(1, 500, 9_000))).isEqualTo(1);
  }

  @Test
  void whatAsksForNoGpuLiesBesideFullOnes() {
    node("h100", 1, 16_000);
    node("h100", 1, 16_000);
    on(1, shape(1, 1000, 4_000));
    assertThat(lies(shape(0, 1000, 8_000))).isEqualTo(1);
  }

  @Test
  void whereNoModelIsNamedTheScarceOneIsLeftToThoseWhoNameIt() {
    model("a10");
    node("a10", 4, NONE);
    node("h100", 4, NONE);
    node("h100", 4, NONE);
    on(0, shape(1, 1000, NONE, "a10"));
    assertThat(lies(shape(1, 1000, NONE))).isNotEqualTo(0);
  }

  @Test
  void whereNoModelIsNamedOrNeededTheOneThatFitsBestIsTaken() {
    model("a10");
    node("a10", 8, NONE);
    node("h100", 1, NONE);
    assertThat(lies(shape(1, 1000, NONE))).isEqualTo(1);
  }

  @Test
  void ofNodesThatCostTheSameTheSmallestIsTakenWhateverItsModelIsCalled() {
    model("a10");
    node("a10", 8, NONE);
    node("h100", 2, NONE);
    on(0, shape(7, 1000, NONE));
    on(1, shape(1, 1000, NONE));
    assertThat(lies(shape(1, 1000, NONE))).isEqualTo(1);
  }

  @Test
  void whatIsInsideTheGuaranteeGoesBeforeWhatFitsBest() {
    model("a10");
    node("a10", 8, NONE);
    node("h100", 1, NONE);
    Span always = new Span(Story.T - 1, Span.FOREVER);
    story.facts(
        new Move.ContractSet(story.contract("acme", "a10", 8, null, always)),
        new Move.ContractSet(story.contract("vision", "a10", 8, null, always)));
    assertThat(lies(shape(1, 1000, NONE))).isEqualTo(0);
  }

  @Test
  void theFullerTheFleetTheMoreAWholeGpuLeftFreeCosts() {
    Hosts hosts = new Hosts();
    for (int i = 0; i < 100; i++) {
      node("h100", 1, NONE);
      hosts.add(new NodeTimeline(nodes.get(i)));
    }
    Lease lease = story.asks("vision", 1).lease();
    Score.Free before = new Score.Free(4_000, 4, Gap.UNKNOWN);
    Score.Free after = before.less(1_000, 3, 0);
    long[] costs = new long[4];
    int[] openOf100 = {0, 88, 90, 99};
    for (int i = 0; i < costs.length; i++) {
      Mix mix = new Mix(new Undo());
      for (int k = 0; k < openOf100[i]; k++) {
        mix.moved(null, lease);
      }
      costs[i] = mix.score(hosts).of(before, after);
    }
    Score empty = new Mix(new Undo()).score(hosts);
    assertThat(empty.of(before, after)).isPositive();
    assertThat(costs[2]).isGreaterThan(costs[1]);
    assertThat(costs[3]).isGreaterThan(costs[2]);
  }

  @Test
  void theSmallestHoleIsToldToASixtyFourth() {
    long holes = Holes.with(Holes.with(Holes.with(0, 190), 530), 350);
    assertThat(Holes.smallest(holes, 320)).isBetween(343, 359);
    assertThat(Holes.smallest(holes, 470)).isBetween(515, 546);
    assertThat(Holes.smallest(holes, 600)).isEqualTo(Units.PER_GPU);
    assertThat(Holes.smallest(Holes.with(0, 334), 333)).isLessThan(Units.PER_GPU);
  }

  @Test
  void aModelIsScarceByItsPartOfTheDemandOverItsPartOfTheFleet() {
    model("a10");
    Hosts hosts = new Hosts();
    node("h100", 8, NONE);
    node("a10", 2, NONE);
    nodes.forEach(node -> hosts.add(new NodeTimeline(node)));
    Mix mix = new Mix(new Undo());
    mix.moved(null, story.asks("vision", 1).shape(shape(4, 1000, NONE, "h100")).lease());
    mix.moved(null, story.asks("vision", 1).shape(shape(1, 1000, NONE, "a10")).lease());
    Score score = mix.score(hosts);
    long even = score.price("h100", 8, 1_000);
    assertThat(score.price("a10", 2, 1_000)).isEqualTo(even).isPositive();
    assertThat(score.price("h100", 4, 1_000)).isEqualTo(2 * even);
    assertThat(score.price("h100", 8, 3_000)).isEqualTo(3 * even);
    assertThat(score.price("h100", 1, 1_000)).as("no more than five times").isEqualTo(5 * even);
    assertThat(score.price("b200", 8, 1_000)).as("nobody names it").isZero();
  }

  @Test
  void theCpuThatSeveralGangsWantIsThatOfEach() {
    node("h100", 8, 64_000);
    Hosts hosts = new Hosts();
    hosts.add(new NodeTimeline(nodes.getFirst()));
    Lease gang = story.asks("vision", 1).shape(shape(8, 1000, 60_000)).lease();
    Score.Free empty = new Score.Free(8_000, 8, 64_000);
    Score.Free begun = empty.less(0, 8, 8_000);
    Mix mix = new Mix(new Undo());
    long nobody = mix.score(hosts).of(empty, begun);
    for (int i = 0; i < 3; i++) {
      mix.moved(null, gang);
    }
    assertThat(mix.score(hosts).of(empty, begun)).isGreaterThan(1_000_000 + nobody);
  }

  @Test
  void onlyNodesWithTheGpusAndTheCpuCouldTakeAGang() {
    node("h100", 8, 64_000);
    node("h100", 8, 32_000);
    node("h100", 4, 64_000);
    node("h100", 4, NONE);
    Hosts hosts = new Hosts();
    nodes.forEach(node -> hosts.add(new NodeTimeline(node)));
    hosts.add(new NodeTimeline(nodes.getFirst().gone()));
    assertThat(hosts.scarcity(4, 0)).isEqualTo(1);
    assertThat(hosts.scarcity(8, 32_000)).isEqualTo(24 / 16.0);
    assertThat(hosts.scarcity(8, 32_001)).isEqualTo(24 / 8.0);
    assertThat(hosts.scarcity(4, 64_000)).as("CPU not known is plenty").isEqualTo(24 / 16.0);
    assertThat(hosts.scarcity(9, 0)).isZero();
  }
}
