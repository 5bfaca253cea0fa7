package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens by itself as time passes. */
class ClockworkTest {

  private final Story story = Story.of("h100", 8);

  /**
   * Though nobody waits whose class may take from others, and though the borrower may fill the
   * limit above both.
   */
  @ParameterizedTest
  @NullSource
  @ValueSource(ints = {0, 8})
  void whoReclaimsIsServedOnceABorrowerHasRunForLongEnough(Integer borrowingAbove) {
    story.facts(
        new Move.ClassSet(Story.runningFor(10 * Time.MINUTE, story.book.serviceClass("batch"))),
        new Move.ContractSet(story.contract("acme", 8, borrowingAbove)),
        new Move.ContractSet(story.contract("vision", 8, 0)),
        new Move.ContractSet(story.contract("nlp", 0, 8)));
    Lease borrower = story.asks("nlp", 8).lasting(5 * Time.HOUR).lease();
    story.clusterObeys();
    Lease owner = story.asks("vision", 8).lease();
    assertThat(owner.state()).isEqualTo(LeaseState.WAITING);
    story.after(10 * Time.MINUTE - 1);
    assertThat(story.state(owner.id())).isEqualTo(LeaseState.WAITING);
    story.after(1);
    assertThat(story.state(owner.id())).isEqualTo(LeaseState.PLANNED);
    assertThat(story.state(borrower.id())).isEqualTo(LeaseState.ENDING);
  }

  @Test
  void whatEndsAtAnInstantMakesRoomForWhatStartsThen() {
    long one = Story.T + Time.HOUR;
    Lease first = story.asks("vision", 8).at(Story.T, one - 90 * Time.SECOND).lease();
    Lease second = story.asks("nlp", 8).at(one, one + Time.HOUR).lease();
    story.clusterObeys();
    story.after(Time.HOUR - 90 * Time.SECOND);
    assertThat(story.state(first.id())).isEqualTo(LeaseState.ENDING);
    story.clusterObeys();
    story.after(90 * Time.SECOND - 1);
    assertThat(story.state(second.id())).isEqualTo(LeaseState.PLANNED);
    story.after(1);
    assertThat(story.state(second.id())).isEqualTo(LeaseState.ALLOCATED);
  }
}
