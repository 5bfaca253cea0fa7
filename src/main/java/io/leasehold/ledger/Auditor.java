package io.leasehold.ledger;

import io.leasehold.engine.Image;
import io.leasehold.engine.LeaseState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Looks whether the laws hold in the running service: I1, I2 and I8 on the book; that the book is
 * what the tables say; I1 again, I5, I7 and I9 on the tables. Each fault is one sentence.
 */
final class Auditor {

  private static final int MOST = 20;
  private static final long MOST_REVISIONS = 100_000;

  /** Each finds the rows that break a law; the first column says which. */
  private static final Map<String, String> LAWS =
      Map.of(
          "I1: %s is promised without rows in allocation, or has rows without a promise",
          """
          select coalesce(l.id, a.lease)::text
            from (select id from lease
                   where pool = :pool and live and state in ('PLANNED', 'ALLOCATED', 'PUBLISHING', 'ACTIVE')) l
            full join (select distinct lease from allocation al where pool = :pool
                         and not exists (select from occurrence o where o.id = al.lease and o.live))
              a on a.lease = l.id
           where l.id is null or a.lease is null limit :most\
          """,
          "I1: %s is possessed without rows in occupancy, or has rows without possession",
          """
          select coalesce(l.id, o.lease)::text
            from (select id from lease
                   where pool = :pool and live
                     and state in ('ALLOCATED', 'PUBLISHING', 'ACTIVE', 'ENDING')) l
            full join (select distinct lease from occupancy where pool = :pool) o on o.lease = l.id
           where l.id is null or o.lease is null limit :most\
          """,
          "I5: %s has been on its way into or out of its cluster for more than 15 minutes",
          """
          select id::text from lease
           where pool = :pool and live and state in ('ALLOCATED', 'PUBLISHING', 'ENDING')
             and update_time < clock_timestamp() - interval '15 minutes' limit :most\
          """,
          "I9: move %s has no audit fact, or a fact has no move",
          """
          select coalesce(m.revision, f.revision) || '.' || coalesce(m.ord, f.ord)
            from (select revision, ord from move
                   where pool = :pool and revision > :since) m
            full join (select revision, ord from audit_fact
                        where pool = :pool and revision > :since) f using (revision, ord)
           where m.revision is null or f.revision is null limit :most\
          """);

  /** What is live, each at its revision, and without one what was moved since another one. */
  private static final String ROWS =
      """
      select id, revision from lease where pool = :pool and live
      union all
      select id, revision from occurrence where pool = :pool and live
      union all
      select coalesce(payload ->> 'id', payload #>> '{fact,after,id}')::uuid, null
        from move
       where pool = :pool and revision > :revision
         and coalesce(payload ->> 'id', payload #>> '{fact,after,id}') is not null\
      """;

  private final Ledger ledger;
  private final JdbcClient jdbc;
  private final Map<String, Long> auditedUpTo = new HashMap<>();

  Auditor(Ledger ledger, JdbcClient jdbc) {
    this.ledger = ledger;
    this.jdbc = jdbc;
  }

  /** What is in the book at a revision of the pool. */
  private record Stand(long revision, Image image) {}

  List<String> audit(String pool) {
    Stand stand =
        ledger.consultLive(pool, live -> new Stand(live.revision(), Image.of(live.book())));
    List<String> faults = new ArrayList<>(stand.image().faults());
    for (Image.Part part : stand.image().parts()) {
      faults.addAll(ledger.<List<String>>consult(pool, (book, now) -> part.faults(book)));
    }
    faults.addAll(bookAgainstTable(pool, stand));
    long revision =
        jdbc.sql("select revision from pool where slug = ?").param(pool).query(Long.class).single();
    long since =
        Math.max(auditedUpTo.getOrDefault(pool, revision - MOST_REVISIONS), logFloor(pool));
    LAWS.forEach((law, sql) -> faults.addAll(broken(law, sql, pool, since)));
    faults.addAll(illegalMoves(pool, since));
    if (faults.isEmpty()) {
      auditedUpTo.put(pool, revision);
    }
    return faults;
  }

  private long logFloor(String pool) {
    return jdbc.sql("select log_floor from pool where slug = ?")
        .param(pool)
        .query(Long.class)
        .single();
  }

  private List<String> broken(String law, String sql, String pool, long since) {
    return jdbc
        .sql(sql)
        .param("pool", pool)
        .param("since", since)
        .param("most", MOST)
        .query(String.class)
        .list()
        .stream()
        .map(law::formatted)
        .toList();
  }

  private List<String> illegalMoves(String pool, long since) {
    List<String> faults = new ArrayList<>();
    jdbc.sql(
            """
            select distinct from_state, to_state from audit_fact
             where pool = ? and revision > ? and from_state <> to_state\
            """)
        .params(pool, since)
        .query(
            row -> {
              LeaseState from = LeaseState.valueOf(row.getString(1));
              LeaseState to = LeaseState.valueOf(row.getString(2));
              if (!from.mayBecome(to)) {
                faults.add("I7: a lease went from " + from + " to " + to);
              }
            });
    return faults;
  }

  /** The table has gone on meanwhile: what the log says was moved since is not compared. */
  private List<String> bookAgainstTable(String pool, Stand stand) {
    Map<UUID, Long> rows = new HashMap<>();
    Set<UUID> moved = new HashSet<>();
    jdbc.sql(ROWS)
        .param("pool", pool)
        .param("revision", stand.revision())
        .query(
            row -> {
              UUID id = row.getObject(1, UUID.class);
              if (row.getObject(2) == null) {
                moved.add(id);
              } else {
                rows.put(id, row.getLong(2));
              }
            });
    return compare(stand.image().revisions(), rows, moved);
  }

  private static List<String> compare(Map<UUID, Long> book, Map<UUID, Long> rows, Set<UUID> moved) {
    List<String> faults = new ArrayList<>();
    book.forEach(
        (id, inBook) -> {
          Long inTable = rows.remove(id);
          if (!inBook.equals(inTable) && !moved.contains(id)) {
            faults.add(
                "book: %s is at revision %d, in the table at %s".formatted(id, inBook, inTable));
          }
        });
    rows.keySet().removeAll(moved);
    rows.keySet().forEach(id -> faults.add("book: %s is in the table only".formatted(id)));
    return faults.size() > MOST ? faults.subList(0, MOST) : faults;
  }
}
