package io.leasehold.engine;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.function.ToLongFunction;

/**
 * The most that is in use at one instant of a time. Use only rises where something starts, so one
 * pass in the order of starts finds it, however many lie on the node.
 */
final class Peak {

  private Peak() {}

  /**
   * @param held in the order of {@link Held#ORDER}
   * @param possessed counts at the start of what is due
   */
  static long of(Held[] held, Held[] possessed, Over over, ToLongFunction<Held> weight) {
    if (over.empty()) {
      return 0;
    }
    long use = 0;
    int next = 0;
    for (; next < held.length && held[next].start() <= over.start(); next++) {
      use += held[next].end() > over.start() ? weight.applyAsLong(held[next]) : 0;
    }
    long most = use;
    for (int i = 0; i < possessed.length && over.due(); i++) {
      most += isHeld(possessed[i], held, over.start()) ? 0 : weight.applyAsLong(possessed[i]);
    }
    boolean nothingStarts = next == held.length || held[next].start() >= over.end();
    return nothingStarts ? most : Math.max(most, later(held, next, use, over, weight));
  }

  /** The most from the first start after that of the time. */
  private static long later(
      Held[] held, int first, long atStart, Over over, ToLongFunction<Held> weight) {
    PriorityQueue<Held> running = new PriorityQueue<>(Held.SOONEST_FREE);
    for (int i = 0; i < first; i++) {
      if (held[i].end() > over.start()) {
        running.add(held[i]);
      }
    }
    long use = atStart;
    long most = atStart;
    for (int next = first; next < held.length && held[next].start() < over.end(); next++) {
      while (!running.isEmpty() && running.element().end() <= held[next].start()) {
        use -= weight.applyAsLong(running.remove());
      }
      use += weight.applyAsLong(held[next]);
      running.add(held[next]);
      most = Math.max(most, use);
    }
    return most;
  }

  /** Whether what is possessed counts already, because its own hold contains an instant. */
  static boolean isHeld(Held possessed, Held[] held, long instant) {
    return possessed.contains(instant) && Arrays.binarySearch(held, possessed, Held.ORDER) >= 0;
  }
}
