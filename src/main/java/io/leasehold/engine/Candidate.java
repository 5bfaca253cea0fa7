package io.leasehold.engine;

import java.util.Comparator;

/**
 * A request in line, new or waiting.
 *
 * @param lease REQUESTED or WAITING
 * @param guaranteed it would lie inside its guarantee at every level
 */
record Candidate(Lease lease, Terms terms, boolean guaranteed) {

  /** Inside the guarantee first, then by class, then who holds an earmark, then by arrival. */
  static final Comparator<Candidate> PRECEDENCE =
      Comparator.comparing((Candidate each) -> !each.guaranteed())
          .thenComparing(each -> -each.terms().serviceClass().priority())
          .thenComparing(Candidate::rank)
          .thenComparing(each -> each.lease().sequence());

  private int rank() {
    Lease.Earmark earmark = lease.earmark();
    return earmark == null ? Integer.MAX_VALUE : earmark.rank();
  }

  boolean isNew() {
    return lease.state() == LeaseState.REQUESTED;
  }

  Ask ask() {
    return lease.ask();
  }

  /** What equal requests of one tenant have in common: if one finds nothing, none does. */
  Lane lane() {
    Ask ask = lease.ask();
    return new Lane(
        ask.tenant(), ask.serviceClass(), ask.shape(), ask.when(), ask.preemptible(),
        ask.after());
  }

  record Lane(
      String tenant,
      String serviceClass,
      Shape shape,
      Ask.When when,
      boolean preemptible,
      java.util.List<java.util.UUID> after) {}
}
