package io.leasehold.ledger;

import io.leasehold.engine.Book;
import io.leasehold.engine.Move;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way into the committed path: one decider per pool in this replica. */
public class Ledger {

  /** Hands a command to the pool's decider and waits for the commit. */
  public Outcome submit(String pool, Submission submission, @Nullable Key key) {
    throw new UnsupportedOperationException();
  }

  /** Several commands under one idempotency key; decided in as few batches as the cap allows. */
  public List<Outcome> submitAll(String pool, List<Submission> submissions, @Nullable Key key) {
    throw new UnsupportedOperationException();
  }

  /** Decides and undoes: what {@link #submit} would answer at this moment. */
  public Outcome rehearse(String pool, Submission submission) {
    throw new UnsupportedOperationException();
  }

  /** Asks the book, caught up with the log, on the decider's thread. The second argument is now. */
  public <T> T consult(String pool, BiFunction<Book, Long, T> question) {
    throw new UnsupportedOperationException();
  }

  /**
   * A change that concerns every pool (tenant tree, class, model), or none (members, keys): one
   * transaction with the administration's lock and, when there are moves, all pool locks in order;
   * one move in each log.
   *
   * @param subject what the audit fact names: {@code tenant:vision}
   * @param cause kebab-case: {@code tenant-created}
   * @param work writes the feature's rows on the connection and returns the reply to keep for the
   *     key (JSON, without secrets)
   */
  public Imposed impose(
      Actor actor,
      String traceId,
      String subject,
      @Nullable String tenant,
      String cause,
      List<Move> moves,
      @Nullable Key key,
      Work work) {
    throw new UnsupportedOperationException();
  }

  /** Feature rows of an imposed change. */
  @FunctionalInterface
  public interface Work {
    String write(java.sql.Connection connection) throws java.sql.SQLException;
  }

  /** What became of an imposed change. */
  public sealed interface Imposed {
    record Written(String reply, boolean replayed) implements Imposed {}

    record KeyReused() implements Imposed {}
  }

  /**
   * Completes when the lease has a revision above {@code seen}, here or in the log; exceptionally
   * with a time-out otherwise.
   */
  public CompletableFuture<LeaseRecord> nextChange(UUID lease, long seen, Duration atMost) {
    throw new UnsupportedOperationException();
  }

  /** Creates a pool with its decider; replicas find it by polling. */
  public void createPool(String pool, Actor actor, String traceId) {
    throw new UnsupportedOperationException();
  }

  public List<String> pools() {
    throw new UnsupportedOperationException();
  }

  /** Whether every pool's book is loaded: readiness. */
  public boolean isReady() {
    throw new UnsupportedOperationException();
  }
}
