package io.leasehold.engine;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** The nodes of a stock that changed since an index last looked, each once. */
final class Touched {

  private final boolean[] is;
  private int[] nodes = new int[16];
  private int size;

  /** At first all of them. */
  Touched(int count) {
    is = new boolean[count];
    for (int i = 0; i < count; i++) {
      add(i);
    }
  }

  void add(int node) {
    if (!is[node]) {
      is[node] = true;
      if (size == nodes.length) {
        nodes = Arrays.copyOf(nodes, 2 * size);
      }
      nodes[size++] = node;
    }
  }

  /** Looks at each; then none is left. */
  void each(IntConsumer look) {
    for (int i = 0; i < size; i++) {
      is[nodes[i]] = false;
      look.accept(nodes[i]);
    }
    size = 0;
  }

  int size() {
    return size;
  }
}
