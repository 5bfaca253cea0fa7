package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** When a request could be had, asked of a book that stays as it was. */
class AvailabilityTest {

  private static final long HORIZON = 14 * Time.DAY;

  private final Story story = Story.of("h100", 8, 4);

  private Availability of(Story.AskMaker maker) {
    return Engine.availability(story.book, List.of(maker.ask()), HORIZON, story.now).getFirst();
  }

  private static Availability.Interval interval(long start, long end, long gpus) {
    return new Availability.Interval(start, end, gpus);
  }

  @Test
  void whatIsFreeNowIsAdmittedAndFreeThroughout() {
    Availability found = of(story.asks("vision", 8));
    assertThat(found.verdict()).isEqualTo(Verdict.ADMITTED);
    assertThat(found.firstStart()).isEqualTo(story.now);
    assertThat(found.intervals())
        .containsExactly(interval(story.now, story.now + HORIZON, 8));
    assertThat(found.reasons()).isEmpty();
  }

  @Test
  void saysWhenWhatIsTakenComesBackAndHowMuchThereIsUntilThen() {
    story.asks("vision", 12).lasting(Time.HOUR).lease();
    story.asks("vision", 2).at(story.now + 3 * Time.HOUR, story.now + 4 * Time.HOUR).lease();
    long free = story.now + Time.HOUR + 90 * Time.SECOND;
    Availability found = of(story.asks("nlp", 12).lasting(Time.HOUR));
    assertThat(found.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(found.firstStart()).isEqualTo(free);
    assertThat(found.intervals())
        .containsExactly(
            interval(free, story.now + 3 * Time.HOUR, 12),
            interval(story.now + 3 * Time.HOUR, story.now + 4 * Time.HOUR + 90 * Time.SECOND, 10),
            interval(
                story.now + 4 * Time.HOUR + 90 * Time.SECOND, story.now + HORIZON, 12));
    assertThat(found.reasons()).isNotEmpty();
  }

  @Test
  void countsWhatTheShapeCanUse() {
    story.asks("vision", 1).shape(onOneNode(6)).lease();
    Availability found = of(story.asks("nlp", 1).groups(2, 4));
    assertThat(found.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(found.intervals().getFirst().gpus()).isEqualTo(4);
  }

  private static Shape onOneNode(int gpus) {
    return new Shape(
        List.of(), 0, 1, gpus, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);
  }

  @Test
  void theLimitsOfTheTenantCountAtEachInstant() {
    story.facts(
        new Move.ContractSet(story.contract("acme", 12, 0)),
        new Move.ContractSet(
            story.contract("vision", "h100", 3, 0, new Span(Story.T - 1, Story.T + Time.DAY))),
        new Move.ContractSet(
            story.contract("vision", "h100", 5, 0, new Span(Story.T + Time.DAY, Span.FOREVER))));
    Availability found = of(story.asks("vision", 8));
    assertThat(found.verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(found.refusal()).isEqualTo(Answer.Refusal.NEVER);
    assertThat(found.firstStart()).isNull();
    assertThat(found.intervals())
        .containsExactly(
            interval(story.now, story.now + Time.DAY, 3),
            interval(story.now + Time.DAY, story.now + HORIZON, 5));
    story.asks("vision", 2).lasting(Time.HOUR).lease();
    assertThat(of(story.asks("vision", 3)).intervals().getFirst())
        .isEqualTo(interval(story.now, story.now + Time.HOUR, 1));
  }

  @Test
  void looksAtTheTimeAskedFor() {
    long start = story.now + Time.DAY;
    Availability at = of(story.asks("vision", 4).at(start, start + Time.HOUR));
    assertThat(at.verdict()).isEqualTo(Verdict.PLANNED);
    assertThat(at.firstStart()).isEqualTo(start);
    assertThat(at.intervals()).containsExactly(interval(start, start + Time.HOUR, 4));
    Availability within =
        of(story.asks("vision", 4).within(start, start + 3 * Time.HOUR, Time.HOUR));
    assertThat(within.firstStart()).isEqualTo(start);
    assertThat(within.intervals()).containsExactly(interval(start, start + 3 * Time.HOUR, 4));
  }

  @Test
  void eachIsJudgedAloneAndNothingIsBooked() {
    String before = Dump.of(story.book);
    List<Availability> found =
        Engine.availability(
            story.book,
            List.of(story.asks("vision", 12).ask(), story.asks("nlp", 12).ask()),
            HORIZON,
            story.now);
    assertThat(found).extracting(Availability::verdict).containsOnly(Verdict.ADMITTED);
    assertThat(Dump.difference(Dump.of(story.book), before)).isEmpty();
  }

  @Test
  void knowsNoStartBehindAHolderWithoutAnEnd() {
    story.asks("vision", 12).of("realtime").lasting(Span.FOREVER).lease();
    Availability found = of(story.asks("nlp", 1));
    assertThat(found.verdict()).isEqualTo(Verdict.WAITING);
    assertThat(found.firstStart()).isNull();
    assertThat(found.intervals()).isEmpty();
    assertThat(found.reasons()).extracting(Answer.Reason::code).contains("held-open-ended");
  }
}
