package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What a later end does to others, and what is offered where it is refused. */
class ExtensionTest {

  private final Story story = Story.of("h100", 8);
  private final Lease lease = story.asks("vision", 8).of("realtime").lease();

  private Decision extend(long end) {
    return story.on(new Command.Extend(lease.id(), end));
  }

  @Test
  void earmarksOfLowerClassesGiveWay() {
    Lease waits = story.asks("nlp", 8).lease();
    assertThat(waits.earmark()).isNotNull();
    extend(Story.T + 2 * Time.HOUR);
    assertThat(story.batches.getLast().moves())
        .extracting(move -> ((Move.LeaseMoved) move).cause())
        .containsExactly("displaced", "extended", "earmarked");
    assertThat(story.lease(waits.id()).earmark().start())
        .isEqualTo(story.lease(lease.id()).booking().hold().end());
  }

  @Test
  void theLatestEndIsOfferedToTheSecond() {
    long next = Story.T + 3 * Time.HOUR;
    story.asks("nlp", 8).of("realtime").at(next, next + Time.HOUR).lease();
    long latest = next - PreemptionTest.WIND_DOWN;
    for (long more : List.of(Time.SECOND, Time.MINUTE, 5 * Time.HOUR)) {
      Decision.Declined declined = (Decision.Declined) extend(latest + more);
      assertThat(declined.answer().alternatives().getFirst().ask().when())
          .isEqualTo(new Ask.When.At(new Span(Story.T, latest)));
    }
    assertThat(extend(latest)).isInstanceOf(Decision.Done.class);
    assertThat(((Decision.Declined) extend(latest + Time.SECOND)).answer().alternatives())
        .as("it has the latest end already")
        .isEmpty();
  }
}
