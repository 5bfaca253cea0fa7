package io.leasehold.ledger;

import io.leasehold.engine.Move;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One batch through the four steps on one connection. Afterwards either it is committed and the
 * book stands at its revision, or nothing is changed, book included; or, if the connection was lost
 * at the commit, neither is known yet ({@link #isInDoubt}).
 */
final class Attempt {

  private static final Duration LARGE = Duration.ofSeconds(60);

  private final String pool;
  private final int ordinal;
  private final LiveBook live;
  private final LedgerMetrics metrics;
  private final List<Ticket> tickets;
  private final Claims claims;
  private final Map<UUID, StoredLease> rows = new HashMap<>();
  private final Map<Ticket, List<Outcome>> answers = new LinkedHashMap<>();
  private final List<Move> followed = new ArrayList<>();
  private PoolState state;
  private Draft draft;
  private Write write;
  private boolean inDoubt;

  Attempt(String pool, int ordinal, LiveBook live, LedgerMetrics metrics, List<Ticket> tickets) {
    this.pool = pool;
    this.ordinal = ordinal;
    this.live = live;
    this.metrics = metrics;
    this.tickets = tickets;
    this.claims =
        new Claims(tickets.stream().filter(t -> t.key() != null).map(Ticket::key).toList());
  }

  /** Takes all four steps. Throws what went wrong, with the book as it was. */
  void run(Connection connection) throws SQLException {
    boolean committed = false;
    int mark = live.book().mark();
    try {
      lock(connection);
      long locked = System.nanoTime();
      followed.addAll(live.follow(connection, pool, state));
      mark = live.book().mark();
      decide();
      if (isNothingToWrite()) {
        connection.rollback();
        live.book().settle(); // nothing moved, but what was due has been looked at
        answerAll(live.revision());
        committed = true;
        return;
      }
      for (Rider rider : riders()) {
        rider.write(connection);
      }
      commit(connection);
      committed = true;
      settle();
      metrics.batch(weight(), System.nanoTime() - locked);
    } finally {
      if (!committed && !inDoubt) {
        live.book().undo(mark);
        rollBack(connection);
      }
    }
  }

  /** Writes without committing and takes all back; throws what breaks the write. */
  void rehearse(Connection connection) throws SQLException {
    int mark = live.book().mark();
    try {
      lock(connection);
      followed.addAll(live.follow(connection, pool, state));
      mark = live.book().mark();
      decide();
      write = new Write(draft, state, stamp());
      write.script().run(connection);
    } finally {
      live.book().undo(mark);
      rollBack(connection);
    }
  }

  private void lock(Connection connection) throws SQLException {
    long asked = System.nanoTime();
    if (tickets.stream().anyMatch(Ticket::isLarge)) {
      DeciderConnections.patient(connection, LARGE);
    }
    Script script = new Script();
    lockTo(script, pool, ordinal);
    script.ask(PoolState.READ, found -> state = PoolState.from(found), pool);
    claims.addTo(script, pool);
    look(script);
    script.run(connection);
    metrics.lockWait(System.nanoTime() - asked);
    if (!state.isOpen()) {
      throw new NotOpen(state.state());
    }
  }

  /** First the fair queue, then the truth. */
  static void lockTo(Script script, String pool, int ordinal) {
    script.add("select pg_advisory_xact_lock(?, ?)", LOCK_CLASS, ordinal);
    script.add("select 1 from pool where slug = ? for no key update", pool);
  }

  static final int LOCK_CLASS = 0x6c656173;

  /** The rows of the leases addressed, and of any lease that has the id of a new one. */
  private void look(Script script) {
    Set<String> ids = new HashSet<>();
    for (Ticket ticket : tickets) {
      for (Submission submission : ticket.submissions()) {
        Subjects.leases(submission.command()).forEach(id -> ids.add(id.toString()));
      }
    }
    if (!ids.isEmpty()) {
      script.ask(
          "select " + LeaseRecords.COLUMNS + " from lease l where l.id = any(?::uuid[])",
          found -> {
            while (found.next()) {
              StoredLease row = StoredLease.from(found);
              rows.put(row.id(), row);
            }
          },
          (Object) ids.toArray(String[]::new));
    }
  }

  private void decide() {
    List<Submission> submissions = new ArrayList<>();
    for (Ticket ticket : tickets) {
      Key key = ticket.key();
      if (key == null || claims.isClaimed(key)) {
        submissions.addAll(ticket.decided());
      } else if (claims.isReused(key)) {
        answers.put(ticket, all(ticket, new Outcome.KeyReused()));
      } else if (claims.reply(key) != null) {
        answers.put(ticket, replay(claims.reply(key)));
      } else {
        answers.put(ticket, all(ticket, new Outcome.KeyInFlight()));
      }
    }
    draft = new Draft(pool, live.book(), live.revision(), now(), rows);
    draft.decide(submissions);
  }

  /** Never before what the book has seen, even if the server's clock went back. */
  private long now() {
    return Math.max(state.now(), live.book().now());
  }

  static List<Outcome> replay(String reply) {
    return Json.read(reply, Reply.class).outcomes().stream()
        .map(
            outcome ->
                outcome instanceof Outcome.Committed c
                    ? new Outcome.Committed(c.decision(), c.leases(), c.bookRevision(), true)
                    : outcome)
        .toList();
  }

  private static List<Outcome> all(Ticket ticket, Outcome outcome) {
    return ticket.submissions().stream().map(submission -> outcome).toList();
  }

  private boolean isNothingToWrite() {
    if (!draft.moves().isEmpty() || !riders().isEmpty()) {
      return false;
    }
    List<Outcome> outcomes = draft.outcomes(live.revision());
    int next = 0;
    for (Ticket ticket : tickets) {
      if (answers.containsKey(ticket)) {
        continue;
      }
      int size = ticket.decided().size();
      if (ticket.key() != null
          && outcomes.subList(next, next + size).stream().anyMatch(Claims::isKept)) {
        return false;
      }
      next += size;
    }
    return true;
  }

  /**
   * Those that have a say: their ticket is alone in its batch, and the engine took their command.
   */
  private List<Rider> riders() {
    List<Rider> riders = new ArrayList<>();
    if (tickets.size() == 1 && !answers.containsKey(tickets.getFirst())) {
      List<Submission> submissions = tickets.getFirst().submissions();
      for (int i = 0; i < submissions.size(); i++) {
        if (submissions.get(i).rider() != null && draft.isTaken(i)) {
          riders.add(submissions.get(i).rider());
        }
      }
    }
    return riders;
  }

  private void commit(Connection connection) throws SQLException {
    write = new Write(draft, state, stamp());
    Script script = write.script();
    answerAll(write.revision());
    claims.writeTo(script);
    script.add("commit");
    long sent = System.nanoTime();
    boolean warned;
    try {
      warned = script.run(connection);
    } catch (SQLException e) {
      inDoubt = Trouble.of(e) == Trouble.AWAY;
      throw e;
    }
    metrics.commit(System.nanoTime() - sent);
    if (warned) {
      // A cancelled wait for the synchronous standby reports success with a warning.
      inDoubt = true;
      throw new SQLException("committed with a warning", "08007");
    }
  }

  private static long stamp() {
    return ThreadLocalRandom.current().nextLong() | 1;
  }

  private void answerAll(long revision) {
    List<Outcome> outcomes = draft.outcomes(revision);
    int next = 0;
    for (Ticket ticket : tickets) {
      if (answers.containsKey(ticket)) {
        continue;
      }
      int size = ticket.decided().size();
      List<Outcome> own = ticket.complete(outcomes.subList(next, next + size));
      answers.put(ticket, own);
      if (ticket.key() != null && write != null) {
        claims.settle(ticket.key(), own);
      }
      next += size;
    }
  }

  /**
   * Whether a batch whose commit was not answered is committed: under the pool's lock, which waits
   * for the lost transaction to be over, one's own stamp is in the log or it is not. The book
   * follows.
   */
  boolean isCommitted(Connection connection) throws SQLException {
    boolean[] found = new boolean[1];
    Script script = new Script();
    lockTo(script, pool, ordinal);
    script.ask(
        "select 1 from batch where pool = ? and revision = ? and stamp = ? and at = instant(?)",
        rows -> found[0] = rows.next(),
        pool,
        write.revision(),
        write.stamp(),
        draft.now());
    script.run(connection);
    connection.rollback();
    if (found[0]) {
      settle();
    } else {
      undo();
    }
    return found[0];
  }

  /** It is committed: the book stands. */
  void settle() {
    live.settle(write.revision(), write.stamp(), draft.now());
    inDoubt = false;
  }

  /** It is not committed: the book goes back. */
  void undo() {
    live.book().undo(0);
    inDoubt = false;
  }

  /** Tells all callers. */
  void answer() {
    answers.forEach(Ticket::answer);
    answers.values().forEach(outcomes -> outcomes.forEach(metrics::outcome));
    if (draft != null) {
      draft
          .leases()
          .values()
          .forEach(net -> metrics.allocated(pool, net.before, net.after, draft.now()));
    }
  }

  boolean isInDoubt() {
    return inDoubt;
  }

  /** What others had committed before, then what this batch did. */
  List<Move> moves() {
    List<Move> moves = new ArrayList<>(followed);
    if (draft != null) {
      draft.moves().forEach(authored -> moves.add(authored.move()));
    }
    return moves;
  }

  /** What others had committed before, whatever became of this batch. */
  List<Move> followed() {
    return followed;
  }

  boolean hasMoved() {
    return draft != null && !draft.moves().isEmpty();
  }

  PoolState state() {
    return state;
  }

  private int weight() {
    return Math.max(1, tickets.stream().mapToInt(Ticket::weight).sum());
  }

  /** Never hides why: a connection that was lost can not be rolled back either. */
  static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException ignored) {
      // Closed with the connection.
    }
  }

  /** The pool decides nothing at present. */
  static final class NotOpen extends RuntimeException {
    NotOpen(String state) {
      super("the pool is " + state, null, false, false);
    }
  }
}
