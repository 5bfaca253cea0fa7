package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The laws are looked at as the fleet is held: what came to a lease later is not held before. */
class AuditTest {

  @Test
  void whatIsLentMayChangeHands() {
    Story story = Story.of("h100", 8);
    UUID reservation = new UUID(5, 0);
    Span window = new Span(story.now + Time.HOUR, story.now + 5 * Time.HOUR);
    story.reserves(reservation, "vision", Story.AskMaker.whole(8), true, Span.FOREVER, window);
    story.after(2 * Time.HOUR);
    Lease borrower = story.asks("nlp", 4).lasting(Time.HOUR).lease();
    story.now += Time.MINUTE;
    Decision done = story.on(new Command.Transfer(borrower.id(), "acme"));
    assertThat(done).isInstanceOf(Decision.Done.class);
    assertThat(Engine.audit(story.book)).isEmpty();
  }
}
