package io.leasehold.lease;

import io.leasehold.engine.Ask;
import io.leasehold.fleet.Statements;
import io.leasehold.ledger.Rider;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * When the holders of leases were last heard from. A sign of life is one small row outside the log
 * and without the pool's lock; the engine hears of silence only.
 */
@Repository
class Heartbeats {

  private final JdbcClient jdbc;

  Heartbeats(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * A holder who has not been heard from for long enough, or soon will not have been.
   *
   * @param heardAt when last, or since when he could be
   * @param dueAt when the lease ends for it
   */
  record Quiet(UUID lease, String pool, long heardAt, long dueAt) {}

  /** Writes down, with new leases, whose holders are to be heard from; null if none is. */
  static @Nullable Rider expecting(List<Ask> asks) {
    List<Ask> heard = asks.stream().filter(ask -> ask.heartbeatTimeout() != null).toList();
    return heard.isEmpty() ? null : connection -> heard.forEach(ask -> expect(connection, ask));
  }

  private static void expect(Connection connection, Ask ask) {
    Statements.on(connection)
        .sql("insert into heartbeat (lease, timeout) values (:lease, :timeout)")
        .param("lease", ask.lease())
        .param("timeout", ask.heartbeatTimeout())
        .update();
  }

  /** Now; false when the lease is ending for silence. */
  boolean beat(UUID lease) {
    return jdbc.sql(
                "update heartbeat set seen_time = clock_timestamp()"
                    + " where lease = :lease and not closed")
            .param("lease", lease)
            .update()
        == 1;
  }

  /** Nobody is heard from any more; false when somebody was since. */
  boolean close(Connection connection, UUID lease, long heardAt) {
    return Statements.on(connection)
            .sql(
                """
                update heartbeat set closed = true
                 where lease = :lease and seen_time <= instant(:heard) and not closed\
                """)
            .param("lease", lease)
            .param("heard", heardAt)
            .update()
        == 1;
  }

  /**
   * Those due until an instant, soonest first. A lease is looked at (by its id: the {@code offset})
   * only when nothing has been heard for long: it may not have begun.
   *
   * @param hearingSince nobody could be heard before
   */
  List<Quiet> quiet(long hearingSince, long until, int most) {
    return jdbc.sql(
            """
            select id, pool, heard, heard + timeout as due
              from (select l.id, l.pool, h.timeout, greatest(h.seen, l.active) as heard
                      from (select lease, timeout, greatest(micros(seen_time), :since) as seen
                              from heartbeat where not closed) h
                     cross join lateral (
                           select id, pool, (status ->> 'activeAt')::bigint as active
                             from lease where id = h.lease and state = 'ACTIVE' offset 0) l
                     where h.seen + h.timeout <= :until) as holder
             where heard + timeout <= :until order by due limit :most\
            """)
        .param("since", hearingSince)
        .param("until", until)
        .param("most", most)
        .query(
            (row, number) ->
                new Quiet(
                    row.getObject("id", UUID.class),
                    row.getString("pool"),
                    row.getLong("heard"),
                    row.getLong("due")))
        .list();
  }

  /** Forgets those of leases that are over. */
  void forget() {
    jdbc.sql(
            """
            delete from heartbeat h
             where not exists (select from lease l where l.id = h.lease and l.live)\
            """)
        .update();
  }
}
