package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of a command. An expected no is a value. */
public sealed interface Decision {

  /** A request was decided: the lease as it now stands and why. */
  record Decided(Lease lease, Answer answer) implements Decision {}

  /** Several requests, all or none: in the order asked; if one fails nothing was kept. */
  record DecidedAtomic(boolean kept, List<Decided> each) implements Decision {}

  /** A verb took effect, or its target was reached already. */
  record Done(Lease lease) implements Decision {}

  /** Nothing changed. */
  record Declined(Why why, String detail, @Nullable Answer answer) implements Decision {
    public enum Why {
      NOT_FOUND,
      ILLEGAL_MOVE,
      /** The engine looked and found no room: see the answer. */
      SHORTAGE,
      LIMIT,
      NEVER,
      /** A lease of this id exists in the book. */
      ID_TAKEN,
      /** Too many waiting or open leases of the tenant or the pool. */
      TOO_MANY,
      /** Leases use or draw on what would go away, or a node or name does not fit. */
      IN_USE
    }
  }

  /** The fleet or a contract changed; what it does to leases. */
  record Changed(List<Affected> affected) implements Decision {}

  /** Capacity was set aside, changed or released: the occurrences as they now stand. */
  record Reserved(List<Occurrence> occurrences) implements Decision {
    public Reserved {
      occurrences = List.copyOf(occurrences);
    }
  }

  /**
   * Leases moved as planned, or nothing changed because another plan is due now.
   *
   * @param plan what is planned now
   */
  record Consolidated(ConsolidationPlan plan, boolean applied) implements Decision {}

  /** Guarantees that the healthy fleet or the parent can not hold. */
  record Shortfalls(List<Shortfall> shortfalls) implements Decision {}

  /** What a drain or a loss does to a lease. */
  record Affected(UUID lease, String tenant, Outcome outcome) {
    public enum Outcome {
      ENDS_BEFORE,
      MOVED,
      REPLACED,
      DEGRADED
    }
  }

  /**
   * @param scope {@code pool}, or the parent tenant whose guarantee is too small
   * @param span when it is missing
   * @param promised GPUs guaranteed, this contract included
   * @param available healthy GPUs, or the parent's guarantee
   */
  record Shortfall(String model, String scope, Span span, long promised, long available) {}
}
