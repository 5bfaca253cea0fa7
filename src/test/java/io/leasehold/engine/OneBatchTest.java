package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
