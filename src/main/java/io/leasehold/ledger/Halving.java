package io.leasehold.ledger;

import io.leasehold.engine.Decision;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command that can not be written does not take the others with it. If a value or a constraint
 * breaks a batch, each half is tried by itself until the culprit is alone; so it is within a list
 * that commits under one key, where the culprit's outcome is kept with those of the others. What
 * belongs together for its caller (an atomic create) is one command, and fails as one.
 */
final class Halving {

  private static final Logger LOG = LoggerFactory.getLogger(Halving.class);

  private final String pool;
  private final Attempts attempts;
  private final LedgerMetrics metrics;

  Halving(String pool, Attempts attempts, LedgerMetrics metrics) {
    this.pool = pool;
    this.attempts = attempts;
    this.metrics = metrics;
  }

  /** Makes one batch of tickets, or throws {@link Poisoned}. */
  @FunctionalInterface
  interface Attempts {
    @Nullable Attempt make(List<Ticket> tickets, Steps steps)
        throws SQLException, InterruptedException;
  }

  /** What is done with a batch. */
  @FunctionalInterface
  interface Steps {
    void take(Attempt attempt, Connection connection) throws SQLException;
  }

  /** Decides on the tickets; each is answered, whatever happens. */
  void decide(List<Ticket> tickets) throws SQLException, InterruptedException {
    Deque<List<Ticket>> left = new ArrayDeque<>();
    left.push(tickets);
    try {
      while (!left.isEmpty()) {
        decideFirst(left);
      }
    } finally {
      left.forEach(
          part -> part.forEach(t -> t.answer(new Outcome.Unavailable("the database is away", 1))));
    }
  }

  private void decideFirst(Deque<List<Ticket>> left) throws SQLException, InterruptedException {
    List<Ticket> part = left.peek();
    try {
      attempts.make(part, Attempt::run);
      left.pop();
    } catch (Poisoned e) {
      if (part.size() > 1) {
        left.pop();
        left.push(part.subList(part.size() / 2, part.size()));
        left.push(part.subList(0, part.size() / 2));
      } else if (!setCulpritsAside(part.getFirst())) {
        left.pop();
        Outcome outcome = parked(part.getFirst().submissions().getFirst(), e.getCause());
        metrics.outcome(outcome);
        part.getFirst().answer(outcome);
      }
    }
  }

  /** False if no submission of it breaks the write by itself. */
  private boolean setCulpritsAside(Ticket ticket) throws SQLException, InterruptedException {
    if (!ticket.mayBeParted()) {
      return false;
    }
    Map<Integer, Outcome> aside = new TreeMap<>();
    Culprits.of(ticket, this::failure)
        .forEach((i, cause) -> aside.put(i, parked(ticket.submissions().get(i), cause)));
    ticket.setAside(aside);
    return !aside.isEmpty();
  }

  private @Nullable Throwable failure(Ticket part) throws SQLException, InterruptedException {
    try {
      attempts.make(List.of(part), Attempt::rehearse);
      return null;
    } catch (Poisoned e) {
      return e.getCause();
    }
  }

  /** An operator finds it logged; that the id is a lease's already is the caller's own matter. */
  private Outcome parked(Submission submission, Throwable cause) {
    if (Trouble.isLeaseIdTaken(cause)) {
      Decision taken =
          new Decision.Declined(Decision.Declined.Why.ID_TAKEN, "a lease of this id exists", null);
      return new Outcome.Committed(taken, List.of(), 0, false);
    }
    LOG.error(
        "pool {}: {} of {} breaks the write: {}; trace {}",
        pool,
        submission.command().getClass().getSimpleName(),
        submission.actor().principal(),
        Trouble.describe(cause),
        submission.traceId());
    return new Outcome.Broken(Trouble.describe(cause));
  }

  /** One of the tickets can not be written. */
  static final class Poisoned extends RuntimeException {
    Poisoned(Throwable cause) {
      super(cause);
    }
  }
}
