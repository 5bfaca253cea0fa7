package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who was told that the search was cut short does not wait for something to change. */
class UndecidedTest {

  private final Story story = Story.of("h100", 8);

  /** As it stands after a search that was cut short, while everybody else was tried. */
  private Lease cutShort(Lease waiting) {
    Lease undecided = Draft.of(waiting).earmark(null).retryBudget(40_000).lease();
    story.facts(new Move.LeaseMoved(waiting, undecided, "undecided"));
    return undecided;
  }

  @Test
  void isTriedAgainInTheNextDecisionAndThenWaitsLikeOthers() {
    story.asks("nlp", 8).lease();
    Lease waiting = cutShort(story.asks("vision", 8).lease());
    story.decide();
    Lease tried = story.lease(waiting.id());
    assertThat(tried.retryBudget()).isZero();
    assertThat(tried.earmark()).isNotNull();
    assertThat(story.decide().moves()).isEmpty();
  }
}
