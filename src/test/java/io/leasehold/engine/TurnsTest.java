package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes by turn, held against a sorted map. */
class TurnsTest {

  private static final int NODES = 24;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void areInTheOrderOfTimeAndThenOfNodes(long seed) {
    Random random = new Random(seed);
    Turns turns = new Turns(NODES);
    TreeMap<Integer, Long> expected = new TreeMap<>();
    for (int step = 0; step < 400; step++) {
      int node = random.nextInt(NODES);
      boolean never = random.nextInt(3) == 0;
      long at = never ? Span.FOREVER : random.nextInt(40);
      turns.set(node, at);
      if (never) {
        expected.remove(node);
      } else {
        expected.put(node, at);
      }
      List<Integer> order = new ArrayList<>(expected.keySet());
      order.sort(Comparator.comparing(expected::get));
      String why = "seed " + seed + " step " + step;
      assertThat(turns.first()).as(why).isEqualTo(order.isEmpty() ? -1 : order.getFirst());
      assertThat(visited(turns, NODES)).as(why).isEqualTo(order);
      if (!never) {
        assertThat(turns.turnOf(node)).as(why).isEqualTo(at);
      }
    }
    assertThat(visited(turns, 3)).hasSize(3);
  }

  private static List<Integer> visited(Turns turns, int most) {
    List<Integer> visited = new ArrayList<>();
    turns.visit(
        node -> {
          visited.add(node);
          return visited.size() < most;
        });
    return visited;
  }
}
