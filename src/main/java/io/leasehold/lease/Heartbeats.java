package io.leasehold.lease;

import io.leasehold.fleet.Statements;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
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

  /** Now; false when the lease is ending for silence. */
  boolean beat(UUID lease) {
    return jdbc.sql(
                """
                insert into heartbeat (lease, seen_time) values (:lease, clock_timestamp())
                on conflict (lease) do update set seen_time = clock_timestamp()
                 where not heartbeat.closed\
                """)
            .param("lease", lease)
            .update()
        == 1;
  }

  /** Nobody is heard from any more; false when somebody was since. */
  boolean close(Connection connection, UUID lease, long heardAt) {
    return Statements.on(connection)
            .sql(
                """
                insert into heartbeat (lease, seen_time, closed)
                values (:lease, clock_timestamp(), true)
                on conflict (lease) do update set closed = true
                 where heartbeat.seen_time <= instant(:heard) and not heartbeat.closed\
                """)
            .param("lease", lease)
            .param("heard", heardAt)
            .update()
        == 1;
  }

  /**
   * Those due until an instant, soonest first.
   *
   * @param hearingSince nobody could be heard before
   */
  List<Quiet> quiet(long hearingSince, long until, int most) {
    return jdbc.sql(
            """
            select id, pool, heard, heard + timeout as due
              from (select l.id, l.pool, (l.ask ->> 'heartbeatTimeout')::bigint as timeout,
                           greatest(micros(h.seen_time), (l.status ->> 'activeAt')::bigint, :since)
                             as heard
                      from lease l left join heartbeat h on h.lease = l.id
                     where l.live and l.state = 'ACTIVE'
                       and (l.ask ->> 'heartbeatTimeout') is not null) as holder
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
