package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who is next. */
class FairnessTest {

  private final Story story = Story.of("h100", 8, 8).withoutPreemption();

  private void contracts(int vision, int nlp) {
    story.facts(
        new Move.ContractSet(story.contract("acme", vision + nlp, null)),
        new Move.ContractSet(story.contract("vision", vision, null)),
        new Move.ContractSet(story.contract("nlp", nlp, null)));
  }

  private List<UUID> inLine() {
    return Engine.queue(story.book, story.now).stream().map(Place::lease).toList();
  }

  @Test
  void whatIsInsideItsGuaranteeComesBeforeBorrowersOfAHigherClass() {
    contracts(4, 4);
    story.facts(new Move.ClassSet(Story.serviceClass("fast", 900, true, false)));
    story.asks("vision", 12).lease();
    Lease holder = story.asks("vision", 4).lease();
    Lease borrower = story.asks("vision", 2).of("fast").lease();
    Lease guaranteed = story.asks("nlp", 2).lease();
    assertThat(inLine()).containsExactly(guaranteed.id(), borrower.id());
    story.decide(new Command.Release(holder.id()));
    Batch batch = story.decide(Story.withdrawn(story.lease(holder.id())));
    assertThat(started(batch)).containsExactly(guaranteed.id(), borrower.id());
  }

  @Test
  void amongBorrowersTheSmallestShareComesFirst() {
    contracts(2, 2);
    Lease large = story.asks("vision", 10).lease();
    story.asks("nlp", 6).lease();
    story.asks("vision", 1).lease();
    Lease more = story.asks("vision", 2).lease();
    Lease less = story.asks("nlp", 2).lease();
    assertThat(inLine().subList(1, 3)).containsExactly(less.id(), more.id());
    assertThat(large.state()).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void aWeightOfTwoHalvesTheShare() {
    assertThat(new Share(10, 100, 2)).isLessThan(new Share(6, 100, 1));
    assertThat(new Share(5, 100, 0)).isGreaterThan(new Share(99, 100, 1));
    assertThat(new Share(0, 100, 0)).isEqualByComparingTo(new Share(0, 7, 3));
    assertThat(new Share(5, 100, 0)).isLessThan(new Share(6, 100, 0));
  }

  private FairKey key(String tenant, int gpus) {
    Lease asked = story.asks(tenant, gpus).of("realtime").lease();
    Terms terms = story.book.terms(asked);
    Candidate candidate = new Candidate(asked, terms, false, true, false, "h100", 1_000L * gpus);
    return FairKey.of(candidate, new Ladders(story.book, story.now));
  }

  @Test
  void whoBorrowsNothingComesBeforeAnyShare() {
    FairKey key = key("vision", 17);
    assertThat(key.shares()).as("of acme and of vision").hasSize(2);
    assertThat(FairKey.NOTHING_BORROWED).isLessThan(key);
    assertThat(key).isGreaterThan(FairKey.NOTHING_BORROWED).isEqualByComparingTo(key);
  }

  @Test
  void theLevelAtWhichSharesDifferDecides() {
    story.facts(new Move.TenantSet(new Tenant("other", null, false)));
    FairKey less = key("vision", 17);
    FairKey more = key("nlp", 18);
    assertThat(less).as("below one root").isLessThan(more);
    assertThat(more).isGreaterThan(less);
    assertThat(key("other", 19)).as("its own level is the root").isGreaterThan(less);
  }

  @Test
  void sharesOfHugeAmountsAreComparedExactly() {
    long huge = 1L << 60;
    assertThat(new Share(huge, huge - 1, 1)).isGreaterThan(new Share(huge - 1, huge - 1, 1));
    assertThat(new Share(huge - 1, huge, 1)).isLessThan(new Share(huge, huge + 1, 1));
  }

  @Test
  void whoHasAgedIsDisplacedByNoOtherClass() {
    story.asks("vision", 16).lasting(6 * Time.HOUR).lease();
    Lease old = story.asks("nlp", 16).lease();
    story.after(4 * Time.HOUR + Time.MINUTE);
    assertThat(story.lease(old.id()).earmark().start())
        .isLessThanOrEqualTo(Story.T + 6 * Time.HOUR + 2 * Time.MINUTE);
    Lease urgent = story.asks("vision", 16).of("realtime").lease();
    assertThat(inLine()).containsExactly(old.id(), urgent.id());
    story.after(2 * Time.HOUR);
    story.clusterObeys();
    assertThat(story.state(old.id())).isIn(LeaseState.ALLOCATED, LeaseState.ACTIVE);
  }

  @Test
  void aHigherClassDisplacesTheEarmarkOfOneThatHasNotAged() {
    story.asks("vision", 16).lasting(6 * Time.HOUR).lease();
    Lease first = story.asks("nlp", 16).lease();
    long promised = first.earmark().start();
    Lease urgent = story.asks("vision", 16).of("realtime").lease();
    assertThat(urgent.earmark().start()).isEqualTo(promised);
    Lease.Earmark left = story.lease(first.id()).earmark();
    assertThat(left == null || left.start() > promised).isTrue();
  }

  @Test
  void behindAnEarmarkTheShortestFillsTheGap() {
    story.asks("vision", 8).lasting(10 * Time.HOUR).lease();
    Lease gap = story.asks("vision", 8).lasting(10 * Time.HOUR).lease();
    Lease head = story.asks("nlp", 16).lease();
    Lease older = story.asks("nlp", 8).lasting(2 * Time.HOUR).lease();
    Lease shorter = story.asks("nlp", 8).lasting(Time.HOUR).lease();
    assertThat(head.earmark()).isNotNull();
    assertThat(inLine()).containsExactly(head.id(), shorter.id(), older.id());
    story.decide(new Command.Release(gap.id()));
    Batch batch = story.decide(Story.withdrawn(story.lease(gap.id())));
    assertThat(started(batch)).containsExactly(shorter.id());
  }

  @Test
  void theNextEarmarkGoesByArrivalAndNotToTheShortest() {
    Lease holder = story.asks("vision", 16).lease();
    Lease head = story.asks("nlp", 16).lease();
    Lease older = story.asks("nlp", 16).lasting(3 * Time.HOUR).lease();
    Lease shorter = story.asks("nlp", 16).lasting(Time.MINUTE).lease();
    assertThat(inLine()).containsExactly(head.id(), shorter.id(), older.id());
    story.decide(new Command.Release(holder.id()));
    story.decide(Story.withdrawn(story.lease(holder.id())));
    assertThat(story.state(head.id())).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.lease(older.id()).earmark()).isNotNull();
    assertThat(story.lease(shorter.id()).earmark()).isNull();
  }

