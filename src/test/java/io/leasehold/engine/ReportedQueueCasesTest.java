package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * More cases that users of similar services reported, about who waits, who counts and what is told;
 * each name starts with the number of the case.
 */
class ReportedQueueCasesTest {

  private static final long CORES = 1_000;

  private final Story story = Story.of("h100", 8);

  private static Node with(Node node, Domain domain, long cpuMilli) {
    return new Node(
        node.id(),
        node.ordinal(),
        node.cluster(),
        node.name(),
        node.model(),
        domain,
        cpuMilli,
        cpuMilli == 0 ? 0 : 1_000_000,
        node.gpus(),
        node.drainDeadline(),
        node.retired());
  }

  private static Domain rack(String name) {
    return new Domain("eu-1", "eu-1a", "b1", name, null);
  }

  /** With CPU for the lease as a whole. */
  private static Shape beside(int gpus, long cpuMilli) {
    return new Shape(
        List.of(), 0, 0, gpus, Shape.Slice.WHOLE, cpuMilli, 0, List.of(), Shape.Where.ANYWHERE);
  }

  private static Shape by(int gpus, Level level, Shape.Spread.Rule rule) {
    return Story.AskMaker.whole(gpus).by(List.of(new Shape.Spread(level, rule, null)));
  }

  private Story withCpu(long cpuMilli) {
    Story cores = Story.of("h100");
    cores.facts(new Move.NodeSet(with(cores.node("h100", 8), Domain.NOWHERE, cpuMilli)));
    return cores;
  }

  @Test
  void s5AnEditOfTheFleetIsTriedAtOnceAndTheReasonIsNew() {
    Story racks = Story.of("h100", 8, 8);
    List<Node> nodes = List.copyOf(racks.book.nodes());
    racks.on(
        new Command.SetNodes(
            List.of(with(nodes.get(0), rack("r1"), 0), with(nodes.get(1), rack("r2"), 0)),
            Command.Shrink.REFUSE));
    racks.asks("nlp", 4).lasting(2 * Time.HOUR).lease();
    Lease whole =
        racks
            .asks("vision", 0)
            .shape(by(12, Level.RACK, Shape.Spread.Rule.REQUIRED))
            .lasting(Time.HOUR)
            .decided()
            .lease();
    assertThat(whole.state()).as("no rack has that many").isEqualTo(LeaseState.REFUSED);

    Lease drained = racks.asks("vision", 8).lease();
    assertThat(drained.state()).isEqualTo(LeaseState.ALLOCATED);
    UUID free = drained.booking().slots().getFirst().node();
    racks.on(new Command.Release(drained.id()));
    racks.clusterObeys();
    racks.on(new Command.Drain(List.of(free), racks.now + Time.DAY));
    Lease waits = racks.asks("vision", 8).lasting(Time.HOUR).lease();
    assertThat(waits.state()).isEqualTo(LeaseState.WAITING);
    racks.on(new Command.Drain(List.of(free), null));
    assertThat(racks.state(waits.id())).as("undrained").isEqualTo(LeaseState.ALLOCATED);

    Lease second =
        racks
            .asks("vision", 0)
            .shape(by(4, Level.RACK, Shape.Spread.Rule.REQUIRED))
            .lasting(Time.HOUR)
            .lease();
    assertThat(second.state()).isEqualTo(LeaseState.ALLOCATED);
    Lease both =
        racks
            .asks("vision", 0)
            .shape(by(9, Level.RACK, Shape.Spread.Rule.REQUIRED))
            .lasting(Time.HOUR)
            .lease();
    assertThat(both.state()).isEqualTo(LeaseState.REFUSED);
    racks.on(new Command.SetCluster("east", true));
    racks.on(new Command.Release(second.id()));
    racks.clusterObeys();
    Lease paused = racks.asks("vision", 4).lasting(Time.HOUR).lease();
    assertThat(paused.state()).isEqualTo(LeaseState.WAITING);
    assertThat(Engine.explain(racks.book, paused.id(), racks.now).reasons())
        .anySatisfy(reason -> assertThat(reason.name()).isEqualTo("east"));
    racks.on(new Command.SetCluster("east", false));
    assertThat(racks.state(paused.id())).as("resumed").isEqualTo(LeaseState.ALLOCATED);
    assertThat(Engine.explain(racks.book, paused.id(), racks.now).reasons()).isEmpty();
  }

