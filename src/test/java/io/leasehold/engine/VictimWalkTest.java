package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who is missed least goes first. */
class VictimWalkTest {

  private static Victims.Entry entry(boolean begun, int cost, long since, int id) {
    return new Victims.Entry(new UUID(0, id), begun, true, cost, since);
  }

  private static VictimWalk.Rank rank(
      boolean begun, boolean spared, boolean guaranteed, int priority, int cost) {
    return new VictimWalk.Rank(begun, spared, guaranteed, priority, entry(begun, cost, 0, 1));
  }

  private static <T extends Comparable<T>> void isTheOrder(List<T> order) {
    List<T> shuffled = new ArrayList<>(order);
    Collections.shuffle(shuffled, new Random(7));
    Collections.sort(shuffled);
    assertThat(shuffled).isEqualTo(order);
    for (int i = 1; i < order.size(); i++) {
      assertThat(order.get(i - 1)).as("place %d", i).isLessThan(order.get(i));
      assertThat(order.get(i)).as("place %d", i).isGreaterThan(order.get(i - 1));
    }
  }

  @Test
  void whatHasNotBegunThenWhatHelpsThenWhatIsBorrowedThenTheLowestClassThenTheCheapest() {
    isTheOrder(
        List.of(
            rank(false, false, false, 900, 9),
            rank(false, false, true, 100, 0),
            rank(false, true, false, 100, 0),
            rank(true, false, false, 100, 1),
            rank(true, false, false, 100, 2),
            rank(true, false, false, 200, 0),
            rank(true, false, true, 50, 0),
            rank(true, true, false, 10, 0)));
  }

  @Test
  void inALotTheCheapestThenTheLastToStart() {
    isTheOrder(
        List.of(
            entry(false, 9, 1, 9),
            entry(true, 1, 5, 2),
            entry(true, 1, 4, 1),
            entry(true, 1, 4, 3),
            entry(true, 2, 9, 1)));
  }

  @Test
  void byKindTheirOwnDifferencesDoNotCount() {
    assertThat(
            VictimWalk.Rank.BY_KIND.compare(
                rank(true, false, true, 100, 1), rank(true, false, true, 100, 2)))
        .isZero();
  }
}
