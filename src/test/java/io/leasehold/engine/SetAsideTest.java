package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A reservation that does not fit is told why, and what would. */
class SetAsideTest {

  private final Story story = Story.of("h100", 8);
  private final Span window = new Span(Story.T + 9 * Time.HOUR, Story.T + 17 * Time.HOUR);

  private Decision.Declined declined(Shape shape) {
    return (Decision.Declined) story.reserves("vision", shape, window);
  }

  private static List<String> kinds(Decision.Declined declined) {
    return declined.answer().alternatives().stream().map(Answer.Alternative::kind).toList();
  }

  private void taken(int gpus) {
    Shape shape = Story.AskMaker.whole(gpus, "h100");
    story.asks("nlp", gpus).shape(shape).of("realtime").at(window.start(), window.end()).lease();
  }

  @Test
  void offersFewerOrLater() {
    taken(2);
    Decision.Declined declined = declined(Story.AskMaker.whole(8));
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.SHORTAGE);
    assertThat(declined.answer().refusal()).isEqualTo(Answer.Refusal.SHORTAGE);
    assertThat(kinds(declined)).containsExactly("fewer-gpus", "later-start");
    Answer.Alternative fewer = declined.answer().alternatives().getFirst();
    assertThat(fewer.ask().shape().count()).isEqualTo(6);
    assertThat(fewer.ask().when()).isEqualTo(new Ask.When.At(window));
    Answer.Alternative later = declined.answer().alternatives().getLast();
    long start = window.end() + 90 * Time.SECOND;
    assertThat(later.start()).isEqualTo(start);
    assertThat(later.ask().when())
        .isEqualTo(new Ask.When.At(new Span(start, start + window.end() - window.start())));
  }

  @Test
  void offersAnotherModelWhereOneWasNamed() {
    story.facts(
        new Move.ModelSet(new GpuModel("a100", "A100", List.of(), 81_920, 0, 0, List.of(), 0)),
        new Move.NodeSet(story.node("a100", 8)));
    taken(8);
    Decision.Declined declined = declined(Story.AskMaker.whole(8, "h100"));
    assertThat(kinds(declined)).containsExactly("other-model", "later-start");
    assertThat(declined.answer().alternatives().getFirst().ask().shape().models())
        .containsExactly("a100");
  }

  @Test
  void namesWhoIsInTheWayAndEachOnce() {
    Span later = new Span(window.end() + Time.HOUR, window.end() + 2 * Time.HOUR);
    Lease holder = story.asks("nlp", 1).of("realtime").at(window.start(), later.end()).lease();
    Decision decision = story.reserves("vision", Story.AskMaker.whole(8), window, later);
    Answer answer = ((Decision.Declined) decision).answer();
    assertThat(answer.reasons()).hasSize(2);
    assertThat(answer.blockedBy()).extracting(Answer.Blocker::lease).containsExactly(holder.id());
  }

  /** Each alternative is a search for all of them. */
  @ParameterizedTest
  @CsvSource({"64, true", "65, false"})
  void aLongSeriesGetsNoAlternatives(int times, boolean offers) {
    taken(2);
    Span[] days = new Span[times];
    for (int day = 0; day < times; day++) {
      days[day] = new Span(window.start() + day * Time.DAY, window.end() + day * Time.DAY);
    }
    Decision decision = story.reserves("vision", Story.AskMaker.whole(8), days);
    assertThat(kinds((Decision.Declined) decision).isEmpty()).isEqualTo(!offers);
  }

  @Test
  void whatNoFleetHoldsIsNever() {
    Decision.Declined declined = declined(Story.AskMaker.whole(9));
    assertThat(declined.why()).isEqualTo(Decision.Declined.Why.NEVER);
    assertThat(declined.answer().refusal()).isEqualTo(Answer.Refusal.NEVER);
    assertThat(kinds(declined)).containsExactly("fewer-gpus");
  }

  @Test
  void whatHasBegunChangesItsEndOnItsOwnDevicesOnly() {
    Occurrence occurrence =
        Story.setAside(story.reserves("vision", Story.AskMaker.whole(8), window)).getFirst();
    story.asks("nlp", 8).of("realtime").at(window.end(), window.end() + Time.HOUR).lease();
    story.after(window.start() - story.now);
    Span shorter = new Span(window.start(), window.end() - Time.HOUR);
    Span longer = new Span(window.start(), window.end() + Time.SECOND);
    assertThat(change(occurrence, longer)).isInstanceOf(Decision.Declined.class);
    assertThat(change(occurrence, shorter)).isInstanceOf(Decision.Reserved.class);
    assertThat(change(occurrence, window)).isInstanceOf(Decision.Reserved.class);
    assertThat(story.occurrence(occurrence.id()).window()).isEqualTo(window);
  }

  private Decision change(Occurrence occurrence, Span to) {
    return story.on(new Command.ChangeOccurrence(occurrence.id(), to, occurrence.shape()));
  }
}
