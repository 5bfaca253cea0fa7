package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What every command does to a lease in every state. */
class MoveTableTest {

  private static final LeaseState[] STATES = {
    LeaseState.WAITING,
    LeaseState.PLANNED,
    LeaseState.ALLOCATED,
    LeaseState.PUBLISHING,
    LeaseState.ACTIVE,
    LeaseState.ENDING,
    LeaseState.ENDED
  };

  /** {@code =} done without a move, {@code ~} a move that keeps the state, {@code -} declined. */
  private static final String TABLE =
      """
      command    WAITING   PLANNED   ALLOCATED  PUBLISHING ACTIVE  ENDING  ENDED
      release    CANCELLED CANCELLED ENDING     ENDING     ENDING  =       -
      cancel     CANCELLED CANCELLED ENDING     ENDING     -       =       -
      revoke     CANCELLED CANCELLED ENDING     ENDING     ENDING  =       -
      extend     -         ~         ~          ~          ~       -       -
      shorten    -         ~         ~          ~          ~       -       -
      same-end   -         =         =          =          =       -       -
      annotate   ~         ~         ~          ~          ~       ~       -
      accepted   =         =         PUBLISHING =          =       =       -
      usable     =         =         ACTIVE     ACTIVE     =       =       -
      withdrawn  =         =         =          =          =       CANCELLED -
      parked     =         =         ~          ~          ~       ~       -
      no-room    =         =         ~          ~          ~       ~       -
      """;

  @TestFactory
  Stream<DynamicTest> everyPair() {
    return TABLE.lines().skip(1).flatMap(line -> row(line.trim().split("\\s+")));
  }

  private static Stream<DynamicTest> row(String[] row) {
    Map<LeaseState, String> expected = new EnumMap<>(LeaseState.class);
    for (int i = 0; i < STATES.length; i++) {
      expected.put(STATES[i], row[i + 1]);
    }
    return expected.entrySet().stream()
        .map(
            pair ->
                DynamicTest.dynamicTest(
                    row[0] + " when " + pair.getKey(),
                    () -> check(row[0], pair.getKey(), pair.getValue())));
  }

  private static void check(String command, LeaseState state, String expected) {
    Story story = Story.of("h100", 8);
    UUID id = leaseIn(state, story);
    Lease before = story.lease(id);
    assertThat(story.state(id)).isEqualTo(state);
    Batch batch = story.decide(command(command, id, before, story));
    Decision decision = batch.decisions().getFirst();
    switch (expected) {
      case "-" -> {
        assertThat(decision).isInstanceOf(Decision.Declined.class);
        assertThat(batch.moves()).isEmpty();
      }
      case "=" -> {
        assertThat(decision).isEqualTo(new Decision.Done(before));
        assertThat(batch.moves()).isEmpty();
      }
      case "~" -> {
        assertThat(story.state(id)).isEqualTo(state);
        assertThat(story.lease(id).revision()).isEqualTo(before.revision() + 1);
      }
      default -> assertThat(story.state(id)).isEqualTo(LeaseState.valueOf(expected));
    }
    if (decision instanceof Decision.Done done) {
      assertThat(done.lease().state())
          .as("the answer is what is stored")
          .isEqualTo(story.state(id));
    }
  }

  private static Command command(String name, UUID id, Lease before, Story story) {
    int generation = before == null ? 1 : before.generation();
    Span window = before == null ? null : before.window();
    long end = window == null ? story.now + Time.HOUR : window.end();
    return switch (name) {
      case "release" -> new Command.Release(id);
      case "cancel" -> new Command.Cancel(id);
      case "revoke" -> new Command.Revoke(id, "misuse");
      case "extend" -> new Command.Extend(id, end + Time.HOUR);
      case "shorten" -> new Command.Shorten(id, end - Time.MINUTE);
      case "same-end" -> new Command.Extend(id, end);
      case "annotate" -> new Command.Annotate(id);
      default ->
          new Command.Report(
              id, generation, Command.Report.News.valueOf(name.toUpperCase().replace('-', '_')));
    };
  }

  private static UUID leaseIn(LeaseState state, Story story) {
    if (state == LeaseState.WAITING) {
      story.asks("vision", 8).lease();
      return story.asks("vision", 8).lease().id();
    }
    if (state == LeaseState.PLANNED) {
      long start = story.now + Time.HOUR;
      return story.asks("vision", 8).at(start, start + Time.HOUR).lease().id();
    }
    Lease lease = story.asks("vision", 8).lease();
    if (state == LeaseState.PUBLISHING) {
      story.decide(new Command.Report(lease.id(), 1, Command.Report.News.ACCEPTED));
    } else if (state == LeaseState.ACTIVE) {
      story.decide(Story.usable(lease));
    } else if (state == LeaseState.ENDING) {
      story.decide(new Command.Release(lease.id()));
    } else if (state == LeaseState.ENDED) {
      story.clusterObeys();
      story.decide(new Command.Release(lease.id()));
      story.clusterObeys();
    }
    return lease.id();
  }

  @Test
  void noDraftBecomesWhatItsStateMayNot() {
    Lease waiting = Draft.requested(Story.of("h100", 8).asks("vision", 8).ask(), 1, Story.T);
    Lease planned = Draft.of(waiting).to(LeaseState.WAITING).to(LeaseState.PLANNED).lease();
    assertThat(LeaseState.ENDED.mayBecome(LeaseState.ACTIVE)).isFalse();
    assertThatThrownBy(() -> Draft.of(planned).to(LeaseState.ACTIVE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("PLANNED may not become ACTIVE");
  }
}
