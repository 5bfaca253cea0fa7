package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who ends for whom, and what each of them is told. */
class PreemptionTest {

  static final long WIND_DOWN = 90 * Time.SECOND;

  private final Story story = Story.of("h100", 8);

  static void contracts(Story story, int vision, int nlp) {
    story.facts(
        new Move.ContractSet(story.contract("acme", vision + nlp, null)),
        new Move.ContractSet(story.contract("vision", vision, null)),
        new Move.ContractSet(story.contract("nlp", nlp, null)));
  }

  /** Those that were ended, or told that they will be, in the order of the moves. */
  static List<UUID> victims(Batch batch) {
    return batch.moves().stream()
        .filter(Move.LeaseMoved.class::isInstance)
        .map(Move.LeaseMoved.class::cast)
        .filter(moved -> moved.cause().equals("preempted") || moved.cause().equals("noticed"))
        .map(moved -> moved.after().id())
        .toList();
  }

  private List<UUID> victims() {
    return victims(story.batches.getLast());
  }

  @Test
  void aHigherClassIsPlannedForWhenItsVictimIsGone() {
    Lease victim = story.asks("vision", 8).lease();
    story.clusterObeys();
    Decision.Decided decided = story.asks("vision", 8).of("realtime").decided();
    assertThat(decided.answer().verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(decided.answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("preempting");
    assertThat(decided.answer().blockedBy())
        .containsExactly(new Answer.Blocker(victim.id(), "vision", 8_000, Story.T + WIND_DOWN));
    assertThat(decided.lease().window().start()).isEqualTo(Story.T + WIND_DOWN);
    Lease ending = story.lease(victim.id());
    assertThat(ending.state()).isEqualTo(LeaseState.ENDING);
    assertThat(ending.endCause()).isEqualTo("preempted");
    assertThat(ending.withdrawDue()).isEqualTo(Story.T + WIND_DOWN);
  }

  @Test
  void nobodyWhoRunsEndsWhereWhatIsBeingWithdrawnWillDo() {
    Story two = Story.of("h100", 2);
    Lease goes = two.asks("vision", 1).lease();
    Lease stays = two.asks("vision", 1).lasting(8 * Time.HOUR).lease();
    two.clusterObeys();
    two.decide(new Command.Release(goes.id()));
    Lease planned = two.asks("vision", 1).at(two.now + Time.HOUR, two.now + 9 * Time.HOUR).lease();
    assertThat(planned.state()).isEqualTo(LeaseState.PLANNED);
    Lease urgent = two.asks("vision", 1).of("realtime").lasting(4 * Time.HOUR).lease();
    assertThat(urgent.window().start()).isEqualTo(two.now + WIND_DOWN);
    assertThat(two.state(planned.id())).isEqualTo(LeaseState.ENDED);
    assertThat(two.state(stays.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void theStartIsAWholeSecondAfterTheLastVictimIsGone() {
    story.asks("vision", 8).lease();
    story.now += 1;
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    assertThat(urgent.window().start()).isEqualTo(Story.T + WIND_DOWN + Time.SECOND);
  }

  @Test
  void devicesThatAreGivenUpWithoutGraceAreWithdrawnAllTheSame() {
    story.facts(
        new Move.ClassSet(withoutGrace("job", 100)),
        new Move.ClassSet(withoutGrace("urgent", 900)));
    Lease victim = story.asks("vision", 8).of("job").lease();
    Lease urgent = story.asks("vision", 8).of("urgent").lease();
    assertThat(victims()).containsExactly(victim.id());
    assertThat(urgent.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(urgent.window().start()).isEqualTo(Story.T + Time.SECOND);
  }

  @Test
  void theVictimIsToldByWhatRightAndWhatItsTenantHasThen() {
    Lease victim = story.asks("vision", 8).lease();
    story.asks("vision", 8).of("realtime").lease();
    Answer told = answer(victim.id());
    assertThat(told.reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("preempted", "share");
    assertThat(told.reasons().getFirst())
        .satisfies(
            right -> {
              assertThat(right.need()).isEqualTo(1000);
              assertThat(right.used()).isEqualTo(100);
            });
    assertThat(told.reasons().getLast())
        .satisfies(
            share -> {
              assertThat(share.used()).isEqualTo(8);
              assertThat(share.need()).isZero();
              assertThat(share.name()).isEqualTo("vision");
            });
  }

  private static ServiceClass withoutGrace(String slug, int priority) {
    return new ServiceClass(
        slug, priority, true, true, false, 0, 0, 0, 0, Time.DAY, Time.DAY, Time.DAY);
  }

  private Answer answer(UUID lease) {
    return story.batches.getLast().answers().stream()
        .filter(each -> each.lease().equals(lease))
        .map(Batch.Reasoned::answer)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void itStartsAsSoonAsTheLastVictimHasLetGo() {
    Story two = Story.of("h100", 4, 4);
    Lease first = two.asks("vision", 4).lease();
    Lease last = two.asks("vision", 4).lease();
    two.clusterObeys();
    Lease urgent = two.asks("vision", 8).of("realtime").lease();
    two.now += 5 * Time.SECOND;
    two.decide(Story.withdrawn(two.lease(first.id())));
    assertThat(two.state(urgent.id())).isEqualTo(LeaseState.PLANNED);
    two.now += 5 * Time.SECOND;
    two.decide(Story.withdrawn(two.lease(last.id())));
    Lease started = two.lease(urgent.id());
    assertThat(started.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(started.window()).isEqualTo(new Span(two.now, two.now + Time.HOUR));
  }

  @Test
  void itStartsEarlyOnlyInsideItsLimits() {
    Story two = Story.of("h100", 8, 8);
    contracts(two, 8, 4);
    two.asks("nlp", 4).lease();
    two.asks("vision", 4).of("realtime").lasting(Time.MINUTE).lease();
    Lease victim = two.asks("nlp", 8).lease();
    two.clusterObeys();
    Lease urgent = two.asks("vision", 8).of("realtime").lease();
    assertThat(victims(two.batches.getLast())).containsExactly(victim.id());
    two.now += 10 * Time.SECOND;
    two.decide(Story.withdrawn(two.lease(victim.id())));
    assertThat(two.lease(urgent.id())).isEqualTo(urgent);
    two.after(WIND_DOWN);
    assertThat(two.state(urgent.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aVictimThatHoldsOnDelaysTheStartAndNotTheWindow() {
    Lease victim = story.asks("vision", 8).lease();
    story.clusterObeys();
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    story.after(WIND_DOWN + Time.SECOND);
    Lease delayed = story.lease(urgent.id());
    assertThat(delayed.delayedBy()).isEqualTo(victim.id());
    assertThat(delayed.window()).isEqualTo(urgent.window());
    story.decide(Story.withdrawn(story.lease(victim.id())));
    assertThat(story.state(urgent.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void devicesThatAreOverdueAreNoRoomToWaitFor() {
    Story two = Story.of("h100", 8, 8);
    Lease stuck = two.asks("vision", 8).lasting(Time.MINUTE).lease();
    Lease victim = two.asks("vision", 8).lease();
    two.decide(Story.usable(two.lease(stuck.id())), Story.usable(two.lease(victim.id())));
    two.after(Time.MINUTE + WIND_DOWN + Time.SECOND);
    assertThat(two.state(stuck.id())).isEqualTo(LeaseState.ENDING);
    Lease urgent = two.asks("vision", 8).of("realtime").lease();
    assertThat(urgent.booking().slots().getFirst().node())
        .isEqualTo(victim.booking().slots().getFirst().node());
    assertThat(two.state(victim.id())).isEqualTo(LeaseState.ENDING);
  }

  @Test
  void whatIsFreeByItselfAsSoonIsWaitedFor() {
    story.asks("vision", 4).lasting(Time.MINUTE).lease();
    Lease runs = story.asks("vision", 4).lease();
    story.clusterObeys();
    story.after(Time.MINUTE + Time.SECOND);
    Lease urgent = story.asks("vision", 4).of("realtime").lease();
    assertThat(victims()).isEmpty();
    assertThat(urgent.earmark().start()).isEqualTo(Story.T + Time.MINUTE + WIND_DOWN);
    assertThat(story.state(runs.id())).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void anEqualClassTakesNothing() {
    Lease victim = story.asks("vision", 8).lease();
    assertThat(story.asks("vision", 8).lease().state()).isEqualTo(LeaseState.WAITING);
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aClassThatMayNotPreemptTakesNothing() {
    story.facts(new Move.ClassSet(Story.serviceClass("urgent", 900, true, false)));
    story.asks("vision", 8).lease();
    assertThat(story.asks("vision", 8).of("urgent").lease().state()).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void whoMayNotBePreemptedIsNot() {
    story.asks("nlp", 8).of("realtime").lasting(Span.FOREVER).lease();
    story.facts(new Move.ClassSet(Story.serviceClass("top", 2000, false, true)));
    assertThat(story.asks("vision", 8).of("top").lease().state()).isEqualTo(LeaseState.WAITING);
    assertThat(victims()).isEmpty();
  }

  @Test
  void whatRunsWithoutEndIsTakenLikeAnythingElse() {
    story.facts(new Move.ClassSet(Story.serviceClass("open", 50, true, true)));
    Lease victim = story.asks("nlp", 8).of("open").lasting(Span.FOREVER).lease();
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    assertThat(urgent.window().start()).isEqualTo(Story.T + WIND_DOWN);
    assertThat(victims()).containsExactly(victim.id());
  }

  @Test
  void theCheapestGoesFirstThenTheLastToStart() {
    Lease dear = story.asks("vision", 2).costing(9).lease();
    Lease first = story.asks("vision", 2).costing(1).lease();
    story.now += Time.SECOND;
    Lease last = story.asks("vision", 2).costing(1).lease();
    Lease cheap = story.asks("vision", 2).lease();
    story.asks("vision", 2).of("realtime").lease();
    assertThat(victims()).containsExactly(cheap.id());
    story.asks("vision", 2).of("realtime").lease();
    assertThat(victims()).containsExactly(last.id());
    story.asks("vision", 2).of("realtime").lease();
    assertThat(victims()).containsExactly(first.id());
    assertThat(story.state(dear.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void theLowestClassGoesFirstWhateverItCosts() {
    story.facts(new Move.ClassSet(Story.serviceClass("opportunistic", 0, true, false)));
    Lease low = story.asks("vision", 4).of("opportunistic").costing(1000).lease();
    Lease batch = story.asks("vision", 4).lease();
    story.asks("vision", 4).of("realtime").lease();
    assertThat(victims()).containsExactly(low.id());
    assertThat(story.state(batch.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void whatHasNotBegunIsBoundElsewhereBeforeAnythingIsEnded() {
    Story two = Story.of("h100", 4, 4);
    Lease planned = two.asks("vision", 4).at(two.now + Time.HOUR, two.now + 2 * Time.HOUR).lease();
    Lease blocker = two.asks("nlp", 4).of("realtime").lasting(30 * Time.MINUTE).lease();
    assertThat(blocker.booking().slots()).isNotEmpty();
    Lease urgent = two.asks("nlp", 4).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.ALLOCATED);
    Lease rebound = two.lease(planned.id());
    assertThat(rebound.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(rebound.window()).isEqualTo(planned.window());
    assertThat(victims(two.batches.getLast())).isEmpty();
  }

  @Test
  void whatHasNotBegunEndsForWhoNeedsItsDevices() {
    Lease planned =
        story.asks("vision", 8).at(story.now + Time.HOUR, story.now + 2 * Time.HOUR).lease();
    Decision.Decided urgent = story.asks("nlp", 8).of("realtime").lasting(3 * Time.HOUR).decided();
    assertThat(urgent.answer().verdict()).isEqualTo(Verdict.ADMITTED);
    assertThat(story.state(planned.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.last(planned.id()).endCause()).isEqualTo("preempted");
  }

  @Test
  void forALaterStartAVictimRunsUntilItsDevicesAreNeeded() {
    Lease victim = story.asks("vision", 8).lasting(10 * Time.HOUR).lease();
    long start = story.now + 5 * Time.HOUR;
    Lease urgent = story.asks("vision", 8).of("realtime").at(start, start + Time.HOUR).lease();
    assertThat(urgent.window().start()).isEqualTo(start);
    Lease noticed = story.lease(victim.id());
    assertThat(noticed.notice())
        .isEqualTo(
            new Lease.Notice("preempted", start - WIND_DOWN, urgent.id(), victim.window().end()));
    assertThat(noticed.window().end()).isEqualTo(start - WIND_DOWN);
    story.clusterObeys();
    story.after(start - WIND_DOWN - story.now);
    assertThat(story.lease(victim.id()).endCause()).isEqualTo("preempted");
    story.clusterObeys();
    story.after(WIND_DOWN);
    assertThat(story.state(urgent.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aClassWithNoticeIsToldAndRunsOn() {
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(new Move.ClassSet(Story.noticed(5 * Time.MINUTE, null, batch)));
    Lease victim = story.asks("vision", 8).lease();
    story.clusterObeys();
    Lease urgent = story.asks("vision", 8).of("realtime").lease();
    Lease noticed = story.lease(victim.id());
    assertThat(noticed.state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(noticed.notice())
        .isEqualTo(
            new Lease.Notice(
                "preempted", Story.T + 5 * Time.MINUTE, urgent.id(), victim.window().end()));
    assertThat(urgent.window().start()).isEqualTo(Story.T + 5 * Time.MINUTE + WIND_DOWN);
    assertThat(story.on(new Command.Extend(victim.id(), Story.T + 2 * Time.HOUR)))
        .isInstanceOf(Decision.Declined.class);
    story.after(5 * Time.MINUTE);
    assertThat(story.lease(victim.id()).endCause()).isEqualTo("preempted");
  }

  @Test
  void nobodyIsTakenTwice() {
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(new Move.ClassSet(Story.noticed(5 * Time.MINUTE, null, batch)));
    story.asks("vision", 8).lease();
    story.asks("vision", 4).of("realtime").lease();
    story.asks("vision", 4).of("realtime").lease();
    assertThat(victims()).isEmpty();
    story.asks("vision", 4).of("realtime").lease();
    assertThat(victims()).isEmpty();
  }

  @Test
  void aClassRunsForAWhileFirstAndWhoWaitsIsServedThen() {
    story.facts(
        new Move.ClassSet(Story.runningFor(10 * Time.MINUTE, story.book.serviceClass("batch"))));
    Lease victim = story.asks("vision", 8).lasting(5 * Time.HOUR).lease();
    story.clusterObeys();
    Decision.Decided urgent = story.asks("vision", 8).of("realtime").decided();
    assertThat(urgent.answer().verdict()).isEqualTo(Verdict.WAITING);
    assertThat(urgent.answer().reasons())
        .anySatisfy(reason -> assertThat(reason.detail()).contains("8 have not run for as long"));
    assertThat(victims(story.after(10 * Time.MINUTE - 1))).isEmpty();
    assertThat(victims(story.after(1))).containsExactly(victim.id());
    assertThat(story.state(urgent.lease().id())).isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void aBudgetSparesATenantForAWhile() {
    Disruption once = new Disruption(1, Time.HOUR, List.of());
    story.facts(new Move.ClassSet(Story.noticed(0, once, story.book.serviceClass("batch"))));
    story.asks("vision", 4).lasting(5 * Time.HOUR).lease();
    Lease spared = story.asks("vision", 4).lasting(5 * Time.HOUR).lease();
    story.clusterObeys();
    story.asks("nlp", 4).of("realtime").lasting(9 * Time.HOUR).lease();
    assertThat(victims()).hasSize(1);
    Decision.Decided waiting = story.asks("nlp", 4).of("realtime").lasting(9 * Time.HOUR).decided();
    assertThat(waiting.answer().verdict()).isEqualTo(Verdict.WAITING);
    assertThat(waiting.answer().reasons())
        .anySatisfy(reason -> assertThat(reason.detail()).contains("4 are spared"));
    story.after(WIND_DOWN);
    story.clusterObeys();
    assertThat(victims(story.after(Time.HOUR - WIND_DOWN - 1))).isEmpty();
    assertThat(victims(story.after(1))).hasSize(1);
    assertThat(story.state(spared.id())).isEqualTo(LeaseState.ENDING);
  }

  @Test
  void aBudgetThatASetOfVictimsWouldBreakIsKept() {
    Disruption once = new Disruption(1, Time.HOUR, List.of());
    story.facts(new Move.ClassSet(Story.noticed(0, once, story.book.serviceClass("batch"))));
    story.asks("vision", 4).lasting(5 * Time.HOUR).lease();
    story.asks("vision", 4).lasting(5 * Time.HOUR).lease();
    story.asks("nlp", 8).of("realtime").lease();
    assertThat(victims()).isEmpty();
  }

  @Test
  void nobodyEndsInQuietHours() {
    int minute = (int) (Math.floorMod(Story.T / Time.SECOND, 86_400) / 60);
    Disruption quiet =
        new Disruption(
            Disruption.ANY,
            Time.HOUR,
            List.of(new Disruption.Quiet(minute, (minute + 120) % 1440, "UTC")));
    story.facts(new Move.ClassSet(Story.noticed(0, quiet, story.book.serviceClass("batch"))));
    Lease victim = story.asks("vision", 8).lasting(9 * Time.HOUR).lease();
    Lease urgent = story.asks("nlp", 8).of("realtime").lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.WAITING);
    assertThat(victims(story.after(119 * Time.MINUTE))).isEmpty();
    assertThat(victims(story.after(Time.MINUTE))).containsExactly(victim.id());
  }

  @Test
  void aTenantInsideItsGuaranteeTakesWhatOthersBorrow() {
    contracts(story, 4, 4);
    Lease borrowed = story.asks("vision", 4).of("realtime").preemptible().lease();
    Lease more = story.asks("vision", 4).of("realtime").preemptible().lease();
    Lease guaranteed = story.asks("nlp", 4).lease();
    assertThat(guaranteed.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(victims()).hasSize(1).isSubsetOf(borrowed.id(), more.id());
    assertThat(answer(victims().getFirst()).reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("reclaimed", "share");
  }

  @Test
  void aHigherClassOutsideItsGuaranteeTakesNothingThatIsGuaranteed() {
    contracts(story, 4, 4);
    story.asks("vision", 4).lease();
    story.asks("nlp", 4).lease();
    Decision.Decided urgent = story.asks("nlp", 4).of("realtime").preemptible().decided();
    assertThat(urgent.answer().verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(story.batches.getLast().moves()).hasSize(2);
    assertThat(story.lease(victims().getFirst()).ask().tenant()).isEqualTo("nlp");
  }

  @Test
  void aTeamMakesRoomInItsOwnGuaranteeForItsHigherClass() {
    Story two = Story.of("h100", 8, 8);
    contracts(two, 8, 8);
    Lease own = two.asks("vision", 8).lease();
    Lease other = two.asks("nlp", 8).lease();
    Lease urgent = two.asks("vision", 8).of("realtime").lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(two.state(own.id())).isEqualTo(LeaseState.ENDING);
    assertThat(two.state(other.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aLimitAloneIsReasonEnoughToEndOnesOwn() {
    Story two = Story.of("h100", 8, 8, 8);
    contracts(two, 8, 8);
    Lease own = two.asks("vision", 8).lease();
    Lease urgent = two.asks("vision", 8).of("realtime").lease();
    assertThat(urgent.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(two.state(own.id())).isEqualTo(LeaseState.ENDING);
  }

  @Test
  void aDepartmentInsideItsGuaranteeIsSparedAsAWhole() {
    story.facts(
        new Move.TenantSet(new Tenant("labs", "acme", false)),
        new Move.TenantSet(new Tenant("audio", "labs", false)),
        new Move.TenantSet(new Tenant("video", "labs", false)));
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, null)),
        new Move.ContractSet(story.contract("labs", 6, null)),
        new Move.ContractSet(story.contract("audio", 2, null)),
        new Move.ContractSet(story.contract("nlp", 2, null)));
    story.asks("audio", 6).lease();
    story.asks("vision", 2).lease();
    Lease guaranteed = story.asks("nlp", 2).lease();
    assertThat(guaranteed.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(story.lease(victims().getFirst()).ask().tenant()).isEqualTo("vision");
  }

  @Test
  void nobodyEndsForWhatWouldBeOverByThen() {
    Lease victim = story.asks("vision", 8).lease();
    for (long length :
        new long[] {Time.SECOND, WIND_DOWN, WIND_DOWN + 1, WIND_DOWN + Time.SECOND}) {
      story.asks("nlp", 8).of("realtime").when(new Ask.When.NowUntil(story.now + length)).lease();
      assertThat(victims()).as("%s us", length).isEmpty();
      story.now++;
    }
    story.asks("nlp", 8).of("realtime").waitingUntil(story.now + WIND_DOWN - 1).lease();
    assertThat(victims()).isEmpty();
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ALLOCATED);
    story.after(Time.MINUTE);
    story.asks("nlp", 8).of("realtime").when(new Ask.When.NowUntil(story.now + Time.HOUR)).lease();
    assertThat(victims()).containsExactly(victim.id());
  }

  @Test
  void aDryRunEndsNobody() {
    story.asks("vision", 8).lease();
    String before = Dump.of(story.book);
    int mark = story.book.mark();
    Batch dry =
        Engine.decide(
            story.book,
            List.of(new Command.Create(story.asks("vision", 8).of("realtime").ask())),
            story.now);
    assertThat(victims(dry)).hasSize(1);
    story.book.undo(mark);
    assertThat(Dump.difference(Dump.of(story.book), before)).isEmpty();
  }

  @Test
  void allOrNothingEndsNobodyWhenItFails() {
    Lease victim = story.asks("vision", 8).lease();
    Ask fits = story.asks("vision", 8).of("realtime").ask();
    Ask fails = story.asks("vision", 8).of("realtime").orRefuse().ask();
    Decision.DecidedAtomic atomic =
        (Decision.DecidedAtomic) story.on(new Command.CreateAtomic(List.of(fits, fails)));
    assertThat(atomic.kept()).isFalse();
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ALLOCATED);
  }
}
