package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What was in vain stays in vain for longer holds, until room grows. */
class MemoryTest {

  private static final Shape SHAPE = Story.AskMaker.whole(4);
  private static final String MODEL = "h100";

  private final Undo undo = new Undo();
  private final Memory memory = new Memory(undo);
  private final Found.None told =
      new Found.None(Found.None.Kind.COUNT, 1, 1, "", "node", "n1", List.of());

  private static Span hold(long length) {
    return new Span(Story.T, Story.T + length);
  }

  private Found.None inVain(long length) {
    return memory.inVain(SHAPE, MODEL, hold(length));
  }

  private Found.None same(long length) {
    return memory.same(SHAPE, MODEL, hold(length));
  }

  @Test
  void whatDoesNotFitForSomeTimeDoesNotFitForLonger() {
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), told);
    assertThat(memory.hasFailed(SHAPE, MODEL)).isTrue();
    assertThat(memory.hasFailed(SHAPE, "a100")).isFalse();
    assertThat(inVain(Time.HOUR)).isEqualTo(told);
    assertThat(inVain(Time.HOUR + 1)).isEqualTo(told);
    assertThat(inVain(Time.HOUR - 1)).isNull();
    assertThat(memory.inVain(SHAPE, MODEL, new Span(Story.T, Span.FOREVER))).isEqualTo(told);
  }

  @Test
  void theShortestThatFailedIsKept() {
    memory.failed(SHAPE, MODEL, hold(2 * Time.HOUR), told);
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), told);
    memory.failed(SHAPE, MODEL, hold(3 * Time.HOUR), told);
    assertThat(inVain(Time.HOUR)).isEqualTo(told);
  }

  @Test
  void numbersReplaceNoNumbersAndNotTheOtherWayRound() {
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), Found.None.UNTOLD);
    assertThat(same(Time.HOUR)).as("nobody asked for the numbers").isNull();
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), told);
    assertThat(same(Time.HOUR)).isEqualTo(told);
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), Found.None.UNTOLD);
    assertThat(same(Time.HOUR)).isEqualTo(told);
    assertThat(same(2 * Time.HOUR)).as("of that very hold only").isNull();
  }

  @Test
  void numbersAreOldOnceDevicesWereTaken() {
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), told);
    long before = memory.changes();
    memory.roomShrank();
    assertThat(memory.changes()).isNotEqualTo(before);
    assertThat(same(Time.HOUR)).isNull();
    assertThat(inVain(Time.HOUR)).isEqualTo(told);
  }

  @Test
  void allIsForgottenOnceRoomMayHaveGrown() {
    memory.allTried();
    memory.begin();
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), told);
    memory.allTried();
    assertThat(memory.hasRoomGrown()).isFalse();
    long before = memory.changes();
    memory.roomMayHaveGrown();
    assertThat(memory.hasRoomGrown()).isTrue();
    assertThat(memory.changes()).isNotEqualTo(before);
    assertThat(memory.isQuiet()).isFalse();
    assertThat(inVain(Time.HOUR)).isNull();
    memory.begin();
    assertThat(memory.hasRoomGrown()).as("nobody has looked since").isTrue();
    memory.allTried();
    memory.begin();
    assertThat(memory.hasRoomGrown()).isFalse();
  }

  @Test
  void quietIsTakenBackWithTheDecisionThatSaidSo() {
    memory.allTried();
    assertThat(memory.isQuiet()).isTrue();
    undo.back(0);
    assertThat(memory.isQuiet()).isFalse();
  }

  @Test
  void whatIsSupposedLeavesNoTrace() {
    memory.allTried();
    memory.begin();
    memory.failed(SHAPE, MODEL, hold(Time.HOUR), told);
    long changes = memory.changes();
    Memory.Kept kept = memory.keep();
    assertThat(inVain(Time.HOUR)).as("in what is supposed nothing was tried").isNull();
    memory.roomMayHaveGrown();
    memory.back(kept);
    assertThat(inVain(Time.HOUR)).isEqualTo(told);
    assertThat(memory.hasRoomGrown()).isFalse();
    assertThat(memory.changes()).isEqualTo(changes);
  }

  @Test
  void theEmptyFleetIsSearchedOnceForEachShapeUntilItChanges() {
    Found other = new Found.GaveUp();
    assertThat(memory.onEmpty(SHAPE, MODEL, _ -> told)).isEqualTo(told);
    assertThat(memory.onEmpty(SHAPE, MODEL, _ -> other)).isEqualTo(told);
    memory.fleetChanged();
    assertThat(memory.onEmpty(SHAPE, MODEL, _ -> other)).isEqualTo(other);
    undo.back(0);
    assertThat(memory.onEmpty(SHAPE, MODEL, _ -> told))
        .as("the fleet is the old one again")
        .isEqualTo(told);
  }
}
