package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** More leases end at one instant than one batch looks at. */
class HerdTest {

  private static final int HERD = Clockwork.MOST + 1;

  private final Story story = Story.of("h100", nodesOf64(HERD));
  private final List<UUID> herd = new ArrayList<>();

  private static int[] nodesOf64(int gpus) {
    int[] nodes = new int[gpus / 64 + 1];
    Arrays.fill(nodes, 64);
    return nodes;
  }

  private void allEndInAnHour() {
    Command[] requests = new Command[HERD];
    for (int i = 0; i < HERD; i++) {
      Ask ask = story.asks("vision", 1).ask();
      herd.add(ask.lease());
      requests[i] = new Command.Create(ask);
    }
    story.decide(requests);
    assertThat(ending()).isZero();
    story.now += Time.HOUR;
  }

  private long ending() {
    return herd.stream().filter(id -> story.state(id) == LeaseState.ENDING).count();
  }

  @Test
  void endsInSeveralBatches() {
    allEndInAnHour();
    story.decide(new Command.Tick());
    assertThat(story.book.leases().stream().filter(l -> l.state() == LeaseState.ENDING).count())
        .isEqualTo(Clockwork.MOST);
    assertThat(story.book.nextDue()).isLessThanOrEqualTo(story.now);

    story.decide(new Command.Tick());
    assertThat(story.book.leases()).allMatch(lease -> lease.state() == LeaseState.ENDING);
  }

  @Test
  void whatIsOverIsNotExtendedWhileItsTurnHasNotCome() {
    allEndInAnHour();
    List<Decision> decisions = new ArrayList<>();
    Command[] extensions =
        herd.stream()
            .map(id -> new Command.Extend(id, story.now + Time.HOUR))
            .toArray(Command[]::new);
    decisions.addAll(story.decide(extensions).decisions());
    assertThat(decisions)
        .allSatisfy(
            decision ->
                assertThat(decision)
                    .isInstanceOfSatisfying(
                        Decision.Declined.class,
                        declined ->
                            assertThat(declined.why())
                                .isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE)));
  }
}
