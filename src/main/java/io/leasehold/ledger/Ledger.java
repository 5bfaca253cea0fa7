package io.leasehold.ledger;

import io.leasehold.engine.Book;
import io.leasehold.engine.Move;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The way into the committed path: one decider per pool in this replica. A change, whoever makes
 * it, is handed in as a command and comes back as an outcome.
 */
public class Ledger implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);
  private static final int RETRY_AFTER_SECONDS = 1;
  private static final long DISCOVER_MILLIS = 1_000;

  private final DataSource connections;
  private final LeaseRecords records;
  private final LedgerSettings settings;
  private final LedgerMetrics metrics;
  private final Administration administration;
  private final Map<String, Decider> deciders = new ConcurrentSkipListMap<>();
  private final Handover handover;
  private final ExecutorService lookers =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("change-feed-", 0).factory());
  private final ChangeFeed feed;
  private @Nullable Thread discovery;
  private volatile boolean running;
  private volatile boolean discovered;

  /**
   * @param connections of the deciders: no auto-commit, short time-outs, nobody else's
   * @param records reads on the doors' connections
   */
  Ledger(
      DataSource connections,
      LeaseRecords records,
      LedgerSettings settings,
      LedgerMetrics metrics) {
    this.connections = connections;
    this.records = records;
    this.settings = settings;
    this.metrics = metrics;
    this.administration = new Administration(connections);
    this.feed = new ChangeFeed(records, lookers);
    this.handover = new Handover(settings, this::handIn);
  }

  /** Hands a command to the pool's decider and waits for the commit. */
  public Outcome submit(String pool, Submission submission, @Nullable Key key) {
    return submitAll(pool, List.of(submission), key).getFirst();
  }

  /**
   * Several commands, decided in as few batches as the cap allows; under one idempotency key in
   * parts of a fixed size, whose outcomes are kept with the key. In one batch when one follows
   * another, whatever their urgency.
   */
  public List<Outcome> submitAll(String pool, List<Submission> submissions, @Nullable Key key) {
    return handover.submitAll(pool, submissions, key);
  }

  private void handIn(String pool, Ticket ticket) {
    Decider decider = decider(pool);
    if (decider == null || !decider.submit(ticket)) {
      ticket.answer(unavailable(pool, decider));
    }
  }

  private Outcome.Unavailable unavailable(String pool, @Nullable Decider decider) {
    String why =
        decider == null
            ? "pool " + pool + " is not known here (yet)"
            : running ? "the database is away" : "stopping";
    return new Outcome.Unavailable(why, RETRY_AFTER_SECONDS);
  }

  private @Nullable Decider decider(String pool) {
    Decider decider = deciders.get(pool);
    if (decider == null && running) {
      try {
        discover();
      } catch (SQLException e) {
        return null;
      }
      decider = deciders.get(pool);
    }
    return decider;
  }

  /** Decides and undoes: what {@link #submit} would answer at this moment. */
  public Outcome rehearse(String pool, Submission submission) {
    Map<UUID, StoredLease> rows = new HashMap<>();
    records.stored(Subjects.leases(submission.command())).forEach(row -> rows.put(row.id(), row));
    try {
      return ask(
          pool,
          (live, now) -> Rehearsal.of(pool, live.book(), live.revision(), submission, now, rows));
    } catch (NotAble e) {
      return e.why();
    }
  }

  /**
   * Asks the book, caught up with the log, on the decider's thread. The second argument is now.
   *
   * @throws NotAble when the database is away or the service stops
   */
  public <T> T consult(String pool, BiFunction<Book, Long, T> question) {
    return ask(pool, (live, now) -> question.apply(live.book(), now));
  }

  /** What a question found, and the pool's revision that it was asked of. */
  public record Consulted<T>(long bookRevision, T found) {}

  /** The same for an answer that says which book it is of. */
  public <T> Consulted<T> consultBook(String pool, BiFunction<Book, Long, T> question) {
    return ask(
        pool, (live, now) -> new Consulted<>(live.revision(), question.apply(live.book(), now)));
  }

  /** The same with the book's revision beside it. */
  <T extends @Nullable Object> T consultLive(String pool, Function<LiveBook, T> question) {
    return ask(pool, (live, now) -> question.apply(live));
  }

  private <T> T ask(String pool, BiFunction<LiveBook, Long, T> question) {
    Decider decider = decider(pool);
    Asked<T> asked = new Asked<>(question);
    if (decider == null || !decider.ask(asked)) {
      throw new NotAble(unavailable(pool, decider));
    }
    try {
      return asked.answer.get(settings.answerWithin().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new NotAble(new Outcome.Unavailable("not answered in time", RETRY_AFTER_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotAble(new Outcome.Unavailable("interrupted", RETRY_AFTER_SECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NotAble notAble) {
        throw notAble;
      }
      throw new IllegalStateException("the question failed", e.getCause());
    }
  }

  private static final class Asked<T> implements Inbox.Question {
    private final BiFunction<LiveBook, Long, T> question;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    Asked(BiFunction<LiveBook, Long, T> question) {
      this.question = question;
    }

    @Override
    public void ask(LiveBook book, long now) {
      try {
        answer.complete(question.apply(book, now));
      } catch (RuntimeException | StackOverflowError e) {
        answer.completeExceptionally(e);
      }
    }

    @Override
    public void fail(Outcome.Unavailable why) {
      answer.completeExceptionally(new NotAble(why));
    }
  }

  /** A question could not be put. */
  public static final class NotAble extends RuntimeException {
    private final Outcome.Unavailable why;

    NotAble(Outcome.Unavailable why) {
      super(why.reason(), null, false, false);
      this.why = why;
    }

    public Outcome.Unavailable why() {
      return why;
    }
  }

  /**
   * A change that concerns every pool (tenant tree, class, model), or none (members, keys): one
   * transaction with the administration's lock and, when there are moves, all pool locks in order;
   * one move in each log.
   *
   * @param subject what the audit fact names: {@code tenant:vision}
   * @param cause kebab-case: {@code tenant-created}
   * @param work writes the feature's rows on the connection and returns the reply to keep for the
   *     key (JSON, without secrets); throws {@link Rider.Refused} to take all back, which is thrown
   *     on to the caller
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
    Imposed imposed =
        administration.impose(
            new Administration.Change(actor, traceId, subject, tenant, cause, moves, key, work));
    if (!moves.isEmpty()) {
      deciders.values().forEach(Decider::nudge);
    }
    return imposed;
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
    return feed.next(lease, seen, atMost);
  }

  /**
   * Creates a pool with its decider; replicas find it by polling. One that exists is left alone.
   */
  public void createPool(String pool, Actor actor, String traceId) {
    try {
      createPool(pool, actor, traceId, null, connection -> "{}");
    } catch (Rider.Refused exists) {
      LOG.debug("pool {} exists", pool);
      decider(pool);
    }
  }

  /**
   * Creates a pool with its decider and the feature's rows of it, all in one transaction; {@link
   * Rider.Refused} if there is one of this name.
   */
  public Imposed createPool(
      String pool, Actor actor, String traceId, @Nullable Key key, Work work) {
    Imposed imposed = administration.createPool(pool, actor, traceId, key, work);
    if (imposed instanceof Imposed.Written) {
      decider(pool);
    }
    return imposed;
  }

  public List<String> pools() {
    return List.copyOf(deciders.keySet());
  }

  /** Submissions that wait for the pool's decider. */
  int waiting(String pool) {
    Decider decider = deciders.get(pool);
    return decider == null ? 0 : decider.waiting();
  }

  /** Whether every pool's book is loaded: readiness. */
  public boolean isReady() {
    return running && discovered && deciders.values().stream().allMatch(Decider::isReady);
  }

  @Override
  public void start() {
    running = true;
    discovery = Thread.ofVirtual().name("pool-discovery").start(this::keepDiscovering);
  }

  private void keepDiscovering() {
    while (running) {
      try {
        discover();
        discovered = true;
      } catch (SQLException | RuntimeException e) {
        LOG.warn("pools can not be read: {}", e.toString());
      }
      try {
        Thread.sleep(DISCOVER_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private synchronized void discover() throws SQLException {
    Map<String, Integer> found = new TreeMap<>();
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(true);
      new Script()
          .ask(
              "select slug, ordinal from pool where slug <> ?",
              rows -> {
                while (rows.next()) {
                  found.put(rows.getString(1), rows.getInt(2));
                }
              },
              Administration.POOL)
          .run(connection);
    }
    found.forEach(
        (pool, ordinal) -> {
          if (running && !deciders.containsKey(pool)) {
            Decider decider = new Decider(pool, ordinal, connections, settings, metrics, feed);
            deciders.put(pool, decider);
            decider.start();
          }
        });
  }

  /** Each decider finishes the batch it is at; everything after is refused. */
  @Override
  public void stop() {
    running = false;
    if (discovery != null) {
      discovery.interrupt();
    }
    deciders.values().forEach(Decider::stop);
    lookers.shutdown();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Before the doors open, after the migrations; and stopped after them. */
  @Override
  public int getPhase() {
    return 0;
  }
}
