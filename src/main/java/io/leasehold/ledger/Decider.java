package io.leasehold.ledger;

import io.leasehold.engine.Move;
import io.leasehold.engine.Span;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread of this replica that decides for a pool. It takes what waits, in batches; wakes
 * when something is due; follows the log between; and answers questions on its book. Nothing that
 * goes wrong in one turn ends it.
 */
final class Decider implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(Decider.class);
  private static final int MOST_TRIES = 5;
  private static final long BACKOFF_MILLIS = 100;
  private static final Duration LOADING = Duration.ofMinutes(5);
  private static final long OUT_OF_TOUCH_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String pool;
  private final int ordinal;
  private final DataSource connections;
  private final LedgerSettings settings;
  private final LedgerMetrics metrics;
  private final ChangeFeed feed;
  private final Inbox inbox = new Inbox();
  private final BatchCap cap;
  private final Gathering gathering = new Gathering();
  private final Halving halving;
  private final DatabaseClock clock = new DatabaseClock();
  private final AtomicReference<Long> lag = new AtomicReference<>(0L);
  private final Thread thread;

  private @Nullable LiveBook live;
  private volatile boolean loaded;
  private volatile boolean away;
  private volatile long inTouch = System.nanoTime();
  private long lastFollow;
  private long notDueBefore = Long.MIN_VALUE;

  Decider(
      String pool,
      int ordinal,
      DataSource connections,
      LedgerSettings settings,
      LedgerMetrics metrics,
      ChangeFeed feed) {
    this.pool = pool;
    this.ordinal = ordinal;
    this.connections = connections;
    this.settings = settings;
    this.metrics = metrics;
    this.feed = feed;
    this.cap = new BatchCap(settings);
    this.halving = new Halving(pool, this::attempt, metrics);
    this.thread = Thread.ofPlatform().name("decider-" + pool).unstarted(this);
    metrics.pool(pool, inbox::size, lag::get);
  }

  void start() {
    thread.start();
  }

  /** Finishes the batch it is at; what still waits is refused. */
  void stop() {
    inbox.close();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(20));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean submit(Ticket ticket) {
    return isWithinReach() && inbox.add(ticket);
  }

  boolean ask(Inbox.Question question) {
    return isWithinReach() && inbox.add(question);
  }

  void nudge() {
    inbox.nudge();
  }

  int waiting() {
    return inbox.size();
  }

  boolean isReady() {
    return loaded && System.nanoTime() - inTouch < OUT_OF_TOUCH_NANOS;
  }

  /** While the database is away one caller may wait and see; the others are told at once. */
  private boolean isWithinReach() {
    return !away || inbox.isEmpty();
  }

  @Override
  public void run() {
    while (!inbox.isClosed()) {
      try {
        turn();
      } catch (InterruptedException e) {
        break;
      } catch (SQLException | RuntimeException | Error e) {
        LOG.warn("pool {}: {}; going on", pool, Trouble.describe(e));
        LOG.debug("pool {}", pool, e);
        away = Trouble.of(e) == Trouble.AWAY;
        live = away ? live : null;
        refuseWaiting(away ? "the database is away" : "the book is being loaded again");
        pause();
      }
    }
    refuseWaiting("stopping");
  }

  private void turn() throws SQLException, InterruptedException {
    if (live == null) {
      load();
    }
    boolean nudged = inbox.await(nanosToWait());
    answerQuestions(inbox.takeQuestions());
    inbox.gather(gathering.expected(System.nanoTime()), gathering.patienceNanos());
    long nanoTime = System.nanoTime();
    List<Ticket> batch = inbox.take(cap.most(nanoTime));
    if (batch.stream().anyMatch(Ticket::isUrgent)) {
      cap.urgent(nanoTime);
    }
    if (!batch.isEmpty()) {
      halving.decide(batch);
    } else if (nudged || isDue()) {
      tick();
    } else if (nanoTime - lastFollow >= settings.follow().toNanos()) {
      follow();
    }
  }

  private long nanosToWait() {
    long untilFollow = lastFollow + settings.follow().toNanos() - System.nanoTime();
    long due = Math.max(live.book().nextDue(), notDueBefore);
    if (due == Span.FOREVER) {
      return untilFollow;
    }
    long untilDue = Math.max(0, due - clock.now());
    return untilDue > settings.follow().toMillis() * 1_000
        ? untilFollow
        : Math.min(untilFollow, untilDue * 1_000);
  }

  private boolean isDue() {
    return Math.max(live.book().nextDue(), notDueBefore) <= clock.now();
  }

  /** Time alone. What did not move anything is not tried again for a while. */
  private void tick() throws SQLException, InterruptedException {
    Attempt attempt = attempt(List.of(), Attempt::run);
    notDueBefore = attempt != null && attempt.hasMoved() ? Long.MIN_VALUE : clock.now() + 20_000;
  }

  /** One batch, repeated while it only lost races; null when it was taken back by its rider. */
  private @Nullable Attempt attempt(List<Ticket> tickets, Halving.Steps steps)
      throws SQLException, InterruptedException {
    for (int tries = 1; ; tries++) {
      if (live == null) {
        load();
      }
      Attempt attempt = new Attempt(pool, ordinal, live, metrics, tickets);
      try {
        long began = System.nanoTime();
        try (Connection connection = connections.getConnection()) {
          steps.take(attempt, connection);
        }
        settled(attempt, tickets, System.nanoTime() - began);
        return attempt;
      } catch (LiveBook.OutOfStep e) {
        LOG.warn("pool {}: {}; loading it again", pool, e.getMessage());
        live = null;
      } catch (Attempt.NotOpen e) {
        tickets.forEach(t -> t.answer(new Outcome.Unavailable(e.getMessage(), 5)));
        return null;
      } catch (Rider.Refused e) {
        tickets.forEach(t -> t.answer(new Outcome.Undone(e.getMessage())));
        return null;
      } catch (SQLException | RuntimeException | StackOverflowError e) {
        feed.moved(attempt.followed());
        if (attempt.isInDoubt()) {
          if (isCommitted(attempt)) {
            settled(attempt, tickets, 0);
            return attempt;
          }
        } else if (Trouble.of(e) == Trouble.POISON) {
          throw poisoned(e, tickets);
        }
        // The pool of connections has tried for as long as it may.
        if (tries == MOST_TRIES || e instanceof SQLTransientConnectionException) {
          throw e;
        }
        LOG.info("pool {}: {}; trying again", pool, Trouble.describe(e));
        Thread.sleep(tries * tries * 5L);
      }
    }
  }

  /** A failure without any ticket is the book's or the engine's own: the book is loaded again. */
  private RuntimeException poisoned(Throwable failure, List<Ticket> tickets) {
    if (Trouble.behind(failure) == null) {
      LOG.error("pool {}: the decision failed", pool, failure);
      live = null;
    }
    return tickets.isEmpty()
        ? new IllegalStateException(
            "time alone breaks the write: " + Trouble.describe(failure), failure)
        : new Halving.Poisoned(failure);
  }

  private void settled(Attempt attempt, List<Ticket> tickets, long nanos) {
    touched(attempt.state());
    int callers = (int) tickets.stream().filter(ticket -> !ticket.isNews()).count();
    if (nanos > 0 && callers > 0) {
      gathering.answered(callers, inbox.callers(), nanos, System.nanoTime());
    }
    attempt.answer();
    feed.moved(attempt.moves());
    cap.held(tickets.stream().mapToInt(Ticket::weight).sum(), nanos);
    lastFollow = System.nanoTime();
    if (attempt.hasMoved()) {
      notDueBefore = Long.MIN_VALUE;
    }
  }

  /** Asks until the database answers; what waits meanwhile is refused. */
  private boolean isCommitted(Attempt attempt) throws InterruptedException {
    while (true) {
      try (Connection connection = connections.getConnection()) {
        boolean committed = attempt.isCommitted(connection);
        LOG.info("pool {}: a commit in doubt was {}", pool, committed ? "made" : "not made");
        return committed;
      } catch (SQLException e) {
        LOG.warn("pool {}: a commit is in doubt: {}", pool, Trouble.describe(e));
        if (inbox.isClosed()) {
          attempt.undo();
          return false;
        }
        away = true;
        refuseWaiting("the database is away");
        Thread.sleep(BACKOFF_MILLIS);
      }
    }
  }

  private void load() throws SQLException {
    long began = System.nanoTime();
    try (Connection connection = connections.getConnection()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      // Holds no lock, and reading a large book takes longer than a holder of the lock may idle.
      DeciderConnections.patient(connection, LOADING);
      live = LiveBook.load(connection, pool);
      connection.rollback();
    }
    loaded = true;
    inTouch = System.nanoTime();
    LOG.info(
        "pool {}: book at revision {}, {} leases, {} nodes, in {} ms",
        pool,
        live.revision(),
        live.book().leases().size(),
        live.book().nodes().size(),
        (System.nanoTime() - began) / 1_000_000);
    feed.anythingMoved();
    follow();
  }

  /** Takes over what other replicas committed, without the lock. */
  private PoolState follow() throws SQLException {
    try (Connection connection = connections.getConnection()) {
      connection.setAutoCommit(true);
      PoolState[] state = new PoolState[1];
      new Script()
          .ask(PoolState.READ, rows -> state[0] = PoolState.from(rows), pool)
          .run(connection);
      lag.set(state[0].revision() - live.revision());
      try {
        List<Move> followed = live.follow(connection, pool, state[0]);
        feed.moved(followed);
      } catch (LiveBook.OutOfStep e) {
        LOG.warn("pool {}: {}; loading it again", pool, e.getMessage());
        live = null;
        load();
      }
      touched(state[0]);
      lastFollow = System.nanoTime();
      return state[0];
    }
  }

  private void touched(PoolState state) {
    clock.read(state.now());
    away = false;
    inTouch = System.nanoTime();
  }

  private void answerQuestions(List<Inbox.Question> questions) throws SQLException {
    if (questions.isEmpty()) {
      return;
    }
    try {
      PoolState state = follow();
      for (Inbox.Question question : questions) {
        question.ask(live, Math.max(state.now(), live.book().now()));
      }
    } catch (SQLException | RuntimeException e) {
      questions.forEach(q -> q.fail(new Outcome.Unavailable("the database is away", 1)));
      throw e;
    }
  }

  private void refuseWaiting(String why) {
    Outcome.Unavailable unavailable = new Outcome.Unavailable(why, 1);
    for (List<Ticket> waiting = inbox.take(Integer.MAX_VALUE);
        !waiting.isEmpty();
        waiting = inbox.take(Integer.MAX_VALUE)) {
      waiting.forEach(ticket -> ticket.answer(unavailable));
    }
    inbox.takeQuestions().forEach(question -> question.fail(unavailable));
  }

  private static void pause() {
    try {
      Thread.sleep(BACKOFF_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
