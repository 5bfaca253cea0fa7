package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An ask is written again if anything of it was changed. */
class AskTest {

  private static final UUID ID = new UUID(1, 1);
  private static final Shape SHAPE = Story.AskMaker.whole(4);
  private static final Ask.When NOW = new Ask.When.Now(Time.HOUR);
  private static final Ask ASK = ask(ID, "vision", "batch", SHAPE, NOW, true, 0, List.of(), null);

  private static Ask ask(
      UUID id,
      String tenant,
      String serviceClass,
      Shape shape,
      Ask.When when,
      boolean preemptible,
      int cost,
      List<UUID> after,
      UUID reservation) {
    return new Ask(
        id,
        tenant,
        serviceClass,
        shape,
        when,
        preemptible,
        Ask.Shortage.WAIT,
        9,
        after,
        cost,
        reservation,
        false,
        null);
  }

  static Stream<Ask> others() {
    Shape five = Story.AskMaker.whole(5);
    Ask.When longer = new Ask.When.Now(2 * Time.HOUR);
    return Stream.of(
        ask(new UUID(1, 2), "vision", "batch", SHAPE, NOW, true, 0, List.of(), null),
        ask(ID, "nlp", "batch", SHAPE, NOW, true, 0, List.of(), null),
        ask(ID, "vision", "realtime", SHAPE, NOW, true, 0, List.of(), null),
        ask(ID, "vision", "batch", five, NOW, true, 0, List.of(), null),
        ask(ID, "vision", "batch", SHAPE, longer, true, 0, List.of(), null),
        ask(ID, "vision", "batch", SHAPE, NOW, false, 0, List.of(), null),
        ask(ID, "vision", "batch", SHAPE, NOW, true, 1, List.of(), null),
        ask(ID, "vision", "batch", SHAPE, NOW, true, 0, List.of(ID), null),
        ask(ID, "vision", "batch", SHAPE, NOW, true, 0, List.of(), ID),
        waiting(Ask.Shortage.REFUSE, 9, false),
        waiting(Ask.Shortage.WAIT, 8, false),
        waiting(Ask.Shortage.WAIT, 9, true),
        waiting(Ask.Shortage.WAIT, 9, false, 10 * Time.SECOND));
  }

  private static Ask waiting(Ask.Shortage onShortage, long until, boolean movable) {
    return waiting(onShortage, until, movable, null);
  }

  private static Ask waiting(
      Ask.Shortage onShortage, long until, boolean movable, Long heartbeatTimeout) {
    return new Ask(
        ID,
        "vision",
        "batch",
        SHAPE,
        NOW,
        true,
        onShortage,
        until,
        List.of(),
        0,
        null,
        movable,
        heartbeatTimeout);
  }

  @ParameterizedTest
  @MethodSource("others")
  void isNotTheSameWithAnythingChanged(Ask other) {
    assertThat(ASK.sameAs(other)).isFalse();
    assertThat(ASK.equals(other)).as("of the same lease").isEqualTo(other.lease().equals(ID));
  }

  @Test
  void isTheSameWithNothingChanged() {
    assertThat(ASK.sameAs(ASK)).isTrue();
    assertThat(ASK.sameAs(waiting(Ask.Shortage.WAIT, 9, false))).isTrue();
  }
}
