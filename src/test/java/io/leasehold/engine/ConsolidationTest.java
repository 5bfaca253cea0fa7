package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plans that move leases so that a request fits. */
class ConsolidationTest {

  private static final long WITHDRAWAL = 90 * Time.SECOND;

  private final Story story = Story.of("h100", 8, 8, 8);

  /** One lease on each node, so large; the rest of the node is free. */
  private List<Lease> oneOnEach(boolean movable, int... gpus) {
    List<Lease> leases = new ArrayList<>();
    List<Lease> fillers = new ArrayList<>();
    for (int each : gpus) {
      Ask ask = story.asks("vision", each).lasting(10 * Time.HOUR).ask().movable(movable);
      leases.add(story.ask(ask).lease());
      fillers.add(story.asks("nlp", 8 - each).lease());
    }
    story.clusterObeys();
    fillers.forEach(each -> story.decide(new Command.Release(each.id())));
    story.clusterObeys();
    return leases.stream().map(each -> story.lease(each.id())).toList();
  }

  private static UUID node(Lease lease) {
    return lease.booking().slots().getFirst().node();
  }

  private Ask wholeNode() {
    return story.asks("nlp", 0).groups(1, 8).ask();
  }

  private ConsolidationPlan plan(Ask ask) {
    String before = Dump.of(story.book);
    ConsolidationPlan plan = Engine.consolidation(story.book, ask, story.now);
    assertThat(Dump.of(story.book)).as("asking changes nothing").isEqualTo(before);
    return plan;
  }

  private Decision.Consolidated apply(Ask ask, ConsolidationPlan plan) {
    return (Decision.Consolidated) story.on(new Command.Consolidate(ask, plan.moves()));
  }

  private void clustersConfirm() {
    for (Lease lease : List.copyOf(story.book.leases())) {
      if (lease.change() != null) {
        story.decide(Story.usable(lease));
      }
    }
    story.clusterObeys();
  }

