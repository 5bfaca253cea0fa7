package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A verdict with its reasons: kept with the lease and shown.
 *
 * @param refusal why REFUSED; null otherwise
 * @param start the start booked or expected (microseconds); null when not known
 * @param expected true = {@code start} is an estimate or an earmark, not a booking
 */
public record Answer(
    Verdict verdict,
    @Nullable Refusal refusal,
    long decidedAt,
    @Nullable Long start,
    boolean expected,
    List<Reason> reasons,
    List<Blocker> blockedBy,
    List<Alternative> alternatives) {

  public Answer {
    reasons = List.copyOf(reasons);
    blockedBy = List.copyOf(blockedBy);
    alternatives = List.copyOf(alternatives);
  }

  /** The three kinds of no. */
  public enum Refusal {
    /** Fails on the empty fleet, or above the highest limit of all known contracts. */
    NEVER,
    /** Does not fit now and may not wait. */
    SHORTAGE,
    /** Over a limit of the class or the tenant. */
    LIMIT
  }

  /**
   * One reason, with numbers.
   *
   * @param code kebab-case: capacity, shape, guarantee, borrowing-limit, lending-limit,
   *     duration-limit, horizon, held-open-ended, after, cluster-paused, wait-expired,
   *     not-found-without-moves, ...
   * @param scope pool, cluster, domain, node, model, tenant, class
   * @param name which one of the scope; only own ancestors are named for tenants
   * @param unit gpu, gpu-milli, mib, cpu-milli, second, lease, step
   */
  public record Reason(
      String code,
      String detail,
      String scope,
      String name,
      @Nullable Long need,
      @Nullable Long used,
      @Nullable Long limit,
      String unit) {}

  /**
   * Who holds what is missing. The doors hide ids, names and classes of others.
   *
   * @param until microseconds; {@link Span#FOREVER} when open-ended
   */
  public record Blocker(UUID lease, String tenant, long gpuMilli, long until) {}

  /**
   * Something that was feasible at this moment; the ask can be sent as it is.
   *
   * @param kind later-start, earlier-start, fewer-gpus, other-model, other-topology, shorter
   */
  public record Alternative(String kind, @Nullable Long start, Ask ask) {}
}
