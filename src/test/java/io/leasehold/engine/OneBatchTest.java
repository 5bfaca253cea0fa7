package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is answered is what is stored, also where a batch takes back what it gave. */
class OneBatchTest {

  @Test
  void whoIsEndedInTheBatchInWhichItCameIsToldSo() {
    Story story = Story.of("h100", 8, 8);
    PreemptionTest.contracts(story, 8, 8);
    Ask planned = story.asks("vision", 8).at(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR).ask();
    Ask urgent = story.asks("vision", 12).of("realtime").preemptible().lasting(3 * Time.HOUR).ask();
    Batch batch = story.decide(new Command.Create(planned), new Command.Create(urgent));
    Decision.Decided first = (Decision.Decided) batch.decisions().getFirst();
    assertThat(PreemptionTest.victims(batch)).containsExactly(planned.lease());
    assertThat(first.lease()).isEqualTo(story.last(planned.lease()));
    assertThat(first.lease().endCause()).isEqualTo("preempted");
    assertThat(first.answer().reasons())
        .extracting(Answer.Reason::code)
        .containsExactly("preempted", "share");
  }

  /** Who comes after others of its batch waits until they are over, and no longer. */
  @ParameterizedTest
  @CsvSource({"9, REFUSED, ALLOCATED", "8, ALLOCATED, WAITING"})
  void whoComesAfterAnotherIsServedOnceThatIsRefused(
      int gpus, LeaseState first, LeaseState second) {
    Story story = Story.of("h100", 8);
    Ask before = story.asks("vision", gpus).orRefuse().ask();
    Ask after = story.asks("nlp", 8).after(before.lease()).ask();
    story.decide(new Command.Create(after), new Command.Create(before));
    assertThat(story.state(before.lease())).isEqualTo(first);
    assertThat(story.state(after.lease())).isEqualTo(second);
  }
}
