package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;

/** What a look for devices and limits came to. */
sealed interface Attempt {

  /** Booked as soon as somebody takes it. */
  record Fits(Booking booking, Span window, boolean guaranteed) implements Attempt {}

  /**
   * Not now.
   *
   * @param after it waits for other leases to be over, not for room
   * @param most the largest number of pieces that would fit now
   */
  record Short(List<Answer.Reason> reasons, List<Answer.Blocker> blockers, boolean after, long most)
      implements Attempt {

    /** The same, told that planned leases might have made room elsewhere. */
    Short withoutMoves() {
      return and(
          Reasons.plain(
              "not-found-without-moves",
              "no way was found to bind what is planned elsewhere so that it fits"));
    }

    Short and(Answer.Reason reason) {
      List<Answer.Reason> more = new ArrayList<>(reasons);
      more.add(reason);
      return new Short(more, blockers, after, most);
    }
  }

  /** The budget was used up: not an answer. */
  record Spent() implements Attempt {}
}
