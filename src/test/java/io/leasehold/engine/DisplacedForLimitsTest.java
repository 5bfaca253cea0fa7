package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of planned leases that are in the way of one that takes. */
class DisplacedForLimitsTest {

  private final Story story = Story.of("h100", 8, 8);

  @Test
  void whoHadToGoForALimitIsNotBoundElsewhereBesideIt() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 16, null)),
        new Move.ContractSet(story.contract("vision", 8, 0)));
    long one = Story.T + Time.HOUR;
    Lease planned = story.asks("vision", 4).at(one, one + 2 * Time.HOUR).lease();
    Lease taker = story.asks("vision", 6).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(taker.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.state(planned.id())).isEqualTo(LeaseState.ENDED);
    assertThat(story.book.usage().of("vision", "h100").at(one)).isEqualTo(6_000);
  }

  @Test
  void norWhereItWouldBeInsideTheLimitAndTheTakerOutsideItsGuarantee() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 16, null)),
        new Move.ContractSet(story.contract("vision", 8, 8)));
    long one = Story.T + Time.HOUR;
    Lease planned = story.asks("vision", 4).at(one, one + 2 * Time.HOUR).lease();
    Lease taker = story.asks("vision", 6).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(taker.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(story.state(planned.id())).isEqualTo(LeaseState.ENDED);
  }

  @Test
  void whoWasInTheWayOnItsDevicesOnlyIsBoundElsewhere() {
    Story small = Story.of("h100", 8, 4);
    long one = Story.T + Time.HOUR;
    Lease planned = small.asks("vision", 4).at(one, one + Time.HOUR).lease();
    small.asks("vision", 8).of("realtime").lasting(3 * Time.HOUR).lease();
    assertThat(small.state(planned.id())).isEqualTo(LeaseState.PLANNED);
  }

  @Test
  void whoIsTakenInTheBatchItCameInIsAnsweredSo() {
    Story small = Story.of("h100", 8);
    Ask lower = small.asks("nlp", 8).ask();
    Ask higher = small.asks("vision", 8).of("realtime").ask();
    Batch batch =
        small.decide(new Command.CreateAtomic(List.of(lower)), new Command.Create(higher));
    Decision.DecidedAtomic atomic = (Decision.DecidedAtomic) batch.decisions().getFirst();
    assertThat(atomic.each().getFirst().lease()).isEqualTo(small.lease(lower.lease()));
    assertThat(atomic.each().getFirst().lease().endCause()).isEqualTo("preempted");
  }
}