  @Test
  void aShorterRequestPassesOnlyThoseOfAboutTheSameShare() {
    contracts(2, 2);
    story.asks("vision", 9).lasting(10 * Time.HOUR).lease();
    story.asks("nlp", 7).lasting(10 * Time.HOUR).lease();
    Lease head = story.asks("nlp", 7).lease();
    Lease less = story.asks("nlp", 3).lasting(2 * Time.HOUR).lease();
    Lease more = story.asks("vision", 3).lasting(Time.MINUTE).lease();
    assertThat(inLine()).containsExactly(head.id(), less.id(), more.id());
  }

  @Test
  void equalRequestsOfATenantStartInOrderOfArrival() {
    Lease holder = story.asks("vision", 16).lease();
    List<UUID> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(story.asks("nlp", 4).lease().id());
    }
    story.decide(new Command.Release(holder.id()));
    Batch batch = story.decide(Story.withdrawn(story.lease(holder.id())));
    assertThat(started(batch)).containsExactlyElementsOf(waiting);
  }

  @Test
  void aTenantHasAtMostAThousandWaiting() {
    story.asks("vision", 16).lease();
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i <= Gate.MOST_WAITING; i++) {
      commands.add(new Command.Create(story.asks("nlp", 16).ask()));
    }
    List<Decision> decisions = story.decide(commands.toArray(Command[]::new)).decisions();
    assertThat(((Decision.Declined) decisions.getLast()).why())
        .isEqualTo(Decision.Declined.Why.TOO_MANY);
  }

  private static List<UUID> started(Batch batch) {
    return batch.moves().stream()
        .filter(Move.LeaseMoved.class::isInstance)
        .map(Move.LeaseMoved.class::cast)
        .filter(move -> move.cause().equals("admitted"))
        .map(move -> move.after().id())
        .toList();
  }
}
