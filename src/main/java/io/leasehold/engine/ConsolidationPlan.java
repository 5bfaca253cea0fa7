package io.leasehold.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fewest and cheapest moves that were found after which a request fits, every one re-placed.
 *
 * @param fits where and when the request would lie; null where no plan was found, then {@code
 *     reasons} say why
 * @param moves empty where it fits without any
 */
public record ConsolidationPlan(
    @Nullable Fits fits, List<Relocation> moves, List<Answer.Reason> reasons) {

  public ConsolidationPlan {
    moves = List.copyOf(moves);
    reasons = List.copyOf(reasons);
  }

  /** The latest start, whatever the clusters take; sooner if they are done sooner. */
  public record Fits(Span window, Booking booking) {}
}
