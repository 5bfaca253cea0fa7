package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A place in the queue, as of now.
 *
 * @param position from 1
 * @param expectedStart an earmark or an estimate; null when not known (too far back, or behind
 *     holders without an end)
 * @param earmarked nothing of lower precedence delays the start; else it is an estimate
 */
public record Place(
    UUID lease,
    String tenant,
    long gpuMilli,
    int position,
    @Nullable Long expectedStart,
    boolean earmarked,
    List<Answer.Reason> reasons) {

  public Place {
    reasons = List.copyOf(reasons);
  }
}
