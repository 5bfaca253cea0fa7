package io.leasehold.ledger;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Book;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Move;
import io.leasehold.engine.Occurrence;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pool's book in memory with the revision and stamp it stands at. It is current only if both
 * equal the pool's row; what it lacks it takes from the log, and if the log does not lead on from
 * its own stamp it is thrown away and loaded again.
 */
final class LiveBook {

  private static final String FACTS =
      """
      select body from fact where pool = ?
       order by case kind when 'model' then 0 when 'class' then 1 when 'tenant' then 2
                          when 'cluster' then 3 when 'node' then 4 when 'contract' then 5 else 6 end,
                key\
      """;
  private static final String OCCURRENCES = "select body from occurrence where pool = ? and live";
  private static final String LEASES =
      """
      select ask, status from lease
       where pool = ? and live\
      """;

  /**
   * Whether the batch at which the pool stands was decided: what is imposed has no commands. No row
   * if it is too old to be kept.
   */
  private static final String LAST =
      """
      select b.commands::text <> '[]' as decided
        from pool p
        join batch b on b.pool = p.slug and b.revision = p.revision and b.at = p.decided_at
       where p.slug = ?\
      """;

  /** The times leave out the partitions in which nothing can be. */
  static final String LOG =
      """
      select b.revision, b.stamp, micros(b.at) as at, b.commands::text <> '[]' as decided, m.payload
        from batch b left join move m on m.pool = b.pool and m.revision = b.revision
                                     and m.at between instant(?) and instant(?)
       where b.pool = ? and b.revision between ? and ?
         and b.at between instant(?) and instant(?)
       order by b.revision, m.ord\
      """;

  private final Book book;
  private long revision;
  private long stamp;
  private long at;

  private LiveBook(Book book, long revision, long stamp, long at) {
    this.book = book;
    this.revision = revision;
    this.stamp = stamp;
    this.at = at;
  }

  /** Needs one snapshot over all its statements: REPEATABLE READ. */
  static LiveBook load(Connection snapshot, String pool) throws SQLException {
    List<Move> moves = new ArrayList<>();
    List<Lease> leases = new ArrayList<>();
    PoolState[] state = new PoolState[1];
    long[] decidedAt = new long[1];
    boolean[] decided = new boolean[1];
    new Script()
        .ask(PoolState.READ, rows -> state[0] = PoolState.from(rows), pool)
        .ask(
            "select micros(decided_at) from pool where slug = ?",
            rows -> {
              rows.next();
              decidedAt[0] = rows.getLong(1);
            },
            pool)
        .ask(LAST, rows -> decided[0] = rows.next() && rows.getBoolean(1), pool)
        .ask(
            FACTS,
            rows -> {
              while (rows.next()) {
                moves.add(Json.read(rows.getString(1), Move.class));
              }
            },
            pool)
        .ask(
            OCCURRENCES,
            rows -> {
              while (rows.next()) {
                Occurrence occurrence = Json.read(rows.getString(1), Occurrence.class);
                moves.add(new Move.OccurrenceMoved(occurrence, "loaded"));
              }
            },
            pool)
        .ask(
            LEASES,
            rows -> {
              while (rows.next()) {
                Ask ask = Json.read(rows.getString(1), Ask.class);
                leases.add(Payload.lease(rows.getString(2), ask));
              }
            },
            pool)
        .run(snapshot);
    leases.sort(Comparator.comparingLong(Lease::sequence));
    leases.forEach(lease -> moves.add(new Move.LeaseMoved(null, lease, "loaded")));
    Book book = new Book();
    book.apply(decidedAt[0], moves);
    if (decided[0]) {
      book.decided();
    }
    book.settle();
    return new LiveBook(book, state[0].revision(), state[0].stamp(), decidedAt[0]);
  }

  Book book() {
    return book;
  }

  long revision() {
    return revision;
  }

  long stamp() {
    return stamp;
  }

  boolean isAt(PoolState pool) {
    return revision == pool.revision() && stamp == pool.stamp();
  }

  /**
   * Applies what others committed since and returns it.
   *
   * @throws OutOfStep when the log does not lead on from this book
   */
  List<Move> follow(Connection connection, String pool, PoolState to) throws SQLException {
    if (isAt(to)) {
      return List.of();
    }
    if (to.revision() <= revision || revision < to.logFloor()) {
      throw new OutOfStep(this, to);
    }
    List<Move> followed = new ArrayList<>();
    new Script()
        .ask(
            LOG,
            rows -> follow(rows, to, followed),
            at,
            to.now(),
            pool,
            revision,
            to.revision(),
            at,
            to.now())
        .run(connection);
    if (revision < to.revision()) {
      throw new OutOfStep(this, to);
    }
    return followed;
  }

  /** A batch of the log. */
  private record Logged(long revision, long stamp, long at, boolean decided, List<Move> moves) {

    static Logged from(ResultSet rows) throws SQLException {
      return new Logged(
          rows.getLong("revision"),
          rows.getLong("stamp"),
          rows.getLong("at"),
          rows.getBoolean("decided"),
          new ArrayList<>());
    }
  }

  private void follow(ResultSet rows, PoolState to, List<Move> followed) throws SQLException {
    boolean linked = revision == 0;
    Payload.Reader reader = new Payload.Reader(book::lease);
    Logged batch = null;
    while (rows.next()) {
      long row = rows.getLong("revision");
      if (row == revision) {
        linked = rows.getLong("stamp") == stamp;
        continue;
      }
      if (!linked) {
        throw new OutOfStep(this, to);
      }
      if (batch == null || row != batch.revision()) {
        apply(batch, followed);
        if (row != revision + 1) {
          throw new OutOfStep(this, to);
        }
        batch = Logged.from(rows);
      }
      String payload = rows.getString("payload");
      if (payload != null) {
        batch.moves().add(reader.read(payload));
      }
    }
    apply(batch, followed);
  }

  private void apply(@Nullable Logged batch, List<Move> followed) {
    if (batch == null) {
      return;
    }
    book.apply(batch.at(), batch.moves());
    if (batch.decided()) {
      book.decided();
    }
    settle(batch.revision(), batch.stamp(), batch.at());
    followed.addAll(batch.moves());
  }

  /** What this book decided or took over is committed under this revision, of this instant. */
  void settle(long newRevision, long newStamp, long decidedAt) {
    book.settle();
    revision = newRevision;
    stamp = newStamp;
    at = decidedAt;
  }

  @Override
  public String toString() {
    return revision + "/" + Objects.toString(stamp);
  }

  /**
   * The database's history is not a continuation of this book's: after a failover, or below the
   * floor.
   */
  static final class OutOfStep extends RuntimeException {
    OutOfStep(LiveBook book, PoolState pool) {
      super(
          "the book stands at "
              + book
              + " and the pool at "
              + pool.revision()
              + "/"
              + pool.stamp()
              + ", log floor "
              + pool.logFloor(),
          null,
          false,
          false);
    }
  }
}
