package io.leasehold.engine;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request in line, new or waiting.
 *
 * @param lease REQUESTED or WAITING
 * @param guaranteed it would lie inside its guarantee at every level
 * @param allowed its limits let it in now, with some model
 * @param aged it waits for longer than its class should let it, and longest of its kind
 * @param model the first model that it is tried with; empty when no model would do
 * @param need thousandths of GPUs of that model
 */
record Candidate(
    Lease lease,
    Terms terms,
    boolean guaranteed,
    boolean allowed,
    boolean aged,
    String model,
    long need) {

  boolean isNew() {
    return lease.state() == LeaseState.REQUESTED;
  }

  Ask ask() {
    return lease.ask();
  }

  /** How long it lasts; the same for as long as it waits. */
  long length() {
    return terms.lengthFrom(terms.earliestStart(lease.createdAt()));
  }

  /** What equal requests of one tenant have in common: if one finds nothing, none does. */
  record Lane(
      String tenant,
      String serviceClass,
      Shape shape,
      Ask.When when,
      boolean preemptible,
      List<UUID> after,
      @Nullable UUID reservation) {

    static Lane of(Ask ask) {
      return new Lane(
          ask.tenant(),
          ask.serviceClass(),
          ask.shape(),
          ask.when(),
          ask.preemptible(),
          ask.after(),
          ask.reservation());
    }
  }

  /** Requests that age together. */
  record Kind(String serviceClass, List<String> models) {

    static Kind of(Ask ask) {
      return new Kind(ask.serviceClass(), ask.shape().modelSet());
    }
  }
}
