package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits is told where it stands, since when nothing is sure, and why. */
class QueueTest {

  private static final long HOLD = Time.HOUR + 90 * Time.SECOND;

  private final Story story = Story.of("h100", 8);

  private List<Place> queue() {
    return Engine.queue(story.book, story.now);
  }

  @Test
  void estimatesEachAfterThoseBeforeIt() {
    story.asks("vision", 8).lease();
    for (int n = 0; n < 3; n++) {
      story.asks("nlp", 8).lasting(Time.HOUR + n * Time.SECOND).lease();
    }
    assertThat(queue()).extracting(Place::position).containsExactly(1, 2, 3);
    assertThat(queue()).extracting(Place::earmarked).containsExactly(true, false, false);
    assertThat(queue())
        .extracting(Place::expectedStart)
        .containsExactly(Story.T + HOLD, Story.T + 2 * HOLD, Story.T + 3 * HOLD + Time.SECOND);
  }

  @Test
  void givesTheFirstFiftyAnEstimate() {
    story.asks("vision", 8).lease();
    List<Command> commands = new ArrayList<>();
    for (int n = 0; n < 60; n++) {
      commands.add(new Command.Create(story.asks("nlp", 8).lasting(Time.MINUTE).ask()));
    }
    story.decide(commands.toArray(Command[]::new));
    assertThat(queue()).hasSize(60);
    assertThat(queue().subList(0, 50)).allMatch(place -> place.expectedStart() != null);
    assertThat(queue().subList(50, 60)).allMatch(place -> place.expectedStart() == null);
  }

  @Test
  void knowsNoStartBehindAHolderWithoutAnEnd() {
    story.asks("vision", 8).of("realtime").lasting(Span.FOREVER).lease();
    Lease waiting = story.asks("nlp", 8).lease();
    assertThat(queue()).singleElement().extracting(Place::expectedStart).isNull();
    Answer answer = Engine.explain(story.book, waiting.id(), story.now);
    assertThat(answer.start()).isNull();
    assertThat(answer.reasons()).extracting(Answer.Reason::code).contains("held-open-ended");
  }

  @Test
  void knowsNoStartOfWhatComesAfterOthers() {
    Lease holder = story.asks("vision", 4).lease();
    story.asks("nlp", 4).after(holder.id()).lease();
    assertThat(queue()).singleElement().extracting(Place::expectedStart).isNull();
  }

  @Test
  void explainsWithTheSameStartAndTheReasons() {
    Lease holder = story.asks("vision", 8).lease();
    Lease first = story.asks("nlp", 8).lease();
    Lease second = story.asks("nlp", 8).lasting(2 * Time.HOUR).lease();
    Answer answer = Engine.explain(story.book, second.id(), story.now);
    assertThat(answer.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(answer.start()).isEqualTo(queue().getLast().expectedStart());
    assertThat(Engine.explain(story.book, first.id(), story.now).start())
        .isEqualTo(queue().getFirst().expectedStart());
    assertThat(answer.expected()).isTrue();
    assertThat(answer.blockedBy()).extracting(Answer.Blocker::lease).contains(holder.id());
    assertThat(answer.reasons())
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.code()).isEqualTo("capacity");
              assertThat(reason.need()).isEqualTo(8);
              assertThat(reason.limit()).isZero();
            });
  }

  /** A whole node is waited for in place of another. */
  @Test
  void askingWhyNoSpareIsThereChangesNothing() {
    Lease lease = story.asks("vision", 8).lasting(3 * Time.HOUR).lease();
    story.clusterObeys();
    story.on(new Command.Replace(lease.id(), List.of(new java.util.UUID(7, 0)), "broken"));
    String before = Dump.of(story.book) + Dump.room(story.book);
    Answer answer = Engine.explain(story.book, lease.id(), story.now + Time.MINUTE);
    assertThat(answer.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(Dump.of(story.book) + Dump.room(story.book)).isEqualTo(before);
  }

  @Test
  void lookingChangesNothing() {
    story.asks("vision", 8).lease();
    List<Lease> waiting = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      waiting.add(story.asks("nlp", 4 + n).lease());
    }
    String before = Dump.of(story.book) + Dump.room(story.book);
    queue();
    waiting.forEach(lease -> Engine.explain(story.book, lease.id(), story.now));
    assertThat(Dump.of(story.book) + Dump.room(story.book)).isEqualTo(before);
    assertThat(story.after(Time.SECOND).moves()).isEmpty();
  }
}
