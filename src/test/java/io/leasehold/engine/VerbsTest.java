package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How early an end may be made. */
class VerbsTest {

  private final Story story = Story.of("h100", 8);

  private Class<?> shortened(Lease lease, long end) {
    return story.on(new Command.Shorten(lease.id(), end)).getClass();
  }

  @Test
  void whatRunsEndsAfterNow() {
    Lease lease = story.asks("vision", 4).lease();
    story.now += Time.MINUTE;
    assertThat(shortened(lease, story.now - 1)).isEqualTo(Decision.Declined.class);
    assertThat(shortened(lease, story.now)).isEqualTo(Decision.Declined.class);
    assertThat(shortened(lease, story.now + 1)).isEqualTo(Decision.Done.class);
  }

  @Test
  void whatIsPlannedEndsAfterItsStart() {
    long start = story.now + Time.HOUR;
    Lease lease = story.asks("vision", 4).at(start, start + Time.HOUR).lease();
    assertThat(shortened(lease, start)).isEqualTo(Decision.Declined.class);
    assertThat(shortened(lease, start + 1)).isEqualTo(Decision.Done.class);
    assertThat(shortened(lease, start + Time.MINUTE))
        .as("longer is another verb")
        .isEqualTo(Decision.Declined.class);
  }

  @Test
  void aQuestionChangesNothingThoughSomethingIsDue() {
    Lease lease = story.asks("vision", 8).lasting(Time.MINUTE).lease();
    story.asks("nlp", 8).lease();
    String before = Dump.of(story.book) + Dump.room(story.book);
    long later = story.now + Time.HOUR;
    Engine.consolidation(story.book, story.asks("nlp", 4).ask(), later);
    Engine.queue(story.book, later);
    Engine.explain(story.book, lease.id(), later);
    assertThat(Dump.of(story.book) + Dump.room(story.book)).isEqualTo(before);
  }
}
