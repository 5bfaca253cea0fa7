package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The calendar of a pool: every GPU is counted once at every instant. */
class CalendarTest {

  private final Story story = Story.of("h100", 8, 4);

  private List<PoolCalendar.Step> steps(long until) {
    String before = Dump.of(story.book);
    List<PoolCalendar> found = Engine.calendar(story.book, List.of(), story.now, until);
    assertThat(Dump.difference(Dump.of(story.book), before)).as("only looked at").isEmpty();
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().gpus()).isEqualTo(12);
    return found.getFirst().steps();
  }

  @Test
  void countsWhatIsFreeLeasedEarmarkedAndUnhealthy() {
    story.breakGpu(1, 0);
    story.asks("vision", 8).lasting(Time.HOUR).lease();
    Lease waiting = story.asks("nlp", 10).lasting(Time.HOUR).lease();
    long free = story.now + Time.HOUR + 90 * Time.SECOND;
    assertThat(waiting.earmark().start()).isEqualTo(free);
    assertThat(steps(story.now + 5 * Time.HOUR))
        .containsExactly(
            new PoolCalendar.Step(story.now, free, 3, 8, 0, 0, 0, 1),
            new PoolCalendar.Step(free, free + Time.HOUR + 90 * Time.SECOND, 1, 0, 0, 0, 10, 1),
            new PoolCalendar.Step(
                free + Time.HOUR + 90 * Time.SECOND, story.now + 5 * Time.HOUR, 11, 0, 0, 0, 0, 1));
  }

  @Test
  void whatIsSetAsideIsReservedUntilSomebodyDrawsOnIt() {
    Span window = new Span(story.now + Time.HOUR, story.now + 3 * Time.HOUR);
    Occurrence occurrence =
        Story.setAside(story.reserves("vision", Story.AskMaker.whole(8), window)).getFirst();
    assertThat(steps(story.now + 5 * Time.HOUR))
        .containsExactly(
            new PoolCalendar.Step(story.now, window.start(), 12, 0, 0, 0, 0, 0),
            new PoolCalendar.Step(window.start(), window.end(), 4, 0, 8, 0, 0, 0),
            new PoolCalendar.Step(window.end(), story.now + 5 * Time.HOUR, 12, 0, 0, 0, 0, 0));
    story.asks("vision", 6).at(window.start(), window.end()).on(occurrence.reservation()).lease();
    assertThat(steps(window.end()).getLast())
        .isEqualTo(new PoolCalendar.Step(window.start(), window.end(), 4, 6, 2, 0, 0, 0));
  }

  /** Without saying to whom, and not as leased at the same time. */
  @Test
  void whatIsLentIsShownBesideWhatIsReserved() {
    Span window = new Span(story.now, story.now + 5 * Time.HOUR);
    Occurrence occurrence =
        Story.setAside(
                story.reserves(
                    story.id(),
                    "vision",
                    Story.AskMaker.whole(12),
                    true,
                    Span.FOREVER,
                    new Span(story.now, story.now + 4 * Time.HOUR)))
            .getFirst();
    Lease borrower = story.asks("nlp", 3).lasting(Time.HOUR).lease();
    story.asks("vision", 2).lasting(Time.HOUR).on(occurrence.reservation()).lease();
    long back = borrower.booking().hold().end();
    assertThat(steps(window.end()))
        .containsExactly(
            new PoolCalendar.Step(story.now, back, 0, 2, 7, 3, 0, 0),
            new PoolCalendar.Step(back, occurrence.window().end(), 0, 0, 12, 0, 0, 0),
            new PoolCalendar.Step(occurrence.window().end(), window.end(), 12, 0, 0, 0, 0, 0));
  }

  @Test
  void isOfTheModelsAskedForThatThePoolHas() {
    GpuModel other = new GpuModel("a100", "A100", List.of(), 80, 0, 0, List.of(), 0);
    story.facts(new Move.ModelSet(other), new Move.NodeSet(story.node("a100", 4)));
    assertThat(models()).containsExactly("a100", "h100");
    assertThat(models("h100", "b200", "h100")).containsExactly("h100");
  }

  private List<String> models(String... asked) {
    return Engine.calendar(story.book, List.of(asked), story.now, story.now + Time.DAY).stream()
        .map(PoolCalendar::model)
        .toList();
  }

  @Test
  void onlyWhatIsSetAsideIsLent() {
    Span window = new Span(story.now, story.now + 4 * Time.HOUR);
    story.reserves(story.id(), "vision", Story.AskMaker.whole(6), true, Span.FOREVER, window);
    story.asks("nlp", 2).lasting(4 * Time.HOUR).lease();
    story.asks("nlp", 4).lasting(4 * Time.HOUR).lease();
    story.asks("nlp", 3).lasting(4 * Time.HOUR).lease();
    assertThat(steps(window.end()))
        .containsExactly(new PoolCalendar.Step(window.start(), window.end(), 0, 6, 3, 3, 0, 0));
  }

  @Test
  void isBoundedAndAddsUpHoweverMuchHappens() {
    Random random = new Random(3);
    for (int i = 0; i < 300; i++) {
      long start = Time.roundUp(story.now + random.nextLong(300 * Time.HOUR));
      long length = Time.MINUTE + random.nextLong(2 * Time.HOUR);
      story.asks("vision", 1 + random.nextInt(4)).at(start, start + length).orRefuse().decided();
    }
    List<PoolCalendar.Step> steps = steps(story.now + 14 * Time.DAY);
    assertThat(steps).hasSizeBetween(100, Calendars.MOST_STEPS);
    long at = story.now;
    for (PoolCalendar.Step step : steps) {
      assertThat(step.start()).isEqualTo(at);
      assertThat(
              step.free()
                  + step.leased()
                  + step.reserved()
                  + step.lent()
                  + step.earmarked()
                  + step.unhealthy())
          .isEqualTo(12);
      assertThat(step.free()).isNotNegative();
      assertThat(step.leased()).isNotNegative();
      at = step.end();
    }
    assertThat(at).isEqualTo(story.now + 14 * Time.DAY);
  }
}
