package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who used much in the last days comes after who did not. */
class UsageHistoryTest {

  private final Story story = Story.of("h100", 8, 8);

  private long history(String tenant) {
    return story.book.history().of(tenant, "h100", story.now);
  }

  private List<Move.UsageSet> written(Batch batch) {
    return batch.moves().stream()
        .filter(Move.UsageSet.class::isInstance)
        .map(Move.UsageSet.class::cast)
        .toList();
  }

  private void release(Lease lease) {
    story.decide(new Command.Release(lease.id()));
    story.clusterObeys();
  }

  @Test
  void ofTwoBorrowersWithTheSameUseNowTheOneWhoUsedLessBeforeComesFirst() {
    story.facts(new Move.ContractSet(story.contract("acme", 1, null)));
    Lease past = story.asks("nlp", 16).lasting(2 * Time.DAY).lease();
    story.after(Time.DAY);
    release(past);
    Lease holder = story.asks("acme", 16).lease();
    Lease head = story.asks("acme", 16).lease();
    Lease heavy = story.asks("nlp", 2).lease();
    Lease light = story.asks("vision", 2).lease();
    assertThat(Engine.queue(story.book, story.now))
        .extracting(Place::lease)
        .containsExactly(head.id(), light.id(), heavy.id());
    assertThat(story.state(holder.id())).isEqualTo(LeaseState.ALLOCATED);
  }

  @Test
  void whatWasUsedInsideTheGuaranteeCountsForNothing() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 16, null)),
        new Move.ContractSet(story.contract("nlp", 8, null)));
    Lease past = story.asks("nlp", 8).lasting(2 * Time.DAY).lease();
    story.after(Time.DAY);
    release(past);
    story.asks("acme", 16).lease();
    story.asks("acme", 16).lease();
    Lease first = story.asks("nlp", 9).lease();
    Lease second = story.asks("vision", 2).lease();
    FairKey heavy = key(first);
    assertThat(heavy.shares().getLast().borrowed()).isEqualTo(1_000 * History.WEIGHT);
    assertThat(key(second).shares().getLast().borrowed())
        .isEqualTo(2_000 * (History.WEIGHT + History.TICK_MILLIS));
  }

  private FairKey key(Lease lease) {
    Line line = new Line(story.book, new Search(story.book, story.now), story.now, _ -> false);
    return FairKey.of(line.candidate(lease), new Ladders(story.book, story.now));
  }

  @Test
  void fadesToAHalfInADayAndToNothingInTime() {
    Lease lease = story.asks("nlp", 16).lease();
    story.after(Time.HOUR);
    release(lease);
    long fresh = history("nlp");
    assertThat(fresh).isBetween(16_000L * 3_500_000, 16_000L * 3_600_000);
    story.after(Time.DAY);
    assertThat((double) history("nlp") / fresh).isBetween(0.4999, 0.5001);
    story.after(19 * Time.DAY);
    assertThat(history("nlp")).isLessThan(fresh / 1_000_000);
    story.after(365 * Time.DAY);
    assertThat(history("nlp")).isZero();
  }

  @Test
  void aUseThatNeverChangesComesToItsWeight() {
    story.asks("nlp", 16).of("realtime").lasting(Span.FOREVER).lease();
    story.after(100 * Time.DAY);
    assertThat((double) history("nlp") / History.WEIGHT).isBetween(15_990.0, 16_010.0);
  }

  @Test
  void followsTheFormulaTickByTick() {
    Lease lease = story.asks("nlp", 3).lasting(10 * Time.MINUTE + 7 * Time.SECOND).lease();
    story.after(Time.HOUR);
    assertThat(lease.window().start() % History.TICK).isZero();
    long expected = 0;
    for (int tick = 0; tick < 60; tick++) {
      long use = tick < 10 ? 3_000L * 60_000 : tick == 10 ? 3_000L * 7_000 : 0;
      expected = (expected * 4_292_900_401L >>> 32) + use;
    }
    assertThat(history("nlp")).isEqualTo(expected);
  }

  @Test
  void anEarlyEndGivesBackTheRestOfTheTick() {
    Lease lease = story.asks("nlp", 4).lease();
    story.after(15 * Time.SECOND);
    Batch batch = story.decide(new Command.Release(lease.id()));
    assertThat(written(batch))
        .containsExactly(
            new Move.UsageSet("nlp", "h100", 4_000L * 15_000, story.now / History.TICK));
    assertThat(history("acme")).as("above it, too").isEqualTo(4_000L * 15_000);
  }

  @Test
  void writesOnceForManyEndsAndNeverForStarts() {
    Batch starts =
        story.decide(
            new Command.Create(story.asks("nlp", 1).ask()),
            new Command.Create(story.asks("nlp", 1).ask()),
            new Command.Create(story.asks("vision", 1).ask()));
    assertThat(written(starts)).isEmpty();
    story.clusterObeys();
    Batch ends = story.after(Time.HOUR);
    assertThat(written(ends)).extracting(Move.UsageSet::tenant).containsExactly("nlp", "vision");
    assertThat(written(story.after(Time.HOUR))).isEmpty();
  }

  @Test
  void whatIsCancelledBeforeItsStartWasNeverUsed() {
    Lease lease = story.asks("nlp", 4).at(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR).lease();
    assertThat(written(story.decide(new Command.Cancel(lease.id())))).isEmpty();
    assertThat(history("nlp")).isZero();
  }

  @Test
  void goesWithATenantThatMovesInTheTree() {
    Lease lease = story.asks("nlp", 4).lease();
    story.after(Time.HOUR);
    release(lease);
    long used = history("nlp");
    assertThat(history("vision")).isZero();
    story.facts(new Move.TenantSet(new Tenant("nlp", "vision", false)));
    assertThat(history("vision")).isEqualTo(used);
  }

  @Test
  void aRehearsalAcrossTicksLeavesNoTrace() {
    story.asks("nlp", 4).lasting(5 * Time.HOUR).lease();
    story.after(10 * Time.MINUTE);
    long used = history("nlp");
    int mark = story.book.mark();
    Ask ask = story.asks("nlp", 3).lasting(5 * Time.HOUR).ask();
    Engine.decide(story.book, List.of(new Command.Create(ask)), story.now);
    Engine.decide(story.book, List.of(), story.now + Time.HOUR);
    assertThat(story.book.history().of("nlp", "h100", story.now + Time.HOUR)).isGreaterThan(used);
    story.book.undo(mark);
    assertThat(story.book.history().of("nlp", "h100", story.now + Time.HOUR))
        .isEqualTo(again().history().of("nlp", "h100", story.now + Time.HOUR));
    assertThat(history("nlp")).isEqualTo(used);
  }

  /** A book that never rehearsed anything. */
  private Book again() {
    Story other = Story.of("h100", 8, 8);
    UUID id = new UUID(1, 1);
    Lease lease = story.lease(id);
    other.facts(new Move.LeaseMoved(null, lease, "loaded"));
    return other.book;
  }
}
