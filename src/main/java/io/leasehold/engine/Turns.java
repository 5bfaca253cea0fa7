package io.leasehold.engine;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;

/**
 * The nodes of a stock by an instant, such as when time alone changes what they have free: a binary
 * heap in which each node is at most once.
 */
final class Turns {

  private final int[] heap;
  private final int[] place;
  private final long[] turn;
  private int size;

  Turns(int nodes) {
    heap = new int[nodes];
    place = new int[nodes];
    turn = new long[nodes];
    Arrays.fill(place, -1);
  }

  /** The node whose turn is first; -1 if time changes nothing. */
  int first() {
    return size == 0 ? -1 : heap[0];
  }

  long turnOf(int node) {
    return turn[node];
  }

  /** Visits nodes by turn, the first first, for as long as the visitor wants more. */
  void visit(IntPredicate wantsMore) {
    PriorityQueue<Integer> next =
        new PriorityQueue<>((one, other) -> isBefore(heap[one], heap[other]) ? -1 : 1);
    if (size > 0) {
      next.add(0);
    }
    while (!next.isEmpty()) {
      int at = next.poll();
      if (!wantsMore.test(heap[at])) {
        return;
      }
      for (int child = 2 * at + 1; child <= 2 * at + 2 && child < size; child++) {
        next.add(child);
      }
    }
  }

  void set(int node, long at) {
    if (place[node] >= 0 && turn[node] == at) {
      return;
    }
    turn[node] = at;
    if (at == Span.FOREVER) {
      remove(node);
    } else {
      if (place[node] < 0) {
        put(size++, node);
      }
      up(place[node]);
      down(place[node]);
    }
  }

  private void remove(int node) {
    int hole = place[node];
    if (hole < 0) {
      return;
    }
    int last = heap[--size];
    place[node] = -1;
    if (last != node) {
      put(hole, last);
      up(hole);
      down(place[last]);
    }
  }

  private void put(int at, int node) {
    heap[at] = node;
    place[node] = at;
  }

  private void up(int from) {
    int node = heap[from];
    int at = from;
    while (at > 0 && isBefore(node, heap[(at - 1) >> 1])) {
      put(at, heap[(at - 1) >> 1]);
      at = (at - 1) >> 1;
    }
    put(at, node);
  }

  private void down(int from) {
    int node = heap[from];
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (child >= size || !isBefore(heap[child], node)) {
        break;
      }
      put(at, heap[child]);
      at = child;
    }
    put(at, node);
  }

  private boolean isBefore(int one, int other) {
    return turn[one] != turn[other] ? turn[one] < turn[other] : one < other;
  }
}
