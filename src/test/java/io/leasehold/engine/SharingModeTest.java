package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said where a GPU has room and is shared in another way. */
class SharingModeTest {

  /** One GPU has 3/8 of it in use as MIG, another 7/10 as fractions. */
  private final Story story = Story.of("h100");

  SharingModeTest() {
    story.facts(
        new Move.ModelSet(Fleet.h100()),
        new Move.NodeSet(Fleet.node(0, "east", Domain.NOWHERE, 2)));
    for (Shape shape : new Shape[] {Fleet.mig(1, "3g.40gb"), Fleet.share(1, 700)}) {
      assertThat(story.asks("vision", 0).shape(shape).lasting(Time.DAY).lease().state())
          .isEqualTo(LeaseState.ALLOCATED);
    }
  }

  @ParameterizedTest(name = "{0}, starting in {1} hours")
  @CsvSource({
    "300, 0, ",
    "400, 0, sharing-mode",
    "500, 0, sharing-mode",
    "501, 0, capacity",
    "300, 1, ",
    "400, 1, sharing-mode",
    "501, 1, capacity",
  })
  void aFractionIsToldOfTheRoomThatAnotherModeHas(int milli, int hours, String code) {
    Story.AskMaker asks = story.asks("nlp", 0).shape(Fleet.share(1, milli));
    long start = story.now + hours * Time.HOUR;
    if (hours > 0) {
      asks.at(start, start + Time.HOUR);
    }
    Answer answer = asks.decided().answer();
    if (code == null) {
      assertThat(answer.reasons()).isEmpty();
    } else {
      assertThat(answer.reasons()).extracting(Answer.Reason::code).contains(code);
    }
  }
}
