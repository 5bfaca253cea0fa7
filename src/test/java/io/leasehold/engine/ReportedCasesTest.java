package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Cases that users of similar services reported; each name starts with the number of the case. */
class ReportedCasesTest {

  private final Story story = Story.of("h100", 8);

  @Test
  void l1OneOfFiftyRequestsForEverythingIsAdmitted() {
    assertThat(admitted(50, 8)).isEqualTo(1);
  }

  @Test
  void l2AtMostTwoOfEightRequestsForThreeFit() {
    assertThat(admitted(8, 3)).isEqualTo(2);
  }

  private long admitted(int requests, int gpus) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      commands.add(new Command.Create(story.asks("vision", gpus).orRefuse().ask()));
    }
    return story.decide(commands.toArray(Command[]::new)).decisions().stream()
        .map(decision -> ((Decision.Decided) decision).answer().verdict())
        .filter(Verdict.ADMITTED::equals)
        .count();
  }

  @Test
  void l3AnExpiredLeaseIsNeverRevived() {
    Lease lease = story.asks("vision", 8).lease();
    story.clusterObeys();
    story.after(Time.HOUR);
    Decision decision = story.on(new Command.Extend(lease.id(), story.now + Time.HOUR));
    assertThat(((Decision.Declined) decision).why()).isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE);
    assertThat(story.asks("nlp", 8).lease().state())
        .as("what is not withdrawn is not free")
        .isEqualTo(LeaseState.WAITING);
  }

  @Test
  void l4GroupsAndAPlainCountAreChargedTheSame() {
    Story two = Story.of("h100", 4, 4, 4, 4);
    two.asks("vision", 0).groups(2, 4).lease();
    two.asks("nlp", 8).lease();
    assertThat(two.book.usage().of("vision", "h100").at(two.now)).isEqualTo(8_000);
    assertThat(two.book.usage().of("nlp", "h100").at(two.now)).isEqualTo(8_000);
  }

  @Test
  void l5AFleetThatShrankBelowWhatIsPromisedHasNothingFreeAndNotLess() {
    Lease lease = story.asks("vision", 8).lease();
    Node node = story.book.node(new UUID(7, 0));
    Node half =
        new Node(
            node.id(),
            0,
            node.cluster(),
            node.name(),
            node.model(),
            node.domain(),
            0,
            0,
            node.gpus().subList(0, 4),
            null,
            false);
    story.on(new Command.SetNodes(List.of(half), Command.Shrink.DEGRADE));
    assertThat(story.lease(lease.id()).degraded()).isTrue();
    assertThat(story.book.capacity().healthyGpus("h100")).isEqualTo(4);
    Answer answer = story.asks("nlp", 1).decided().answer();
    assertThat(answer.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(answer.reasons())
        .isNotEmpty()
        .allSatisfy(reason -> assertThat(reason.limit()).isZero());
    assertThat(story.asks("nlp", 5).decided().answer().reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.limit()).isEqualTo(4));
  }

  @Test
  void l6AndS1TheFirstInLineIsNotStarvedBySmallOnes() {
    Lease first = story.asks("vision", 4).lasting(Time.HOUR).lease();
    story.asks("vision", 4).lasting(2 * Time.HOUR).lease();
    Lease large = story.asks("nlp", 8).lease();
    long promised = large.earmark().start();
    for (int i = 0; i < 30; i++) {
      story.asks("vision", 1).lasting(3 * Time.HOUR).lease();
      story.after(5 * Time.MINUTE);
      story.clusterObeys();
      assertThat(
              story.state(large.id()) != LeaseState.WAITING
                  || story.lease(large.id()).earmark().start() <= promised)
          .isTrue();
    }
    assertThat(story.state(first.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.state(large.id())).isIn(LeaseState.ALLOCATED, LeaseState.ACTIVE);
    assertThat(story.now).isLessThan(Story.T + 3 * Time.HOUR);
  }

  @Test
  void backfillsWhatIsOverBeforeTheEarmark() {
    story.asks("vision", 4).lasting(2 * Time.HOUR).lease();
    story.asks("nlp", 8).lease();
    assertThat(story.asks("vision", 4).lasting(Time.HOUR).lease().state())
        .isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void l7AnEndComesBeforeAStartAtTheSameInstant() {
    ServiceClass plain =
        new ServiceClass(
            "plain", 100, false, true, false, 0, 0, 0, 0, Time.HOUR, Time.DAY, Time.DAY);
    story.facts(new Move.ClassSet(plain));
    Lease first = story.asks("vision", 8).of("plain").at(Story.T, Story.T + 2 * Time.HOUR).lease();
    story.clusterObeys();
    Lease next =
        story
            .asks("nlp", 8)
            .of("plain")
            .at(Story.T + 2 * Time.HOUR, Story.T + 4 * Time.HOUR)
            .lease();
    Batch batch = story.after(2 * Time.HOUR);
    assertThat(causes(batch)).containsExactly("expired", "delayed");
    story.clusterObeys();
    assertThat(story.state(first.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.state(next.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void l10AStartInThePastMeansNowAndTheEndStays() {
    Lease lease =
        story.asks("vision", 1).at(Story.T - 30 * Time.SECOND, Story.T + Time.HOUR).lease();
    assertThat(lease.window()).isEqualTo(new Span(Story.T, Story.T + Time.HOUR));
  }

  @Test
  void l11WhatEndsBeforeItStartsIsRefusedAndNothingIsLeft() {
    List<Ask.When> absurd =
        List.of(
            new Ask.When.Now(0),
            new Ask.When.Now(-Time.HOUR),
            new Ask.When.Now(Long.MIN_VALUE),
            new Ask.When.NowUntil(Story.T),
            new Ask.When.NowUntil(Story.T - Time.DAY),
            new Ask.When.At(new Span(Story.T - Time.DAY, Story.T - Time.HOUR)),
            new Ask.When.Within(new Span(Story.T, Story.T + Time.HOUR), -1),
            new Ask.When.Within(new Span(Story.T, Story.T + Time.HOUR), 2 * Time.HOUR),
            new Ask.When.Within(new Span(Story.T - Time.DAY, Story.T), Time.HOUR),
            new Ask.When.At(new Span(Story.T, 253_402_300_799L * Time.SECOND)));
    for (Ask.When when : absurd) {
      Decision.Decided decided = story.asks("vision", 1).when(when).decided();
      assertThat(decided.answer().verdict()).as(when.toString()).isEqualTo(Verdict.REFUSED);
      assertThat(decided.answer().reasons()).as(when.toString()).isNotEmpty();
      assertThat(story.book.leases()).as(when.toString()).isEmpty();
    }
  }

  @Test
  void l12WithLessThanASecondLeftItNeverStarts() {
    Lease holder = story.asks("vision", 8).lasting(Time.HOUR - 90 * Time.SECOND).lease();
    story.clusterObeys();
    Lease next =
        story.asks("nlp", 8).at(Story.T + Time.HOUR, Story.T + Time.HOUR + Time.MINUTE).lease();
    assertThat(next.state()).isEqualTo(LeaseState.PLANNED);
    story.after(Time.HOUR + Time.MINUTE - Time.SECOND / 2);
    story.decide(Story.withdrawn(story.lease(holder.id())));
    assertThat(story.last(next.id()).state()).isEqualTo(LeaseState.ENDED);
    assertThat(story.last(next.id()).endCause()).isEqualTo("never-claimed");
  }

  @Test
  void l15AnExtensionNeverMovesTheLeaseAndSaysHowFarItCouldGo() {
    Story two = Story.of("h100", 8, 8);
    Lease lease = two.asks("vision", 0).groups(1, 8).lease();
    two.clusterObeys();
    UUID node = lease.booking().slots().getFirst().node();
    Ask after =
        two.asks("nlp", 0)
            .shape(onlyOn(node, two))
            .at(Story.T + 2 * Time.HOUR, Story.T + 3 * Time.HOUR)
            .ask();
    assertThat(two.ask(after).lease().state()).isEqualTo(LeaseState.PLANNED);
    Decision.Declined declined =
        (Decision.Declined) two.on(new Command.Extend(lease.id(), Story.T + 3 * Time.HOUR));
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.SHORTAGE);
    assertThat(declined.answer().blockedBy())
        .extracting(Answer.Blocker::lease)
        .containsExactly(after.lease());
    Ask offered = declined.answer().alternatives().getFirst().ask();
    long end = ((Ask.When.At) offered.when()).span().end();
    assertThat(two.on(new Command.Extend(lease.id(), end))).isInstanceOf(Decision.Done.class);
    assertThat(two.lease(lease.id()).booking().slots()).isEqualTo(lease.booking().slots());
  }

  @Test
  void anExtensionThatIsRefusedOffersAnotherLeaseForTheTimeAfter() {
    Story two = Story.of("h100", 8, 8);
    Lease lease = two.asks("vision", 0).groups(1, 8).lease();
    UUID node = lease.booking().slots().getFirst().node();
    two.asks("nlp", 0)
        .shape(onlyOn(node, two))
        .at(Story.T + Time.HOUR + 2 * Time.MINUTE, Story.T + 3 * Time.HOUR)
        .lease();
    Decision.Declined declined =
        (Decision.Declined) two.on(new Command.Extend(lease.id(), Story.T + 2 * Time.HOUR));
    assertThat(declined.answer().alternatives())
        .extracting(Answer.Alternative::kind)
        .containsExactly("shorter", "another-lease");
    Ask another = declined.answer().alternatives().getLast().ask();
    assertThat(another.when())
        .isEqualTo(new Ask.When.At(new Span(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR)));
  }

  @Test
  void anExtensionOverALimitOffersTheEndThatKeepsIt() {
    Story two = Story.of("h100", 8);
    two.facts(
        new Move.ContractSet(two.contract("acme", 8, 0)),
        new Move.ContractSet(
            two.contract("vision", "h100", 4, 0, new Span(Story.T - 1, Story.T + 2 * Time.HOUR))));
    Lease lease = two.asks("vision", 4).lease();
    two.facts(
        new Move.ContractSet(
            two.contract("vision", "h100", 0, 0, new Span(Story.T, Story.T + 9 * Time.HOUR))));
    Decision.Declined declined =
        (Decision.Declined) two.on(new Command.Extend(lease.id(), Story.T + 3 * Time.HOUR));
    assertThat(declined.answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("borrowing-limit");
    Ask.When until = declined.answer().alternatives().getFirst().ask().when();
    assertThat(((Ask.When.At) until).span().end()).isEqualTo(Story.T + 2 * Time.HOUR);
  }

  @Test
  void l39TheWholeLengthCountsHoweverManyStepsItIsExtendedIn() {
    story.facts(
        new Move.ClassSet(
            new ServiceClass(
                "brief", 100, false, true, false, 0, 0, 0, 0, Time.HOUR, 3 * Time.HOUR, Time.DAY)));
    Lease lease = story.asks("vision", 1).of("brief").lasting(Time.HOUR).lease();
    for (int hours = 2; hours <= 3; hours++) {
      assertThat(story.on(new Command.Extend(lease.id(), Story.T + hours * Time.HOUR)))
          .isInstanceOf(Decision.Done.class);
    }
    story.after(Time.HOUR);
    Decision.Declined declined =
        (Decision.Declined) story.on(new Command.Extend(lease.id(), Story.T + 4 * Time.HOUR));
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.LIMIT);
    assertThat(declined.answer().reasons().getFirst().name()).isEqualTo("brief");
    assertThat(story.asks("vision", 1).of("brief").lasting(4 * Time.HOUR).lease().state())
        .isEqualTo(LeaseState.REFUSED);
  }

  private static Shape onlyOn(UUID node, Story story) {
    List<UUID> others =
        story.book.nodes().stream().map(Node::id).filter(id -> !id.equals(node)).toList();
    return new Shape(
        List.of(),
        0,
        1,
        8,
        Shape.Slice.WHOLE,
        0,
        0,
        List.of(),
        new Shape.Where(List.of(), List.of(), others, List.of()));
  }

  @Test
  void l16AnExtensionPastTheLongestDurationChargesNothing() {
    Lease lease = story.asks("vision", 8).lease();
    Decision.Declined declined =
        (Decision.Declined) story.on(new Command.Extend(lease.id(), Story.T + 400 * Time.DAY));
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.LIMIT);
    assertThat(story.lease(lease.id())).isEqualTo(lease);
    assertThat(story.book.usage().of("vision", "h100").at(Story.T + 2 * Time.HOUR)).isZero();
  }

  @Test
  void l19AndE3ACancelledPublishFreesItsDevicesOnce() {
    Lease lease = story.asks("vision", 8).lease();
    story.decide(new Command.Cancel(lease.id()));
    story.decide(Story.usable(lease));
    assertThat(story.state(lease.id())).isEqualTo(LeaseState.ENDING);
    Lease ending = story.lease(lease.id());
    story.decide(Story.withdrawn(ending), Story.withdrawn(ending));
    assertThat(story.last(lease.id()).state()).isEqualTo(LeaseState.CANCELLED);
    assertThat(story.asks("nlp", 8).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void l26AndS60OnlyTheLeaseOnTheLostDeviceIsDegraded() {
    Lease lost = story.asks("vision", 4).lease();
    Lease other = story.asks("vision", 4).lease();
    story.clusterObeys();
    long active = story.lease(lost.id()).activeAt();
    int gpu = Long.numberOfTrailingZeros(lost.booking().slots().getFirst().units().gpus());
    Decision.Changed changed = (Decision.Changed) story.breakGpu(0, gpu);
    assertThat(changed.affected()).extracting(Decision.Affected::lease).containsExactly(lost.id());
    assertThat(story.lease(lost.id()).degraded()).isTrue();
    assertThat(story.lease(other.id()).degraded()).isFalse();
    story.setHealth(0, gpu, Health.OK);
    assertThat(story.lease(lost.id()).degraded()).isFalse();
    assertThat(story.lease(lost.id()).activeAt()).isEqualTo(active);
  }

  @Test
  void l27APlannedLeaseIsBoundElsewhereWhenItsNodeFails() {
    Story two = Story.of("h100", 8, 8);
    long start = Story.T + Time.HOUR;
    Lease planned = two.asks("vision", 0).groups(1, 8).at(start, start + Time.HOUR).lease();
    int ordinal = two.book.node(planned.booking().slots().getFirst().node()).ordinal();
    Decision.Changed changed = (Decision.Changed) two.breakGpu(ordinal, 3);
    assertThat(changed.affected())
        .containsExactly(
            new Decision.Affected(planned.id(), "vision", Decision.Affected.Outcome.MOVED));
    assertThat(two.lease(planned.id()).window()).isEqualTo(planned.window());
    two.breakGpu(1 - ordinal, 3);
    assertThat(two.state(planned.id())).isEqualTo(LeaseState.WAITING);
    assertThat(two.lease(planned.id()).sequence()).isEqualTo(planned.sequence());
  }

  @Test
  void l28ADrainingNodeGetsNothingNew() {
    story.on(new Command.Drain(List.of(new UUID(7, 0)), Story.T + Time.HOUR));
    assertThat(story.asks("vision", 1).lease().state()).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void whoIsStillThereWhenADrainIsDueIsDegradedAndNotEnded() {
    Lease stays = story.asks("vision", 4).lasting(2 * Time.HOUR).lease();
    Lease leaves = story.asks("vision", 4).lasting(Time.HOUR / 2).lease();
    story.clusterObeys();
    long deadline = Story.T + Time.HOUR;
    story.on(new Command.Drain(List.of(new UUID(7, 0)), deadline));
    assertThat(story.lease(stays.id()).degraded()).isFalse();
    story.after(Time.HOUR / 2);
    story.clusterObeys();
    assertThat(story.state(leaves.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.book.nextDue()).isEqualTo(deadline);
    assertThat(causes(story.after(Time.HOUR / 2))).containsExactly("degraded");
    assertThat(story.lease(stays.id()).degraded()).isTrue();
    assertThat(story.state(stays.id())).isEqualTo(LeaseState.ACTIVE);
    story.setHealth(0, 0, Health.OK);
    assertThat(story.lease(stays.id()).degraded()).isTrue();
    story.on(new Command.Drain(List.of(new UUID(7, 0)), null));
    assertThat(story.lease(stays.id()).degraded()).isFalse();
  }

  @Test
  void aDrainThatIsTakenBackIsNotDue() {
    Lease stays = story.asks("vision", 4).lasting(2 * Time.HOUR).lease();
    story.on(new Command.Drain(List.of(new UUID(7, 0)), Story.T + Time.HOUR));
    story.on(new Command.Drain(List.of(new UUID(7, 0)), null));
    assertThat(story.book.nextDue()).isEqualTo(Story.T + 2 * Time.HOUR);
    assertThat(story.after(Time.HOUR).moves()).isEmpty();
    assertThat(story.lease(stays.id()).degraded()).isFalse();
  }

  @Test
  void aDoubtfulDeviceIsANewRevisionOfTheLeasesOnIt() {
    Lease lease = story.asks("vision", 4).lease();
    Lease other = story.asks("vision", 4).lease();
    int gpu = Long.numberOfTrailingZeros(lease.booking().slots().getFirst().units().gpus());
    Decision.Changed changed = (Decision.Changed) story.setHealth(0, gpu, Health.SUSPECT);
    assertThat(causes(story.batches.getLast())).containsExactly("health-changed");
    assertThat(changed.affected()).isEmpty();
    Lease now = story.lease(lease.id());
    assertThat(now.revision()).isEqualTo(lease.revision() + 1);
    assertThat(now.generation()).isEqualTo(lease.generation());
    assertThat(now.degraded()).isFalse();
    assertThat(story.lease(other.id())).isEqualTo(other);
    story.decide(new Command.Release(lease.id()));
    story.setHealth(0, gpu, Health.BROKEN);
    assertThat(causes(story.batches.getLast())).containsExactly("health-changed");
  }

  private static List<String> causes(Batch batch) {
    return batch.moves().stream()
        .filter(Move.LeaseMoved.class::isInstance)
        .map(move -> ((Move.LeaseMoved) move).cause())
        .toList();
  }

  @Test
  void l30APausedClusterEndsNothingAndGetsNothingNew() {
    Lease lease = story.asks("vision", 4).lease();
    story.on(new Command.SetCluster("east", true));
    assertThat(story.state(lease.id())).isEqualTo(LeaseState.ALLOCATED);
    Lease waiting = story.asks("vision", 4).lease();
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    story.on(new Command.SetCluster("east", false));
    assertThat(story.state(waiting.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s2OneModelsHeadBlocksNoOther() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)));
    story.facts(new Move.NodeSet(story.node("a100", 4)));
    story.asks("vision", 0).shape(Story.AskMaker.whole(8, "h100")).lease();
    story.asks("vision", 0).shape(Story.AskMaker.whole(8, "h100")).lease();
    assertThat(story.asks("vision", 0).shape(Story.AskMaker.whole(4, "a100")).lease().state())
        .isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s3TheOneThatFitsStartsInTheSameBatchBehindThousandsThatDoNot() {
    story.asks("vision", 7).lasting(20 * Time.HOUR).lease();
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      commands.add(new Command.Create(story.asks("vision", 8).lasting(Time.HOUR + i % 7).ask()));
    }
    Ask fits = story.asks("nlp", 1).lasting(Time.HOUR).ask();
    commands.add(new Command.Create(fits));
    story.decide(commands.toArray(Command[]::new));
    assertThat(story.state(fits.lease())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s4NewsThatChangesNothingWakesNobody() {
    Lease holder = story.asks("vision", 8).lease();
    story.clusterObeys();
    story.asks("nlp", 8).lease();
    assertThat(story.book.memory().isQuiet()).isTrue();
    Batch batch =
        story.decide(
            Story.usable(story.lease(holder.id())),
            new Command.SetNodes(List.copyOf(story.book.nodes()), Command.Shrink.DEGRADE));
    assertThat(batch.moves()).isEmpty();
    assertThat(story.book.memory().isQuiet()).isTrue();
  }

  @Test
  void s19AFullModelIsSkippedForOneThatFits() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 40_960, 0, 0, List.of(), 0)));
    story.facts(new Move.NodeSet(story.node("a100", 8)));
    story.asks("vision", 0).shape(Story.AskMaker.whole(8, "h100")).lease();
    Lease lease = story.asks("nlp", 0).shape(Story.AskMaker.whole(8, "h100", "a100")).lease();
    assertThat(lease.booking().model()).isEqualTo("a100");
  }

  @Test
  void s32ANegativeAmountIsNoCredit() {
    story.facts(new Move.ContractSet(story.contract("vision", 4, 0)));
    Decision negative = story.on(new Command.Create(story.asks("vision", -4).ask()));
    assertThat(((Decision.Decided) negative).answer().verdict()).isEqualTo(Verdict.REFUSED);
    Decision both =
        story.on(
            new Command.CreateAtomic(
                List.of(story.asks("vision", -4).ask(), story.asks("vision", 8).ask())));
    assertThat(both)
        .isInstanceOfSatisfying(
            Decision.DecidedAtomic.class, atomic -> assertThat(atomic.kept()).isFalse());
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isZero();
    Lease lease = story.asks("vision", 4).lease();
    assertThat(story.on(new Command.Resize(lease.id(), -4, List.of())))
        .isInstanceOf(Decision.Declined.class);
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(4_000);
  }

  @Test
  void s33AndE1EachDecisionSeesThoseBeforeIt() {
    story.facts(new Move.ContractSet(story.contract("acme", 4, 0)));
    Batch batch =
        story.decide(
            new Command.Create(story.asks("vision", 4).ask()),
            new Command.Create(story.asks("nlp", 4).ask()));
    assertThat(batch.decisions())
        .extracting(decision -> ((Decision.Decided) decision).answer().verdict())
        .containsExactly(Verdict.ADMITTED, Verdict.WAITING);
  }

  @Test
  void s47AnIdIsTakenOnceInABatchAndAfterwards() {
    Ask ask = story.asks("vision", 1).ask();
    Batch batch = story.decide(new Command.Create(ask), new Command.Create(ask));
    assertThat(batch.decisions().get(0)).isInstanceOf(Decision.Decided.class);
    assertThat(((Decision.Declined) batch.decisions().get(1)).why())
        .isEqualTo(Decision.Declined.Why.ID_TAKEN);
    assertThat(((Decision.Declined) story.on(new Command.Create(ask))).why())
        .isEqualTo(Decision.Declined.Why.ID_TAKEN);
  }

  @Test
  void s49AnAtomicBatchIsBookedWholeOrNotAtAll() {
    Decision.DecidedAtomic no =
        (Decision.DecidedAtomic)
            story.on(
                new Command.CreateAtomic(
                    List.of(story.asks("vision", 4).ask(), story.asks("vision", 5).ask())));
    assertThat(no.kept()).isFalse();
    assertThat(story.book.leases()).isEmpty();
    Decision.DecidedAtomic yes =
        (Decision.DecidedAtomic)
            story.on(
                new Command.CreateAtomic(
                    List.of(story.asks("vision", 4).ask(), story.asks("vision", 4).ask())));
    assertThat(yes.kept()).isTrue();
  }

  @Test
  void s54SaysThatNoNodeIsWholeInsteadOfTryingForEver() {
    Story two = Story.of("h100", 8, 8);
    two.breakGpu(0, 1);
    two.breakGpu(1, 6);
    Decision.Decided decided = two.asks("vision", 0).groups(1, 8).decided();
    assertThat(decided.answer().verdict()).isEqualTo(Verdict.WAITING);
    assertThat(decided.answer().reasons())
        .singleElement()
        .satisfies(reason -> assertThat(reason.need()).isEqualTo(8));
    assertThat(two.after(Time.HOUR).moves()).isEmpty();
    two.setHealth(1, 6, Health.OK);
    assertThat(two.state(decided.lease().id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s56WhatIsDisplacedAgainAndAgainIsToldNoLongerStory() {
    story.withoutPreemption();
    story.asks("nlp", 8).lasting(10 * Time.HOUR).lease();
    Lease waiting = story.asks("vision", 8).lease();
    Answer first = Engine.explain(story.book, waiting.id(), story.now);
    for (int n = 0; n < 5; n++) {
      Lease urgent = story.asks("nlp", 8).of("realtime").lease();
      assertThat(story.lease(waiting.id()).earmark()).isNull();
      story.decide(new Command.Cancel(urgent.id()));
      assertThat(story.lease(waiting.id()).earmark().cause()).hasSizeLessThan(20);
    }
    Answer last = Engine.explain(story.book, waiting.id(), story.now);
    assertThat(last.reasons()).isEqualTo(first.reasons());
    assertThat(last.blockedBy()).isEqualTo(first.blockedBy());
  }

  @Test
  void s57TheAnswerDoesNotDependOnTheOrderInWhichNodesCame() {
    List<List<Integer>> orders =
        List.of(
            List.of(0, 1, 2),
            List.of(0, 2, 1),
            List.of(1, 0, 2),
            List.of(1, 2, 0),
            List.of(2, 0, 1),
            List.of(2, 1, 0));
    List<Node> nodes = List.of(story.node("h100", 4), story.node("h100", 8), story.node("h100", 2));
    List<String> told = new ArrayList<>();
    for (List<Integer> order : orders) {
      Story any = Story.of("h100");
      order.forEach(each -> any.facts(new Move.NodeSet(nodes.get(each))));
      StringBuilder answers = new StringBuilder();
      for (int gpus : new int[] {9, 8, 8, 3, 4}) {
        Decision.Decided decided = any.asks("vision", 0).groups(1, gpus).decided();
        answers.append(decided.lease().booking()).append(decided.answer()).append('\n');
      }
      told.add(answers.toString());
    }
    assertThat(told).allSatisfy(each -> assertThat(each).isEqualTo(told.getFirst()));
    assertThat(told.getFirst()).contains("NEVER", "ADMITTED", "WAITING");
  }

  @Test
  void s59EqualRequestsOfTwoTenantsHaveEachTheirOwnPlace() {
    story.asks("acme", 8).lease();
    List<UUID> inOrder = new ArrayList<>();
    for (String tenant : List.of("vision", "nlp", "vision", "nlp")) {
      inOrder.add(story.asks(tenant, 8).lease().id());
    }
    List<Place> places = Engine.queue(story.book, story.now);
    assertThat(places).extracting(Place::position).containsExactly(1, 2, 3, 4);
    assertThat(places).extracting(Place::lease).containsExactlyElementsOf(inOrder);
    assertThat(places).extracting(Place::tenant).containsExactly("vision", "nlp", "vision", "nlp");
    story.decide(new Command.Cancel(inOrder.get(0)));
    assertThat(Engine.queue(story.book, story.now))
        .extracting(Place::lease)
        .containsExactlyElementsOf(inOrder.subList(1, 4));
  }

  @Test
  void s58ReasonsOfTheWaitAreGoneOnceItStarts() {
    Lease holder = story.asks("vision", 8).lease();
    Lease waiting = story.asks("nlp", 8).lease();
    story.decide(new Command.Release(holder.id()));
    story.clusterObeys();
    Batch.Reasoned last = story.batches.getLast().answers().getLast();
    assertThat(last.lease()).isEqualTo(waiting.id());
    assertThat(last.answer().verdict()).isEqualTo(Verdict.ADMITTED);
    assertThat(last.answer().reasons()).isEmpty();
  }

  @Test
  void e9ItIsNotPublishedWhileAnotherHasItsDevices() {
    Lease first = story.asks("vision", 8).at(Story.T, Story.T + Time.HOUR).lease();
    story.clusterObeys();
    long start = Story.T + Time.HOUR + 90 * Time.SECOND;
    Lease next = story.asks("nlp", 8).at(start, start + Time.HOUR).lease();
    story.after(Time.HOUR + 10 * Time.MINUTE);
    assertThat(story.lease(next.id()).delayedBy()).isEqualTo(first.id());
    assertThat(story.state(next.id())).isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void e13AbsurdCountsAreRefusedAndBreakNothing() {
    for (int count : new int[] {-1, Integer.MIN_VALUE, 1_000_001, Integer.MAX_VALUE}) {
      assertThat(story.asks("vision", count).decided().answer().verdict())
          .isEqualTo(Verdict.REFUSED);
    }
    assertThat(story.asks("vision", 0).groups(1_000_000, 1_000_000).decided().answer().verdict())
        .isEqualTo(Verdict.REFUSED);
    assertThat(story.book.leases()).isEmpty();
  }

  @Test
  void aWaitThatIsOverIsRefused() {
    story.asks("vision", 8).lease();
    Lease waiting = story.asks("nlp", 8).waitingUntil(Story.T + Time.MINUTE).lease();
    story.after(Time.MINUTE);
    assertThat(story.last(waiting.id()).state()).isEqualTo(LeaseState.REFUSED);
    assertThat(story.last(waiting.id()).endCause()).isEqualTo("wait-expired");
  }

  @Test
  void whatComesAfterOthersWaitsUntilTheyAreOver() {
    Lease first = story.asks("vision", 1).lease();
    Lease second = story.asks("vision", 1).after(first.id()).lease();
    assertThat(second.state()).isEqualTo(LeaseState.WAITING);
    story.decide(new Command.Release(first.id()));
    assertThat(story.state(second.id())).isEqualTo(LeaseState.WAITING);
    story.clusterObeys();
    assertThat(story.state(second.id())).isEqualTo(LeaseState.ALLOCATED);
  }
}
