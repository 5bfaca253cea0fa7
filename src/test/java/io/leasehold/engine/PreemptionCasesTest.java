package io.leasehold.engine;

import static io.leasehold.engine.PreemptionTest.contracts;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What went wrong for others, where leases end for leases: S6 to S56 of the public reports. */
class PreemptionCasesTest {

  private static final long WIND_DOWN = 90 * Time.SECOND;

  private final Story story = Story.of("h100", 8);

  private List<UUID> victims() {
    return PreemptionTest.victims(story.batches.getLast());
  }

  private Set<UUID> allVictims(Story of) {
    List<UUID> all = new ArrayList<>();
    of.batches.forEach(batch -> all.addAll(PreemptionTest.victims(batch)));
    assertThat(all).as("each at most once").doesNotHaveDuplicates();
    return new HashSet<>(all);
  }

  @Test
  void s6WhatWasEndedDoesNotComeBackIntoTheRoomItLeft() {
    Lease low = story.asks("vision", 8).lease();
    story.clusterObeys();
    Lease high = story.asks("vision", 8).of("realtime").lease();
    Lease again = story.asks("vision", 8).lease();
    assertThat(again.state()).isEqualTo(LeaseState.WAITING);
    story.decide(Story.withdrawn(story.lease(low.id())));
    assertThat(story.state(high.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.state(again.id())).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void s7AnEqualTenantIsToldWhyNothingIsReclaimedForIt() {
    contracts(story, 8, 0);
    story.asks("vision", 8).lasting(90 * Time.HOUR).lease();
    Answer answer = story.asks("nlp", 4).decided().answer();
    assertThat(victims()).isEmpty();
    assertThat(answer.reasons())
        .filteredOn(reason -> reason.code().equals("no-preemption"))
        .singleElement()
        .satisfies(reason -> assertThat(reason.detail()).contains("its class takes from nobody"));
  }

  @Test
  void s9SmallOnesDoNotTakeTheRoomOfABigOne() {
    Story four = Story.of("h100", 2, 2, 2, 2);
    List<Lease> low = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      low.add(four.asks("vision", 2).lease());
    }
    four.clusterObeys();
    Lease big = four.asks("vision", 8).of("realtime").lease();
    for (Lease each : low) {
      four.now += 10 * Time.SECOND;
      four.decide(
          Story.withdrawn(four.lease(each.id())), new Command.Create(four.asks("nlp", 1).ask()));
    }
    assertThat(four.state(big.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s11BorrowersAndABestEffortTenantComeToRest() {
    Story fleet = Story.of("h100", 8, 8, 8, 8);
    contracts(fleet, 16, 16);
    for (int i = 0; i < 6; i++) {
      fleet.asks("vision", 4).lease();
    }
    fleet.facts(new Move.TenantSet(new Tenant("besteffort", "acme", false)));
    fleet.asks("besteffort", 4).lease();
    fleet.asks("besteffort", 4).lease();
    Lease more = fleet.asks("vision", 4).lease();
    assertThat(more.state()).isEqualTo(LeaseState.WAITING);
    for (int i = 0; i < 4; i++) {
      fleet.asks("nlp", 4).lease();
    }
    for (int i = 0; i < 20; i++) {
      fleet.after(WIND_DOWN);
      fleet.clusterObeys();
    }
    assertThat(allVictims(fleet)).hasSize(4);
    assertThat(fleet.book.usage().of("nlp", "h100").at(fleet.now)).isEqualTo(16_000);
    assertThat(fleet.book.usage().of("vision", "h100").at(fleet.now)).isEqualTo(16_000);
  }

  @Test
  void s12TenantsOfEqualGuaranteesDoNotFlap() {
    Story fleet = Story.of("h100", 8, 8);
    contracts(fleet, 8, 8);
    for (int i = 0; i < 8; i++) {
      fleet.asks("vision", 2).lasting(90 * Time.HOUR).lease();
    }
    for (int gpus : new int[] {6, 5, 4, 3}) {
      fleet.asks("nlp", gpus).lasting(90 * Time.HOUR).lease();
    }
    for (int i = 0; i < 40; i++) {
      fleet.after(WIND_DOWN);
      fleet.clusterObeys();
    }
    assertThat(allVictims(fleet)).hasSizeLessThanOrEqualTo(4);
    assertThat(fleet.book.usage().of("vision", "h100").at(fleet.now)).isGreaterThanOrEqualTo(8_000);
    assertThat(fleet.book.usage().of("nlp", "h100").at(fleet.now)).isGreaterThanOrEqualTo(6_000);
  }

  @Test
  void s13WhatComesFreeEarlyIsKeptForWhoWaitsForTheRest() {
    Story three = Story.of("h100", 2, 2, 2);
    List<Lease> low = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      low.add(three.asks("vision", 2).lease());
    }
    three.clusterObeys();
    Lease high = three.asks("nlp", 6).of("realtime").lease();
    long[] ends = {1, 30, 120};
    for (int i = 0; i < 3; i++) {
      three.after(Story.T + ends[i] * Time.SECOND - three.now);
      three.decide(Story.withdrawn(three.lease(low.get(i).id())));
      assertThat(three.asks("vision", 2).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
    }
    assertThat(three.state(high.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s14AHeroGetsItsWholeSetInOneDecision() {
    Story four = Story.of("h100", 8, 8);
    for (int i = 0; i < 4; i++) {
      four.asks("vision", 4).lease();
    }
    four.clusterObeys();
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      commands.add(new Command.Create(four.asks("vision", 4).of("realtime").ask()));
    }
    Ask hero = four.asks("nlp", 16).of("realtime").ask();
    commands.addFirst(new Command.Create(hero));
    four.decide(commands.toArray(Command[]::new));
    assertThat(allVictims(four)).hasSize(4);
    four.after(WIND_DOWN);
    four.clusterObeys();
    assertThat(four.state(hero.lease())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s15AVictimThatNeverLetsGoDelaysAndTheClaimMovesToOtherRoom() {
    Story two = Story.of("h100", 8, 8);
    Lease stuck = two.asks("vision", 8).lease();
    Lease other = two.asks("vision", 8).of("realtime").lasting(10 * Time.MINUTE).lease();
    two.clusterObeys();
    Lease high = two.asks("nlp", 8).of("realtime").lasting(3 * Time.HOUR).lease();
    two.after(WIND_DOWN + Time.SECOND);
    assertThat(two.lease(high.id()).delayedBy()).isEqualTo(stuck.id());
    two.decide(new Command.Release(other.id()));
    two.after(WIND_DOWN);
    two.decide(Story.withdrawn(two.lease(other.id())));
    Lease moved = two.lease(high.id());
    assertThat(moved.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(moved.booking().slots().getFirst().node())
        .isEqualTo(other.booking().slots().getFirst().node());
  }

  @Test
  void s16NobodyEndsWhereTheShapeStillWouldNotFit() {
    Story nodes = Story.of("h100", 8, 8, 8, 8);
    for (int i = 0; i < 4; i++) {
      nodes.asks("nlp", 0).groups(1, 7).of("realtime").lasting(9 * Time.HOUR).lease();
    }
    for (int i = 0; i < 4; i++) {
      nodes.asks("vision", 1).lease();
    }
    Lease whole = nodes.asks("vision", 0).groups(1, 8).of("realtime").lease();
    assertThat(whole.state()).isEqualTo(LeaseState.WAITING);
    assertThat(allVictims(nodes)).isEmpty();
  }

  @Test
  void s17TheSameVictimsAThousandTimes() {
    Story nodes = Story.of("h100", 8, 8);
    for (int i = 0; i < 16; i++) {
      nodes.asks("vision", 1).lease();
    }
    Ask ask = nodes.asks("nlp", 5).of("realtime").ask();
    Set<List<UUID>> sets = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      int mark = nodes.book.mark();
      sets.add(
          PreemptionTest.victims(
              Engine.decide(nodes.book, List.of(new Command.Create(ask)), nodes.now)));
      nodes.book.undo(mark);
    }
    assertThat(sets).hasSize(1);
    assertThat(sets.iterator().next()).hasSize(5);
  }

  @Test
  void s18ATenantOfNoWeightKeepsWhatItIsGuaranteed() {
    Contract.Entitlement weightless = new Contract.Entitlement("h100", 4, null, null, 0);
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, null)),
        new Move.ContractSet(story.contract("nlp", 4, null)),
        new Move.ContractSet(
            new Contract(
                new UUID(3, 77),
                "vision",
                new Span(Story.T - 1, Span.FOREVER),
                List.of(weightless))));
    story.asks("vision", 4).lease();
    story.asks("nlp", 4).lease();
    story.asks("nlp", 4).of("realtime").preemptible().lease();
    assertThat(victims()).hasSize(1);
    assertThat(story.book.usage().of("vision", "h100").at(story.now)).isEqualTo(4_000);
  }

  @Test
  void s19ALaterModelThatFitsIsTakenBeforeAnybodyEnds() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 81_920, 0, 0, List.of(), 0)));
    story.facts(new Move.NodeSet(story.node("a100", 8)));
    Lease low = story.asks("vision", 0).shape(Story.AskMaker.whole(8, "h100")).lease();
    Lease high =
        story.asks("nlp", 0).shape(Story.AskMaker.whole(8, "h100", "a100")).of("realtime").lease();
    assertThat(high.booking().model()).isEqualTo("a100");
    assertThat(story.state(low.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s21WhatATenantDoesNotLendIsNotTakenEither() {
    Story two = Story.of("h100", 8, 8);
    Contract.Entitlement kept = new Contract.Entitlement("h100", 8, null, 0, 1);
    two.facts(
        new Move.ContractSet(two.contract("acme", 16, null)),
        new Move.ContractSet(two.contract("vision", 8, null)),
        new Move.ContractSet(
            new Contract(
                new UUID(3, 78), "nlp", new Span(Story.T - 1, Span.FOREVER), List.of(kept))));
    Lease own = two.asks("vision", 8).lease();
    Lease more = two.asks("vision", 8).of("realtime").preemptible().lease();
    assertThat(two.state(own.id())).isIn(LeaseState.ENDING);
    assertThat(more.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(two.book.usage().of("vision", "h100").at(two.now + 2 * WIND_DOWN)).isEqualTo(8_000);
  }

  @Test
  void s22AnOwnerReclaimsThoughTheBorrowerMightBorrowElsewhere() {
    Story two = Story.of("h100", 8, 8);
    contracts(two, 4, 4);
    for (int i = 0; i < 4; i++) {
      two.asks("vision", 4).lease();
    }
    Lease owner = two.asks("nlp", 4).lease();
    assertThat(owner.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(allVictims(two)).hasSize(1);
  }

  @Test
  void s24AProtectedTenantThatComesFirstDoesNotEndTheSearch() {
    story.facts(
        new Move.TenantSet(new Tenant("aaa", "acme", false)),
        new Move.ContractSet(story.contract("acme", 8, null)),
        new Move.ContractSet(story.contract("aaa", 4, null)),
        new Move.ContractSet(story.contract("nlp", 4, null)));
    Lease protectedOne = story.asks("aaa", 4).lease();
    Lease over = story.asks("vision", 4).lease();
    assertThat(story.asks("nlp", 4).lease().state()).isEqualTo(LeaseState.PLANNED);
    assertThat(victims()).containsExactly(over.id());
    assertThat(story.state(protectedOne.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s25NobodyReclaimsWhereThatOnlySwapsRoles() {
    contracts(story, 3, 5);
    story.asks("vision", 4).lease();
    story.asks("nlp", 4).lease();
    assertThat(story.asks("nlp", 4).lease().state()).isEqualTo(LeaseState.WAITING);
    assertThat(story.asks("vision", 4).lease().state()).isEqualTo(LeaseState.WAITING);
    for (int i = 0; i < 10; i++) {
      assertThat(PreemptionTest.victims(story.after(Time.MINUTE))).isEmpty();
    }
  }

  @Test
  void s27ATrialThatFailsEndsNobody() {
    Story two = Story.of("h100", 8, 8);
    two.facts(new Move.ClassSet(Story.serviceClass("low", 0, true, false)));
    Lease tooSmall = two.asks("vision", 0).groups(1, 4).of("low").lease();
    two.asks("vision", 0).groups(1, 4).of("realtime").lasting(9 * Time.HOUR).lease();
    Lease enough = two.asks("vision", 0).groups(1, 8).lease();
    Lease high = two.asks("nlp", 0).groups(1, 8).of("realtime").lease();
    assertThat(high.state()).isEqualTo(LeaseState.PLANNED);
    assertThat(allVictims(two)).containsExactly(enough.id());
    assertThat(two.state(tooSmall.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s28JustAboveAGuaranteeNothingIsTakenThatGoesBelow() {
    contracts(story, 5, 3);
    Lease large = story.asks("vision", 6).lease();
    assertThat(story.asks("nlp", 3).lease().state()).isEqualTo(LeaseState.WAITING);
    assertThat(story.state(large.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s28WithoutAGuaranteeAnythingMayBeTaken() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, null)),
        new Move.ContractSet(story.contract("nlp", 8, null)));
    Lease none = story.asks("vision", 8).lease();
    assertThat(story.asks("nlp", 8).lease().state()).isEqualTo(LeaseState.PLANNED);
    assertThat(victims()).containsExactly(none.id());
  }

  @Test
  void s29AnOwnerGetsAllThatItIsGuaranteed() {
    Story fleet = Story.of("h100", 8, 8, 8);
    fleet.facts(
        new Move.ContractSet(fleet.contract("acme", 24, null)),
        new Move.ContractSet(fleet.contract("nlp", 8, null)));
    for (int i = 0; i < 24; i++) {
      fleet.asks("vision", 1).lease();
    }
    for (int i = 0; i < 4; i++) {
      assertThat(fleet.asks("nlp", 2).lease().state()).isEqualTo(LeaseState.PLANNED);
    }
    assertThat(allVictims(fleet)).hasSize(8);
    assertThat(fleet.asks("nlp", 1).lease().state()).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void s30ABudgetIsKeptAndThenTheLowestClassEnds() {
    story.facts(
        new Move.ClassSet(
            Story.noticed(
                0,
                new Disruption(0, Time.HOUR, List.of()),
                Story.serviceClass("spared", 0, true, false))),
        new Move.ClassSet(Story.serviceClass("low", 50, true, false)));
    story.asks("vision", 2).of("spared").lease();
    Lease low = story.asks("vision", 2).of("low").lease();
    story.asks("vision", 4).lease();
    story.asks("nlp", 2).of("realtime").lease();
    assertThat(victims()).containsExactly(low.id());
  }

  @Test
  void s31WhatMayNotBePreemptedNeverIs() {
    Lease fixed = story.asks("vision", 8).of("realtime").lease();
    for (int i = 0; i < 5; i++) {
      story.asks("nlp", 8).of("realtime").lease();
      assertThat(victims()).isEmpty();
    }
    story.breakGpu(0, 3);
    assertThat(story.lease(fixed.id()).degraded()).isTrue();
    assertThat(story.asks("nlp", 1).of("realtime").lease().state()).isEqualTo(LeaseState.WAITING);
  }

  @Test
  void s33TwoThatNeedTheSameRoomDoNotBothGetIt() {
    contracts(story, 0, 0);
    Lease holder = story.asks("vision", 8).lease();
    story.facts(new Move.TenantSet(new Tenant("audio", "acme", false)));
    Ask one = story.asks("audio", 8).of("realtime").preemptible().orRefuse().ask();
    Ask other = story.asks("nlp", 8).of("realtime").preemptible().orRefuse().ask();
    story.decide(new Command.Create(one), new Command.Create(other));
    assertThat(victims()).containsExactly(holder.id());
    assertThat(List.of(story.state(one.lease()), story.state(other.lease())))
        .containsExactlyInAnyOrder(LeaseState.PLANNED, LeaseState.REFUSED);
  }

  @Test
  void s43ACutGuaranteeTakesFromNobodyUntilSomebodyAsks() {
    Contract wide = story.contract("vision", 8, null);
    story.facts(
        new Move.ContractSet(story.contract("acme", 8, null)),
        new Move.ContractSet(wide),
        new Move.ContractSet(story.contract("nlp", 4, null)));
    story.asks("vision", 4).lease();
    story.asks("vision", 4).lease();
    Lease waiting = story.asks("nlp", 4).lease();
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    story.now += Time.MINUTE;
    Batch cut = story.decide(new Command.Terminate(wide.id(), story.now));
    assertThat(PreemptionTest.victims(cut)).hasSize(1);
    assertThat(story.state(waiting.id())).isEqualTo(LeaseState.PLANNED);
    assertThat(PreemptionTest.victims(story.after(Time.MINUTE))).isEmpty();
  }

  @Test
  void s45ThePromiseOfOneThatGivesUpIsGone() {
    Lease low = story.asks("vision", 8).lease();
    story.clusterObeys();
    Lease high = story.asks("nlp", 8).of("realtime").lease();
    story.decide(new Command.Cancel(high.id()));
    story.decide(Story.withdrawn(story.lease(low.id())));
    assertThat(story.asks("vision", 8).lease().state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void s56WhoIsEndedFiveTimesIsToldNoLongerStory() {
    for (int n = 0; n < 5; n++) {
      Lease low = story.asks("vision", 8).lease();
      story.clusterObeys();
      Lease high = story.asks("nlp", 8).of("realtime").lasting(Time.MINUTE).lease();
      Answer told =
          story.batches.getLast().answers().stream()
              .filter(each -> each.lease().equals(low.id()))
              .findFirst()
              .orElseThrow()
              .answer();
      assertThat(told.reasons()).hasSize(2);
      assertThat(told.reasons())
          .allSatisfy(reason -> assertThat(reason.detail()).hasSizeLessThan(80));
      story.clusterObeys();
      story.decide(new Command.Release(high.id()));
      story.clusterObeys();
    }
    assertThat(allVictims(story)).hasSize(5);
  }

  @Test
  void e9NothingIsActiveBeforeItsDevicesAreFree() {
    Lease low = story.asks("vision", 8).lease();
    story.clusterObeys();
    Lease high = story.asks("nlp", 8).of("realtime").lease();
    story.after(10 * WIND_DOWN);
    assertThat(story.state(high.id())).isEqualTo(LeaseState.PLANNED);
    story.decide(Story.withdrawn(story.lease(low.id())));
    assertThat(story.state(high.id())).isEqualTo(LeaseState.ALLOCATED);
  }
}
