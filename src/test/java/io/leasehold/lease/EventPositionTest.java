package io.leasehold.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.lease.EventPosition.Point;
import io.leasehold.web.Problem;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventPositionTest {

  @Test
  void isReadAsItWasWritten() {
    EventPosition position =
        EventPosition.of(Map.of("main", 88213L, "edge-2", 0L)).with("main", new Point(88214, 3));
    assertThat(EventPosition.decoded(position.encoded(), "after")).isEqualTo(position);
    assertThat(position.in("main")).isEqualTo(new Point(88214, 3));
  }

  @Test
  void aPoolThatCameLaterIsReadFromItsStart() {
    assertThat(EventPosition.of(Map.of("main", 5L)).in("new").revision()).isZero();
  }

  @Test
  void ofNoPoolsIsAPositionToo() {
    EventPosition nowhere = EventPosition.of(Map.of());
    assertThat(EventPosition.decoded(nowhere.encoded(), "after")).isEqualTo(nowhere);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%",
        "88213",
        "bWFpbj0x",
        "bWFpbj0xLjI7eA",
        "bWFpbj05OTk5OTk5OTk5OTk5OTk5OTk5OS4x"
      })
  void refusesWhatIsNoPosition(String text) {
    Problem problem =
        catchThrowableOfType(Problem.class, () -> EventPosition.decoded(text, "after"));
    assertThat(problem.status()).isEqualTo(400);
    assertThat(problem.faults().getFirst().parameter()).isEqualTo("after");
  }
}
