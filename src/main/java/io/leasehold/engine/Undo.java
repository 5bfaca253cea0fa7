package io.leasehold.engine;

import java.util.ArrayDeque;

/**
 * The inverse operations of what was done to a book since it was last settled. A failed commit, a
 * dry run, a half-placed gang goes back to its mark.
 */
final class Undo {

  private final ArrayDeque<Runnable> inverses = new ArrayDeque<>();

  /** Remembers how to take back what is done right now. */
  void record(Runnable inverse) {
    inverses.push(inverse);
  }

  int mark() {
    return inverses.size();
  }

  /** Takes back everything since the mark, last first. */
  void back(int mark) {
    while (inverses.size() > mark) {
      inverses.pop().run();
    }
  }

  /** What was done stands: forgets how to take it back. */
  void settle() {
    inverses.clear();
  }
}
