package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What several who end at different times lose together. */
class TollTest {

  private final Story story = Story.of("h100", 4);

  @Test
  void nobodyIsBelowAGuaranteeOnceTheLastOfThemHasEnded() {
    story.facts(
        new Move.ClassSet(Story.noticed(2 * Time.MINUTE, null, story.book.serviceClass("batch"))),
        new Move.ClassSet(Story.serviceClass("spare", 0, true, false)),
        new Move.ContractSet(story.contract("acme", 8, null)),
        new Move.ContractSet(story.contract("vision", 4, null)),
        new Move.ContractSet(story.contract("nlp", 1, null)));
    story.asks("nlp", 2).lasting(5 * Time.HOUR).lease();
    story.asks("nlp", 1).of("spare").lasting(5 * Time.HOUR).lease();
    story.clusterObeys();
    story.asks("vision", 4).of("realtime").lasting(Time.HOUR).lease();
    assertThat(story.book.usage().of("nlp", "h100").at(story.now + 3 * Time.MINUTE))
        .isGreaterThanOrEqualTo(1_000);
  }
}
