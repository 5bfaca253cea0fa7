package io.leasehold.ledger;

import io.leasehold.engine.Move;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Changes that concern every pool, or none: one transaction under the administration's lock and,
 * when there are moves, every pool's lock in order; the same moves in each log.
 */
final class Administration {

  /** The administration's pool: it has a log and a lock, and no book. */
  static final String POOL = "-";

  private static final int MOST_TRIES = 5;

  private final DataSource connections;

  Administration(DataSource connections) {
    this.connections = connections;
  }

  /** What is imposed, by whom and why. */
  record Change(
      Actor actor,
      String traceId,
      String subject,
      @Nullable String tenant,
      String cause,
      List<Move> moves,
      @Nullable Key key,
      Ledger.Work work) {}

  Ledger.Imposed impose(Change change) {
    for (int tries = 1; ; tries++) {
      try (Connection connection = connections.getConnection()) {
        try {
          return impose(connection, change);
        } catch (SQLException | RuntimeException e) {
          Attempt.rollBack(connection);
          throw e;
        }
      } catch (SQLException e) {
        if (Trouble.of(e) != Trouble.RACE || tries == MOST_TRIES) {
          throw new ImposeFailed(e);
        }
      }
    }
  }

  private Ledger.Imposed impose(Connection connection, Change change) throws SQLException {
    Map<String, PoolState> pools = lock(connection, change.moves().isEmpty());
    Claims claims = new Claims(change.key() == null ? List.of() : List.of(change.key()));
    if (change.key() != null) {
      Script claim = new Script();
      claims.addTo(claim, POOL);
      claim.run(connection);
      if (claims.isReused(change.key())) {
        connection.rollback();
        return new Ledger.Imposed.KeyReused();
      }
      if (!claims.isClaimed(change.key()) && claims.reply(change.key()) != null) {
        connection.rollback();
        return new Ledger.Imposed.Written(claims.reply(change.key()), true);
      }
    }
    String reply = change.work().write(connection);
    Script script = new Script();
    pools.forEach((pool, state) -> write(script, pool, state, change));
    if (change.key() != null) {
      claims.settle(change.key(), reply);
      claims.writeTo(script);
    }
    script.add("commit");
    script.run(connection);
    return new Ledger.Imposed.Written(reply, false);
  }

  /** In order of the pools' ordinals; the administration's is the first. */
  private static Map<String, PoolState> lock(Connection connection, boolean onlyOwn)
      throws SQLException {
    Map<String, Integer> ordinals = new LinkedHashMap<>();
    new Script()
        .add("select pg_advisory_xact_lock(?, 0)", Attempt.LOCK_CLASS)
        .ask(
            "select slug, ordinal from pool where slug = ? or not ?::boolean order by ordinal",
            rows -> {
              while (rows.next()) {
                ordinals.put(rows.getString(1), rows.getInt(2));
              }
            },
            POOL,
            Boolean.toString(onlyOwn))
        .run(connection);
    Map<String, PoolState> states = new LinkedHashMap<>();
    Script script = new Script();
    ordinals.forEach(
        (pool, ordinal) -> {
          Attempt.lockTo(script, pool, ordinal);
          script.ask(PoolState.READ, rows -> states.put(pool, PoolState.from(rows)), pool);
        });
    script.run(connection);
    return states;
  }

  private static void write(Script script, String pool, PoolState state, Change change) {
    long revision = state.revision() + 1;
    long stamp = ThreadLocalRandom.current().nextLong() | 1;
    script.add(
        """
        insert into batch (pool, revision, stamp, epoch, at, commands)
        values (?, ?, ?, ?, instant(?), '[]')\
        """,
        pool,
        revision,
        stamp,
        state.epoch(),
        state.now());
    List<Audit> audits = new ArrayList<>();
    long ord = 0;
    if (pool.equals(POOL)) {
      audits.add(new Audit(ord, change.subject(), change.cause()));
    }
    for (Move move : change.moves()) {
      Fact fact = Fact.of(move);
      script.add(
          """
          insert into fact (pool, kind, key, body, revision) values (?, ?, ?, ?::json, ?)
          on conflict (pool, kind, key) do update
             set body = excluded.body, revision = excluded.revision\
          """,
          pool,
          fact.kind(),
          fact.key(),
          Json.write(move),
          revision);
      if (!pool.equals(POOL)) {
        script.add(
            """
            insert into move (pool, revision, at, ord, payload)
            values (?, ?, instant(?), ?, ?::json)\
            """,
            pool,
            revision,
            state.now(),
            ord,
            Payload.of(move));
        audits.add(new Audit(ord, fact.subject(), change.cause()));
        ord++;
      }
    }
    for (Audit audit : audits) {
      script.add(
          """
          insert into audit_fact (pool, revision, ord, at, actor, subject, tenant, cause, trace_id)
          values (?, ?, ?, instant(?), ?, ?, ?, ?, ?)\
          """,
          pool,
          revision,
          audit.ord(),
          state.now(),
          change.actor().principal(),
          audit.subject(),
          change.tenant(),
          audit.cause(),
          change.traceId());
    }
    script.add(
        "update pool set revision = ?, stamp = ?, decided_at = instant(?) where slug = ?",
        revision,
        stamp,
        state.now(),
        pool);
  }

  private record Audit(long ord, String subject, String cause) {}

  /**
   * A new pool knows what every pool knows: models, classes, tenants. {@link Rider.Refused} if
   * there is one of this name.
   */
  Ledger.Imposed createPool(
      String pool, Actor actor, String traceId, @Nullable Key key, Ledger.Work work) {
    return impose(
        new Change(
            actor,
            traceId,
            "pool:" + pool,
            null,
            "pool-created",
            List.of(),
            key,
            connection -> {
              insertPool(connection, pool);
              return work.write(connection);
            }));
  }

  private static void insertPool(Connection connection, String pool) throws SQLException {
    boolean[] created = new boolean[1];
    new Script()
        .ask(
            "insert into pool (slug) values (?) on conflict do nothing returning slug",
            rows -> created[0] = rows.next(),
            pool)
        .run(connection);
    if (!created[0]) {
      throw new Rider.Refused("the pool exists");
    }
    new Script()
        .add(
            """
            insert into fact (pool, kind, key, body, revision)
            select ?, kind, key, body, 0 from fact where pool = ?\
            """,
            pool,
            POOL)
        .run(connection);
  }

  /** The change was not made, or it is not known whether it was. */
  static final class ImposeFailed extends RuntimeException {
    ImposeFailed(SQLException cause) {
      super("SQL state " + cause.getSQLState(), cause);
    }
  }
}
