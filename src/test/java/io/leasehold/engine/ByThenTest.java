package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What comes free by itself before those who are owed notice would be gone. */
class ByThenTest {

  private static final long NOTICE = 10 * Time.MINUTE;

  private static Story told(int... nodes) {
    Story story = Story.of("h100", nodes);
    ServiceClass batch = story.book.serviceClass("batch");
    story.facts(new Move.ClassSet(Story.noticed(NOTICE, null, batch)));
    return story;
  }

  private static Lease runs(Story story, String serviceClass, long length) {
    Lease lease = story.asks("vision", 4).of(serviceClass).lasting(length).lease();
    story.clusterObeys();
    return lease;
  }

  @Test
  void isWaitedForAndNobodyIsToldToEnd() {
    Story story = told(4, 4);
    Lease ends = runs(story, "realtime", 5 * Time.MINUTE);
    Lease goesOn = runs(story, "batch", Time.DAY);
    Lease urgent = story.asks("nlp", 4).of("realtime").lease();
    assertThat(story.lease(goesOn.id()).notice()).isNull();
    assertThat(urgent.earmark().start()).isEqualTo(ends.booking().hold().end());
    assertThat(story.asks("nlp", 4).of("realtime").lease().window().start())
        .as("one more")
        .isEqualTo(Story.T + NOTICE + PreemptionTest.WIND_DOWN);
  }

  @Test
  void isRoomTogetherWithTheirs() {
    Story story = told(4, 4);
    runs(story, "realtime", 5 * Time.MINUTE);
    Lease victim = runs(story, "batch", Time.DAY);
    Lease urgent = story.asks("nlp", 0).groups(2, 4).of("realtime").lease();
    assertThat(PreemptionTest.victims(story.batches.getLast())).containsExactly(victim.id());
    assertThat(urgent.window().start()).isEqualTo(Story.T + NOTICE + PreemptionTest.WIND_DOWN);
  }
}
