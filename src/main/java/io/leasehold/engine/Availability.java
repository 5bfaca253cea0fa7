package io.leasehold.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a request could be had, without asking for it.
 *
 * @param verdict what the request would be answered at this moment
 * @param refusal why REFUSED; null otherwise
 * @param firstStart the first start found in the time looked at (microseconds); null if none
 * @param intervals in order, apart, none empty
 * @param reasons of a verdict that is not ADMITTED
 */
public record Availability(
    Verdict verdict,
    Answer.@Nullable Refusal refusal,
    @Nullable Long firstStart,
    List<Interval> intervals,
    List<Answer.Reason> reasons) {

  public Availability {
    intervals = List.copyOf(intervals);
    reasons = List.copyOf(reasons);
  }

  /**
   * A time all over which at least so many could be in use, in the shape asked for.
   *
   * @param gpus GPUs, MIG instances or fractions, up to as many as asked for; at least 1
   */
  public record Interval(long start, long end, long gpus) {}
}