  @Test
  void s5ARackThatGrowsTakesWhoWaitedForIt() {
    Story racks = Story.of("h100", 8, 8);
    List<Node> nodes = List.copyOf(racks.book.nodes());
    racks.on(
        new Command.SetNodes(
            List.of(with(nodes.get(0), rack("r1"), 0), with(nodes.get(1), rack("r2"), 0)),
            Command.Shrink.REFUSE));
    UUID full =
        racks.asks("nlp", 8).lasting(2 * Time.HOUR).lease().booking().slots().getFirst().node();
    Node taken = racks.book.node(full);
    Node other = nodes.get(0).id().equals(full) ? nodes.get(1) : nodes.get(0);
    Shape there = within(8, taken.domain().path(Level.RACK));
    Lease waits = racks.asks("vision", 0).shape(there).lasting(Time.HOUR).lease();
    assertThat(waits.state()).isEqualTo(LeaseState.WAITING);
    racks.on(new Command.SetNodes(List.of(with(other, taken.domain(), 0)), Command.Shrink.REFUSE));
    assertThat(racks.state(waits.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(racks.lease(waits.id()).booking().slots())
        .extracting(Booking.Slot::node)
        .containsExactly(other.id());
  }

  private static Shape within(int gpus, String path) {
    return new Shape(
        List.of(),
        0,
        0,
        gpus,
        Shape.Slice.WHOLE,
        0,
        0,
        List.of(),
        new Shape.Where(List.of(), List.of(), List.of(), List.of(path)));
  }

  @Test
  void s8WhoHasWaitedForAsLongAsTheClassSaysComesFirstAndIsToldSo() {
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(new Move.ClassSet(aging(2 * Time.HOUR, Story.runningFor(Time.DAY, batch))));
    story.asks("nlp", 8).lasting(10 * Time.HOUR).lease();
    Lease old = story.asks("vision", 8).lasting(Time.HOUR).lease();
    story.after(2 * Time.HOUR - 1);
    assertThat(told(old)).doesNotContain("aged");
    assertThat(story.lease(old.id()).earmark().cause()).isNotEqualTo("aged");
    story.after(1);
    assertThat(told(old)).contains("aged");
    Lease urgent = story.asks("nlp", 8).of("realtime").lasting(Time.HOUR).lease();
    assertThat(story.lease(old.id()).earmark().start())
        .isLessThan(story.lease(urgent.id()).earmark().start());
  }

  private List<String> told(Lease lease) {
    return Engine.explain(story.book, lease.id(), story.now).reasons().stream()
        .map(Answer.Reason::code)
        .toList();
  }

  private static ServiceClass aging(long after, ServiceClass of) {
    return new ServiceClass(
        of.slug(),
        of.priority(),
        of.mayPreempt(),
        of.mayBePreempted(),
        of.mayBeOpenEnded(),
        of.minimumRun(),
        of.prepare(),
        of.grace(),
        of.withdrawAllowance(),
        after,
        of.longestDuration(),
        of.horizon());
  }

  @Test
  void s20EachWordOfARequestDoesWhatItSays() {
    Story nodes = Story.of("h100", 4, 4, 4);
    assertThat(spread(nodes, Shape.Spread.Rule.REQUIRED, 4)).isEqualTo(1);
    assertThat(spread(nodes, Shape.Spread.Rule.PREFERRED, 4)).isEqualTo(1);
    assertThat(spread(nodes, Shape.Spread.Rule.SPREAD, 3)).isEqualTo(3);
    assertThat(spread(nodes, Shape.Spread.Rule.PREFERRED, 6)).as("as few as can be").isEqualTo(2);
    assertThat(
            nodes
                .asks("vision", 0)
                .shape(by(6, Level.NODE, Shape.Spread.Rule.REQUIRED))
                .decided()
                .answer()
                .refusal())
        .isEqualTo(Answer.Refusal.NEVER);

    story.asks("nlp", 8).lease();
    assertThat(story.asks("vision", 1).lease().state()).isEqualTo(LeaseState.WAITING);
    assertThat(story.asks("vision", 1).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
    assertThat(shrunk(Command.Shrink.REFUSE)).isInstanceOf(Decision.Declined.class);
    assertThat(shrunk(Command.Shrink.DEGRADE)).isNotInstanceOf(Decision.Declined.class);
  }

  private Decision shrunk(Command.Shrink how) {
    Node half = story.book.node(new UUID(7, 0));
    return story.on(new Command.SetNodes(List.of(half.withGpus(half.gpus().subList(0, 4))), how));
  }

  /** Over how many nodes it comes to lie, on a fleet that is empty again afterwards. */
  private static long spread(Story nodes, Shape.Spread.Rule rule, int gpus) {
    Lease lease = nodes.asks("vision", 0).shape(by(gpus, Level.NODE, rule)).lease();
    assertThat(lease.state()).isEqualTo(LeaseState.ALLOCATED);
    nodes.on(new Command.Release(lease.id()));
    nodes.clusterObeys();
    return lease.booking().slots().stream().map(Booking.Slot::node).distinct().count();
  }

  /** Guarantees are about GPUs: how much CPU somebody has makes him no borrower. */
  @Test
  void s23CpuNeitherHindersAReclaimNorIsItPassedOver() {
    Story cores = withCpu(80 * CORES);
    PreemptionTest.contracts(cores, 4, 4);
    cores.asks("vision", 0).shape(beside(2, 60 * CORES)).lasting(Time.HOUR).lease();
    cores.asks("nlp", 0).shape(beside(4, 8 * CORES)).lasting(Time.DAY).lease();
    Lease borrower = cores.asks("nlp", 0).shape(beside(2, 8 * CORES)).lasting(Time.DAY).lease();
    cores.clusterObeys();
    Lease owner = cores.asks("vision", 0).shape(beside(2, 8 * CORES)).lasting(Time.HOUR).lease();
    assertThat(cores.state(owner.id())).isIn(LeaseState.PLANNED, LeaseState.ALLOCATED);
    assertThat(cores.lease(borrower.id()).endCause()).isEqualTo("preempted");

    Story scarce = withCpu(80 * CORES);
    scarce.asks("vision", 0).shape(beside(2, 76 * CORES)).lasting(Time.HOUR).lease();
    assertThat(scarce.asks("nlp", 0).shape(beside(2, 8 * CORES)).decided().answer().reasons())
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo("host");
              assertThat(reason.detail()).contains("CPU");
            });
  }

  /** What a contract does not name is nobody's guarantee, and in nobody's way. */
  @Test
  void s41WhatAContractDoesNotNameHindersNoReclaim() {
    Story two = withCpu(80 * CORES);
    two.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)));
    two.facts(new Move.NodeSet(two.node("a100", 4)));
    PreemptionTest.contracts(two, 4, 4);
    Lease unnamed =
        two.asks("nlp", 0).shape(Story.AskMaker.whole(4, "a100")).lasting(Time.DAY).lease();
    assertThat(unnamed.state()).as("borrowed").isEqualTo(LeaseState.ALLOCATED);
    two.asks("nlp", 0).shape(beside(4, 20 * CORES)).lasting(Time.DAY).lease();
    two.asks("nlp", 0).shape(beside(4, 20 * CORES)).lasting(Time.DAY).lease();
    two.clusterObeys();
    Lease owner =
        two.asks("vision", 0).shape(Story.AskMaker.whole(4, "h100")).lasting(Time.HOUR).lease();
    assertThat(owner.state()).isIn(LeaseState.PLANNED, LeaseState.ALLOCATED);
    assertThat(PreemptionTest.victims(two.batches.getLast())).hasSize(1);
    assertThat(two.state(unnamed.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void s34ATenantThatIsGoneLeavesNothingInTheSums() {
    Contract ofVision = story.contract("vision", 4, 0);
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, 0)),
        new Move.ContractSet(ofVision),
        new Move.ContractSet(story.contract("nlp", 4, null)));
    Lease lease = story.asks("vision", 4).lease();
    story.on(new Command.Release(lease.id()));
    story.clusterObeys();
    story.on(new Command.Terminate(ofVision.id(), story.now));
    story.facts(new Move.TenantSet(new Tenant("vision", "acme", true)));
    assertThat(story.book.usage().of("acme", "h100").at(story.now)).isZero();
    assertThat(
            ((Decision.Declined)
                    story.on(new Command.Create(story.asks("vision", 1).lasting(1).ask())))
                .why())
        .isEqualTo(Decision.Declined.Why.NOT_FOUND);
    assertThat(story.asks("nlp", 9).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
    assertThat(story.asks("nlp", 8).orRefuse().lease().state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.book.usage().of("acme", "h100").at(story.now)).isEqualTo(8_000);
  }

  @Test
  void s39ALeaseIsInOneStateAndCountsOnce() {
    Lease holder = story.asks("nlp", 8).lasting(Time.HOUR).lease();
    story.clusterObeys();
    Lease lease = story.asks("vision", 8).lasting(Time.HOUR).lease();
    List<LeaseState> seen = new ArrayList<>();
    counted(lease.id(), seen);
    story.on(new Command.Release(holder.id()));
    counted(lease.id(), seen);
    story.clusterObeys();
    counted(lease.id(), seen);
    Lease now = story.lease(lease.id());
    story.on(new Command.Report(now.id(), now.generation(), Command.Report.News.ACCEPTED));
    counted(lease.id(), seen);
    story.decide(Story.usable(now), Story.usable(now));
    counted(lease.id(), seen);
    story.on(new Command.Release(lease.id()));
    counted(lease.id(), seen);
    assertThat(seen)
        .containsExactly(
            LeaseState.WAITING,
            LeaseState.WAITING,
            LeaseState.ALLOCATED,
            LeaseState.PUBLISHING,
            LeaseState.ACTIVE,
            LeaseState.ENDING);
  }

  private void counted(UUID id, List<LeaseState> seen) {
    LeaseState state = story.state(id);
    seen.add(state);
    boolean waits = state == LeaseState.WAITING;
    assertThat(Engine.queue(story.book, story.now).stream().map(Place::lease).toList())
        .isEqualTo(waits ? List.of(id) : List.of());
    assertThat(story.book.register().counts("vision").open()).isEqualTo(1);
    assertThat(story.book.register().counts("vision").waiting()).isEqualTo(waits ? 1 : 0);
    assertThat(story.book.usage().of("vision", "h100").at(story.now))
        .isEqualTo(state.hasPromise() ? 8_000 : 0);
  }

  @Test
  void s40WhatWaitsUsesNothingAndWhatIsTakenBackIsForgottenAtOnce() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, 0)),
        new Move.ContractSet(story.contract("vision", 4, 0)));
    Lease holder = story.asks("vision", 4).lasting(Time.DAY).lease();
    story.clusterObeys();
    Lease waits = story.asks("vision", 4).lasting(Time.HOUR).lease();
    story.after(20 * Time.HOUR);
    assertThat(story.state(waits.id())).isEqualTo(LeaseState.WAITING);
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(4_000);
    story.on(new Command.Cancel(waits.id()));
    assertThat(story.book.register().counts("vision").waiting()).isZero();
    Batch batch =
        story.decide(
            new Command.Release(holder.id()),
            new Command.Create(story.asks("vision", 4).lasting(Time.HOUR).ask()));
    assertThat(((Decision.Decided) batch.decisions().get(1)).answer().verdict())
        .as("nothing is left of the other two")
        .isEqualTo(Verdict.ADMITTED);
  }

  /** The laws are audited after each step: here everything is over in the end, and so are sums. */
  @Test
  void s42WhateverHappensToGangsNothingOfThemIsLeft() {
    for (long seed = 1; seed <= 10; seed++) {
      gangs(seed);
    }
  }

  private static void gangs(long seed) {
    Random random = new Random(seed);
    Story nodes = Story.of("h100", 8, 8, 8);
    List<UUID> ids = new ArrayList<>();
    for (int step = 0; step < 120; step++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          Ask gang =
              nodes
                  .asks(random.nextBoolean() ? "vision" : "nlp", 0)
                  .groups(1 + random.nextInt(3), 1 + random.nextInt(6))
                  .lasting(Time.MINUTE + random.nextLong(2 * Time.HOUR))
                  .waitingUntil(nodes.now + random.nextLong(Time.HOUR))
                  .ask();
          ids.add(gang.lease());
          nodes.on(new Command.Create(gang));
        }
        case 2 -> {
          if (!ids.isEmpty()) {
            nodes.on(new Command.Release(ids.get(random.nextInt(ids.size()))));
          }
        }
        case 3 -> nodes.breakGpu(random.nextInt(3), random.nextInt(8));
        case 4 -> nodes.setHealth(random.nextInt(3), random.nextInt(8), Health.OK);
        default -> nodes.clusterObeys();
      }
      nodes.after(random.nextLong(20 * Time.MINUTE));
    }
    nodes.after(3 * Time.HOUR);
    nodes.clusterObeys();
    nodes.after(3 * Time.HOUR);
    nodes.clusterObeys();
    assertThat(nodes.book.leases()).as("seed " + seed).isEmpty();
    for (String tenant : List.of("acme", "vision", "nlp")) {
      assertThat(nodes.book.usage().of(tenant, "h100").at(nodes.now)).as("seed " + seed).isZero();
      assertThat(nodes.book.register().counts(tenant).open()).as("seed " + seed).isZero();
    }
    nodes.book.nodes().forEach(node -> assertThat(held(nodes, node)).as("seed " + seed).isEmpty());
  }

  private static List<Held> held(Story nodes, Node node) {
    List<Held> held = new ArrayList<>();
    nodes.book.capacity().eachHeld(node.id(), held::add);
    nodes.book.capacity().eachPossessed(node.id(), held::add);
    return held;
  }

  @Test
  void s44ABatchOfFractionsTakesNoMoreOfADeviceOrItsHostThanThereIs() {
    for (long seed = 1; seed <= 10; seed++) {
      Random random = new Random(seed);
      Story cores = withCpu(64 * CORES);
      List<Command> commands = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        Shape fraction =
            new Shape(
                List.of(),
                0,
                0,
                1 + random.nextInt(2),
                new Shape.Slice.Share(1 + random.nextInt(999)),
                1 + random.nextInt(5_000),
                0,
                List.of(),
                Shape.Where.ANYWHERE);
        Shape shape = random.nextInt(4) == 0 ? beside(1, 1 + random.nextInt(9_000)) : fraction;
        commands.add(new Command.Create(cores.asks("vision", 0).shape(shape).orRefuse().ask()));
      }
      cores.decide(commands.toArray(Command[]::new));
      TreeMap<Integer, Integer> milli = new TreeMap<>();
      long cpu = 0;
      for (Lease lease : cores.book.leases()) {
        for (Booking.Slot slot : lease.booking().slots()) {
          for (int gpu = 0; gpu < 8; gpu++) {
            if ((slot.units().gpus() >>> gpu & 1) == 1) {
              milli.merge(
                  gpu, slot.units().size() / Long.bitCount(slot.units().gpus()), Integer::sum);
            }
          }
        }
        cpu += lease.ask().shape().cpuMilli();
      }
      assertThat(milli.values()).as("seed " + seed).allMatch(sum -> sum <= 1_000);
      assertThat(cpu).as("seed " + seed).isBetween(1L, 64 * CORES);
    }
  }

  /**
   * Use is written with what was booked: what is refused leaves none, and an end leaves it once.
   */
  @Test
  void l17WhatIsRefusedIsNotChargedAndAnEndIsSettledOnce() {
    Lease lease = story.asks("vision", 8).lasting(Time.DAY).lease();
    story.clusterObeys();
    story.after(Time.HOUR);
    Batch refused =
        story.decide(new Command.Create(story.asks("vision", 1).lasting(1).orRefuse().ask()));
    assertThat(settled(refused)).isZero();
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(8_000);
    Lease active = story.lease(lease.id());
    assertThat(settled(story.decide(new Command.Release(lease.id())))).isEqualTo(1);
    Lease ending = story.lease(lease.id());
    long written = story.book.history("vision", "h100");
    Batch twice =
        story.decide(
            new Command.Release(lease.id()),
            Story.withdrawn(ending),
            Story.withdrawn(ending),
            Story.withdrawn(active));
    assertThat(settled(twice)).isZero();
    assertThat(story.book.history("vision", "h100")).isEqualTo(written);
  }

  private static long settled(Batch batch) {
    return batch.moves().stream().filter(Move.UsageSet.class::isInstance).count();
  }

  /** An operator's reservation from then on is the end that a node has of its own. */
  @Test
  void l41WhatIsLongerThanANodeIsThereGoesElsewhereOrIsOfferedTheTimeThereIs() {
    long four = story.now + 4 * Time.HOUR;
    story.reserves("acme", Story.AskMaker.whole(8), new Span(four, four + 30 * Time.DAY));
    Decision.Decided six = story.asks("vision", 8).lasting(6 * Time.HOUR).orRefuse().decided();
    assertThat(six.answer().verdict()).isEqualTo(Verdict.REFUSED);
    Answer.Alternative shorter =
        six.answer().alternatives().stream()
            .filter(each -> each.kind().equals("shorter"))
            .findFirst()
            .orElseThrow();
    assertThat(shorter.start()).isEqualTo(story.now);
    long length = ((Ask.When.Now) shorter.ask().when()).length();
    assertThat(length).isBetween(4 * Time.HOUR - 5 * Time.MINUTE, 4 * Time.HOUR);
    assertThat(story.asks("vision", 8).lasting(length).orRefuse().lease().state())
        .isEqualTo(LeaseState.ALLOCATED);

    Story two = Story.of("h100", 8, 8);
    Occurrence end =
        Story.setAside(
                two.reserves("acme", Story.AskMaker.whole(8), new Span(four, four + Time.DAY)))
            .getFirst();
    Lease elsewhere = two.asks("vision", 8).lasting(6 * Time.HOUR).lease();
    assertThat(elsewhere.booking().slots().getFirst().node())
        .isNotEqualTo(end.booking().slots().getFirst().node());
  }

  /** The rule: what a class says holds from then on, for what runs too; its window stays. */
  @Test
  void l42APolicyThatChangesHoldsForWhatRuns() {
    ServiceClass batch = story.book.serviceClass("batch");
    Lease running = story.asks("nlp", 8).lasting(Time.DAY).lease();
    story.clusterObeys();
    Span window = story.lease(running.id()).window();
    story.facts(new Move.ClassSet(Story.runningFor(2 * Time.HOUR, batch)));
    Lease urgent = story.asks("vision", 8).of("realtime").lasting(Time.HOUR).lease();
    assertThat(urgent.state()).as("it runs for two hours first").isEqualTo(LeaseState.WAITING);
    assertThat(story.lease(running.id()).window()).isEqualTo(window);
    story.facts(new Move.ClassSet(batch));
    story.after(Time.MINUTE);
    assertThat(story.lease(running.id()).endCause())
        .as("nothing spares it any more")
        .isEqualTo("preempted");
    assertThat(story.state(urgent.id())).isEqualTo(LeaseState.PLANNED);
  }
}
