package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A class whose devices are prepared for two minutes before a lease has them. */
class PreparedTest {

  private final Story story = Story.of("h100", 4);

  PreparedTest() {
    story.facts(
        new Move.ClassSet(
            new ServiceClass(
                "interactive",
                500,
                true,
                false,
                false,
                0,
                2 * Time.MINUTE,
                30 * Time.SECOND,
                60 * Time.SECOND,
                4 * Time.HOUR,
                366 * Time.DAY,
                90 * Time.DAY)));
  }

  private Story.AskMaker asks() {
    return story.asks("vision", 4).of("interactive");
  }

  @Test
  void nobodyEndsForOneThatCouldNotBePreparedBeforeItsEnd() {
    Lease victim = story.asks("nlp", 4).lasting(5 * Time.HOUR).lease();
    Ask.When soonOver = new Ask.When.NowUntil(story.now + 150 * Time.SECOND);
    assertThat(asks().when(soonOver).orRefuse().lease().state()).isEqualTo(LeaseState.REFUSED);
    assertThat(story.state(victim.id())).isEqualTo(LeaseState.ALLOCATED);
    Ask.When longer = new Ask.When.NowUntil(story.now + 300 * Time.SECOND);
    Lease taker = asks().when(longer).lease();
    assertThat(taker.window().start()).isEqualTo(story.now + 210 * Time.SECOND);
  }

  @Test
  void aLaterStartIsFoundWhereAllOfThePreparationHasRoom() {
    story.asks("nlp", 4).of("realtime").lasting(Time.HOUR).lease();
    long two = Story.T + 2 * Time.HOUR;
    story.asks("nlp", 4).of("realtime").at(two, two + Time.HOUR).lease();
    long gap = two - (Story.T + Time.HOUR + 90 * Time.SECOND);
    long fits = gap - 210 * Time.SECOND;
    Lease after = asks().within(Story.T, Story.T + 9 * Time.HOUR, fits + 1).lease();
    assertThat(after.window().start()).isEqualTo(two + Time.HOUR + 210 * Time.SECOND);
    Lease between = asks().within(Story.T, Story.T + 9 * Time.HOUR, fits).lease();
    assertThat(between.window().start()).isEqualTo(Story.T + Time.HOUR + 210 * Time.SECOND);
  }

  @Test
  void isPreparedInTimeForTheLastStart() {
    story.asks("nlp", 4).of("realtime").lasting(Time.HOUR).lease();
    long start = Story.T + Time.HOUR + 210 * Time.SECOND;
    long end = start + Time.HOUR;
    Lease late = asks().within(Story.T, end - Time.SECOND, Time.HOUR).orRefuse().lease();
    assertThat(late.state()).isEqualTo(LeaseState.REFUSED);
    Lease inTime = asks().within(Story.T, end, Time.HOUR).orRefuse().lease();
    assertThat(inTime.window()).isEqualTo(new Span(start, end));
  }

  @Test
  void anEarmarkIsForAllOfThePreparationToo() {
    story.asks("nlp", 4).of("realtime").lasting(Time.HOUR).lease();
    long two = Story.T + 2 * Time.HOUR;
    story.asks("nlp", 4).of("realtime").at(two, two + Time.HOUR).lease();
    long gap = two - (Story.T + Time.HOUR + 90 * Time.SECOND);
    Lease waiting = asks().lasting(gap - 210 * Time.SECOND + 1).lease();
    assertThat(waiting.earmark().start()).isEqualTo(two + Time.HOUR + 90 * Time.SECOND);
  }

  @Test
  void whoStartsNowOrNeverTakesWhatHasNotBegunThoughThereIsNoTimeToPrepare() {
    Lease planned =
        story.asks("nlp", 4).at(story.now + Time.HOUR, story.now + 5 * Time.HOUR).lease();
    Lease taker = asks().at(story.now, story.now + 2 * Time.HOUR).orRefuse().lease();
    assertThat(story.state(planned.id())).isEqualTo(LeaseState.ENDED);
    assertThat(taker.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(taker.window()).isEqualTo(new Span(story.now, story.now + 2 * Time.HOUR));
  }
}
