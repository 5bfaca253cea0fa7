package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Decision.Declined.Why;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a request must keep before anybody looks for devices. */
class GateTest {

  private final Story story = Story.of("h100", 8);

  private Why whyNot(Ask ask) {
    return story.on(new Command.Create(ask)) instanceof Decision.Declined no ? no.why() : null;
  }

  @Test
  void namesWhatDoesNotExist() {
    story.facts(new Move.TenantSet(new Tenant("gone", "acme", true)));
    assertThat(whyNot(story.asks("vision", 1).of("nothing").ask())).isEqualTo(Why.NOT_FOUND);
    assertThat(whyNot(story.asks("nobody", 1).ask())).isEqualTo(Why.NOT_FOUND);
    assertThat(whyNot(story.asks("gone", 1).ask())).isEqualTo(Why.NOT_FOUND);
    Shape unknown = Story.AskMaker.whole(1, "h100", "h200");
    assertThat(whyNot(story.asks("vision", 1).shape(unknown).ask())).isEqualTo(Why.NOT_FOUND);
    Ask ask = story.asks("vision", 1).ask();
    assertThat(whyNot(ask)).isNull();
    assertThat(whyNot(ask)).isEqualTo(Why.ID_TAKEN);
  }

  @Test
  void drawsOnlyOnWhatIsSetAsideForItsOwnOrThoseAbove() {
    UUID reservation = new UUID(5, 99);
    Span window = new Span(Story.T + Time.HOUR, Story.T + 2 * Time.HOUR);
    story.reserves(reservation, "vision", Story.AskMaker.whole(4), false, Span.FOREVER, window);
    story.facts(new Move.TenantSet(new Tenant("lidar", "vision", false)));
    assertThat(whyNot(story.asks("nlp", 1).on(reservation).ask())).isEqualTo(Why.NOT_FOUND);
    assertThat(whyNot(story.asks("acme", 1).on(reservation).ask())).isEqualTo(Why.NOT_FOUND);
    assertThat(whyNot(story.asks("lidar", 1).on(reservation).ask())).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "0,   duration-limit",
    "1,   ",
    "366, ",
    "367, duration-limit",
  })
  void aLeaseLastsNoLongerThanItsClassSays(int days, String code) {
    ServiceClass batch = story.book.serviceClass("batch");
    Answer.Reason reason = Gate.duration(batch, days * Time.DAY);
    assertThat(reason == null ? null : reason.code()).isEqualTo(code);
  }

  @Test
  void onlySomeClassesRunWithoutAnEnd() {
    assertThat(Gate.duration(story.book.serviceClass("realtime"), Span.FOREVER)).isNull();
    assertThat(Gate.duration(story.book.serviceClass("batch"), Span.FOREVER)).isNotNull();
    assertThat(Gate.duration(story.book.serviceClass("batch"), -1)).isNotNull();
  }

  private String limit(Story.AskMaker asks) {
    Ask ask = asks.ask();
    ServiceClass serviceClass = story.book.serviceClass(ask.serviceClass());
    Answer.Reason reason =
        new Gate(story.book, story.now).limit(new Terms(ask, serviceClass, story.now));
    return reason == null ? null : reason.code();
  }

  @Test
  void aStartLiesNoFurtherAheadThanItsClassSays() {
    long last = story.now + 90 * Time.DAY;
    assertThat(limit(story.asks("vision", 1).at(last, last + 1))).isNull();
    assertThat(limit(story.asks("vision", 1).at(last + 1, last + 2))).isEqualTo("horizon");
  }

  @Test
  void theTimeAskedForIsLongEnough() {
    Story.AskMaker asks = story.asks("vision", 1);
    assertThat(limit(asks.within(story.now, story.now + Time.HOUR, Time.HOUR))).isNull();
    assertThat(limit(asks.within(story.now, story.now + Time.HOUR, Time.HOUR + 1)))
        .isEqualTo("duration-limit");
  }

  @Test
  void noPoolHasMoreThanTenMillionGpus() {
    assertThat(limit(story.asks("vision", 0).groups(1_000, 10_000))).isNull();
    assertThat(limit(story.asks("vision", 0).groups(1_000, 10_001))).isEqualTo("count-limit");
    assertThat(limit(story.asks("vision", 10_000_000))).isNull();
    assertThat(limit(story.asks("vision", 10_000_001))).isEqualTo("count-limit");
    assertThat(limit(story.asks("vision", -1))).isEqualTo("count-limit");
    assertThat(limit(story.asks("vision", 0).groups(-1, 1))).isEqualTo("count-limit");
  }
}