  @Test
  void theFewestAndCheapestMovesAreThePlanAndTheRequestThenFits() {
    List<Lease> leases = oneOnEach(true, 3, 2, 4);
    Ask ask = wholeNode();
    ConsolidationPlan plan = plan(ask);
    Lease two = leases.get(1);
    assertThat(plan.moves()).hasSize(1);
    Relocation move = plan.moves().getFirst();
    assertThat(move.lease()).isEqualTo(two.id());
    assertThat(move.fromNodes()).containsExactly(node(two));
    assertThat(move.toNodes()).hasSize(1).doesNotContain(node(two));
    assertThat(move.gpuMilli()).isEqualTo(2_000);
    assertThat(plan.fits().window().start())
        .as("not before the cluster must have let go")
        .isEqualTo(story.now + WITHDRAWAL);
    assertThat(Fleet.nodes(plan.fits().booking())).containsExactly(node(two));

    assertThat(apply(ask, plan).applied()).isTrue();
    Lease moved = story.lease(two.id());
    assertThat(moved.state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(moved.degraded()).as("it has all that it had").isFalse();
    assertThat(moved.generation()).isEqualTo(two.generation() + 1);
    assertThat(moved.window()).isEqualTo(two.window());
    assertThat(moved.leaving()).as("in the cluster's hands until it confirmed").isNotNull();
    assertThat(story.batches.getLast().moves())
        .hasSize(1)
        .allMatch(
            each ->
                each instanceof Move.LeaseMoved leased && leased.cause().equals("consolidated"));
    clustersConfirm();
    assertThat(story.ask(ask).answer().verdict()).isEqualTo(Verdict.ADMITTED);
  }

  @Test
  void onlyWhoAllowsItIsMovedWhileItRuns() {
    oneOnEach(false, 3, 2, 4);
    ConsolidationPlan plan = plan(wholeNode());
    assertThat(plan.fits()).isNull();
    assertThat(plan.moves()).isEmpty();
    assertThat(plan.reasons()).extracting(Answer.Reason::code).containsExactly("shape", "no-moves");
  }

  @Test
  void nobodyMovesWhereThereIsNoPlaceForIt() {
    List<Lease> leases = oneOnEach(true, 5, 5, 5);
    assertThat(plan(wholeNode()).fits()).isNull();
    story.decide(new Command.Release(leases.getFirst().id()));
    story.decide(new Command.Release(leases.get(1).id()));
    story.clusterObeys();
    assertThat(plan(wholeNode()).moves()).as("it fits without").isEmpty();
    assertThat(plan(story.asks("nlp", 0).groups(2, 8).ask()).fits()).isNotNull();
    assertThat(plan(story.asks("nlp", 0).groups(3, 8).ask()).fits()).isNull();
  }

  @Test
  void aGangTakesAsManyMovesAsItNeedsAndNoMore() {
    Story four = Story.of("h100", 8, 8, 8, 8);
    List<Lease> small = new ArrayList<>();
    for (int each : new int[] {1, 2, 3, 1}) {
      Ask ask = four.asks("vision", each).lasting(10 * Time.HOUR).ask().movable(true);
      small.add(four.ask(ask).lease());
      four.asks("nlp", 8 - each).lasting(Time.MINUTE).lease();
    }
    four.clusterObeys();
    four.after(Time.MINUTE);
    four.clusterObeys();
    Ask gang = four.asks("nlp", 0).groups(3, 8).ask();
    ConsolidationPlan plan = Engine.consolidation(four.book, gang, four.now);
    assertThat(plan.moves())
        .extracting(Relocation::lease)
        .containsExactlyInAnyOrder(small.get(0).id(), small.get(1).id(), small.get(3).id());
    four.on(new Command.Consolidate(gang, plan.moves()));
    four.after(WITHDRAWAL + Time.SECOND);
    four.book.leases().stream()
        .filter(each -> each.change() != null)
        .toList()
        .forEach(each -> four.decide(Story.usable(each)));
    assertThat(four.ask(gang).answer().verdict()).isEqualTo(Verdict.ADMITTED);
  }

  @Test
  void whatHasNotBegunMovesWithoutBeingAskedAndTheRequestStartsWhenItWanted() {
    long start = story.now + Time.HOUR;
    List<Lease> planned = new ArrayList<>();
    List<Lease> fillers = new ArrayList<>();
    for (int each : new int[] {3, 2, 4}) {
      Lease small = story.asks("vision", each).at(start, start + Time.HOUR).lease();
      planned.add(small);
      fillers.add(story.asks("nlp", 8 - each).at(start, start + Time.HOUR).lease());
    }
    fillers.forEach(each -> story.decide(new Command.Cancel(each.id())));
    Ask two = story.asks("nlp", 0).groups(2, 8).at(start + Time.MINUTE, start + Time.HOUR).ask();
    ConsolidationPlan plan = plan(two);
    assertThat(plan.fits()).as("nine GPUs do not lie on one node").isNull();
    story.decide(new Command.Cancel(planned.get(1).id()));
    assertThat(plan(two).moves()).hasSize(1);
    assertThat(plan(two).moves().getFirst().gpuMilli()).isEqualTo(3_000);
    assertThat(plan(two).fits().window().start()).isEqualTo(start + Time.MINUTE);
    assertThat(apply(two, plan(two)).applied()).isTrue();
    assertThat(story.ask(two).answer().verdict()).isEqualTo(Verdict.PLANNED);
  }

  @Test
  void anotherPlanThanTheOneApprovedIsNotDone() {
    List<Lease> leases = oneOnEach(true, 3, 2, 4);
    Ask ask = wholeNode();
    ConsolidationPlan plan = plan(ask);
    story.decide(new Command.Release(leases.get(1).id()));
    String before = Dump.of(story.book);
    Decision.Consolidated decision = apply(ask, plan);
    assertThat(decision.applied()).isFalse();
    assertThat(decision.plan().moves())
        .extracting(Relocation::lease)
        .doesNotContain(leases.get(1).id());
    assertThat(Dump.of(story.book)).isEqualTo(before);
  }

  @Test
  void whatNoMoveChangesIsSaidAtOnce() {
    oneOnEach(true, 3, 2, 4);
    assertThat(plan(story.asks("nlp", 0).groups(1, 9).ask()).reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("capacity");
    assertThat(plan(story.asks("nobody", 1).ask()).reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("not-found");
    story.decide(new Command.Sign(story.contract("acme", 16, 0)));
    story.decide(new Command.Sign(story.contract("nlp", 4, 0)));
    assertThat(plan(wholeNode()).fits()).as("over its limit").isNull();
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Long.getLong("seeds", 40));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyPlanCanBeDoneAsItIsAndKeepsWhatEachLeaseHas(long seed) {
    Random random = new Random(seed);
    Story pool = Story.of("h100", 8, 8, 8, 8, 4, 4);
    for (int i = 0; i < 24; i++) {
      boolean later = random.nextInt(4) == 0;
      long start = pool.now + (1 + random.nextInt(3)) * Time.HOUR;
      Story.AskMaker asks = pool.asks(i % 2 == 0 ? "vision" : "nlp", 1 + random.nextInt(4));
      Ask ask = (later ? asks.at(start, start + Time.HOUR) : asks.lasting(5 * Time.HOUR)).ask();
      pool.ask(ask.movable(random.nextInt(3) > 0));
    }
    pool.clusterObeys();
    for (Lease lease : List.copyOf(pool.book.leases())) {
      if (lease.state() == LeaseState.WAITING || random.nextInt(2) == 0) {
        pool.decide(new Command.Release(lease.id()));
      }
    }
    pool.clusterObeys();
    int size = 4 + random.nextInt(5);
    Story.AskMaker asks = pool.asks("nlp", 0).groups(1 + random.nextInt(2), size);
    Ask ask = asks.lasting(2 * Time.HOUR).ask();
    ConsolidationPlan plan = Engine.consolidation(pool.book, ask, pool.now);
    String where = "seed " + seed + ": " + plan;
    if (plan.fits() == null) {
      assertThat(plan.reasons()).as(where).isNotEmpty();
      return;
    }
    for (Relocation move : plan.moves()) {
      Lease lease = pool.lease(move.lease());
      boolean allowed = lease.state() == LeaseState.PLANNED || lease.ask().movable();
      assertThat(allowed).as(where).isTrue();
      assertThat(move.toNodes()).as(where).doesNotContainAnyElementsOf(move.fromNodes());
    }
    List<Lease> before = List.copyOf(pool.book.leases());
    Decision decision = pool.on(new Command.Consolidate(ask, plan.moves()));
    assertThat(((Decision.Consolidated) decision).applied()).as(where).isTrue();
    for (Lease lease : before) {
      Lease after = pool.lease(lease.id());
      assertThat(after.booking().gpuMilli()).as(where).isEqualTo(lease.booking().gpuMilli());
      assertThat(after.booking().model()).as(where).isEqualTo(lease.booking().model());
      assertThat(after.window()).as(where).isEqualTo(lease.window());
    }
    Ask then = ask.with(new Ask.When.At(plan.fits().window()));
    assertThat(pool.ask(then).lease().state().hasPromise()).as(where).isTrue();
  }

  /** On each node leases of so many GPUs, movable; of a negative number: not to be moved. */
  private static Story filled(List<String> racks, int[]... gpus) {
    Story story = Story.of("h100");
    for (int node = 0; node < gpus.length; node++) {
      Domain rack = Fleet.rack("b", racks.get(node));
      story.facts(new Move.NodeSet(Fleet.node(node, "east", rack, 8)));
      int free = 8;
      for (int each : gpus[node]) {
        Story.AskMaker asks = story.asks("vision", Math.abs(each)).lasting(10 * Time.HOUR);
        story.ask(asks.ask().movable(each > 0));
        free -= Math.abs(each);
      }
      if (free > 0) {
        story.asks("nlp", free).of("realtime").lasting(Time.MINUTE).lease();
      }
    }
    story.clusterObeys();
    story.after(Time.MINUTE);
    story.clusterObeys();
    return story;
  }

  private static ConsolidationPlan plan(Story story, Shape shape) {
    return Engine.consolidation(story.book, story.asks("nlp", 0).shape(shape).ask(), story.now);
  }

  private static int[] node(int... gpus) {
    return gpus;
  }

  @Test
  void theFewestMoveAndNotTheSmallest() {
    Story three = filled(List.of("a", "a", "a"), node(3, 3, 1, 1), node(-5), node(-5));
    assertThat(plan(three, Fleet.groups(1, 5)).moves())
        .extracting(Relocation::gpuMilli)
        .containsExactly(3_000L, 3_000L);
  }

  @Test
  void inTheDomainWhereTheFewestThenTheLeastMove() {
    Shape gang = Fleet.groups(2, 8, Fleet.required(Level.RACK));
    List<String> racks = List.of("a", "a", "b", "b", "c", "c");
    List<Story> stories =
        List.of(
            filled(racks, node(1, 1), node(), node(3), node(), node(-4), node(-4)),
            filled(racks, node(1, 1, 1), node(), node(3), node(3), node(-4), node(-4)),
            filled(racks, node(3, 3), node(), node(1), node(2), node(-4), node(-4)));
    for (Story story : stories) {
      ConsolidationPlan plan = plan(story, gang);
      assertThat(Fleet.nodes(plan.fits().booking()))
          .as("case %s: %s", stories.indexOf(story), plan)
          .containsExactlyInAnyOrder(Fleet.id(2), Fleet.id(3));
    }
  }

  @Test
  void anApprovalOfAnotherMoveIsNone() {
    List<Lease> leases = oneOnEach(true, 3, 2, 4);
    Ask ask = wholeNode();
    Relocation due = plan(ask).moves().getFirst();
    List<UUID> elsewhere = List.of(node(leases.getFirst()), node(leases.getLast()));
    for (Relocation approved :
        List.of(
            new Relocation(leases.getFirst().id(), "vision", due.fromNodes(), due.toNodes(), 2_000),
            new Relocation(due.lease(), "vision", elsewhere, due.toNodes(), 2_000),
            new Relocation(due.lease(), "vision", due.fromNodes(), elsewhere, 2_000))) {
      Decision decision = story.on(new Command.Consolidate(ask, List.of(approved)));
      assertThat(((Decision.Consolidated) decision).applied()).as("%s", approved).isFalse();
    }
  }
}
