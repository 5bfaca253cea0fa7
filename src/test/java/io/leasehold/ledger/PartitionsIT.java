package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.await;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.engine.LeaseState;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are cut by time: partitions ahead, none missed, old ones dropped. */
class PartitionsIT {

  private final Installation installation = Installation.of(1, 8);
  private final Ledger ledger = installation.first();
  private final Partitions partitions = new Partitions(installation.jdbc());
  private final Retention retention =
      new Retention(installation.jdbc(), partitions, LedgerSettings.defaults());

  @AfterEach
  void close() {
    installation.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch", "move", "audit_fact"})
  void aRowLiesInThePartitionOfItsTime(String table) {
    decided(ledger.submit(POOL, create(ask(1)), null));
    assertThat(partitionsWithRows(table)).isNotEmpty().noneMatch(p -> p.endsWith("_default"));
    assertThat(partitions.incomplete()).isEmpty();
  }

  /** The next days have theirs, also in a year with other months. */
  @Test
  void makesThemAheadOnce() {
    drop("batch", 2);
    drop("audit_fact", 1);
    assertThat(partitions.prepare()).isEqualTo(3);
    assertThat(partitions.prepare()).isZero();
    assertThat(
            installation.count(
                """
                select count(*) from pg_inherits where inhparent = 'batch'::regclass\
                """))
        .as("today, three days ahead, the default")
        .isEqualTo(5);
  }

  /** No write fails for want of one; the rows move over when it is made. */
  @Test
  void writesWithoutPartitionsAndMendsItAfterwards() {
    for (String table : List.of("batch", "move", "audit_fact", "allocation_history")) {
      drop(table, 20);
    }
    assertThat(decided(ledger.submit(POOL, create(ask(1)), null)).state())
        .isEqualTo(LeaseState.ALLOCATED);
    assertThat(partitions.incomplete()).containsExactlyInAnyOrder("batch", "move", "audit_fact");
    long moves = installation.count("select count(*) from move");

    assertThat(partitions.prepare()).isPositive();

    assertThat(partitions.incomplete()).isEmpty();
    assertThat(installation.count("select count(*) from move")).isEqualTo(moves);
    assertThat(partitionsWithRows("move")).noneMatch(p -> p.endsWith("_default"));
    decided(ledger.submit(POOL, create(ask(1)), null));
    assertThat(partitions.incomplete()).isEmpty();
  }

  /** What is missing is counted where an alert can see it, and said once it can not be mended. */
  @Test
  void upkeepCountsTheTablesThatLackOne() {
    drop("audit_fact", 20);
    decided(ledger.submit(POOL, create(ask(1)), null));
    installation.asOwner().sql("create table audit_fact_p" + month() + " (a int)").update();
    LedgerMetrics metrics = new LedgerMetrics(installation.registry());
    Upkeep upkeep =
        new Upkeep(
            ledger,
            new Auditor(ledger, installation.jdbc()),
            retention,
            partitions,
            metrics,
            Duration.ofHours(1));
    upkeep.start();
    try {
      await(
          "counted",
          () -> installation.registry().get("leasehold.partition.incomplete").gauge().value() == 1);
    } finally {
      upkeep.stop();
    }
  }

  /** A follower at the floor goes on; one below it loads the book again; nobody is lost. */
  @Test
  void dropsTheOldLogAndKeepsEveryFollowerRight() throws Exception {
    decided(ledger.submit(POOL, create(ask(1)), null));
    try (Connection connection = installation.database().dataSource().getConnection()) {
      LiveBook behind = LiveBook.load(connection, POOL);
      age(8);
      retention.run();
      assertThat(installation.count("select count(*) from batch where pool = 'main'")).isZero();
      assertThat(installation.count("select count(*) from move where pool = 'main'")).isZero();
      assertThat(installation.count("select revision - log_floor from pool where slug = 'main'"))
          .as("idle for so long: whoever stands at its revision lacks nothing")
          .isZero();

      decided(ledger.submit(POOL, create(ask(1)), null));
      decided(ledger.submit(POOL, create(ask(1)), null));
      PoolState state = state(connection);
      assertThatThrownBy(() -> behind.follow(connection, POOL, state))
          .isInstanceOf(LiveBook.OutOfStep.class);
      assertThat(decided(installation.replica().submit(POOL, create(ask(1)), null)).state())
          .isEqualTo(LeaseState.ALLOCATED);
      assertThat(new Auditor(ledger, installation.jdbc()).audit(POOL)).isEmpty();
    }
  }

  /** The first batch that is kept stays, and with it whoever stands there. */
  @Test
  void theFloorIsTheFirstBatchThatIsKept() throws Exception {
    age(8);
    decided(ledger.submit(POOL, create(ask(1)), null));
    try (Connection connection = installation.database().dataSource().getConnection()) {
      LiveBook atFloor = LiveBook.load(connection, POOL);
      decided(ledger.submit(POOL, create(ask(1)), null));
      retention.run();
      PoolState state = state(connection);
      assertThat(state.logFloor()).isEqualTo(atFloor.revision());
      assertThat(atFloor.follow(connection, POOL, state)).isNotEmpty();
      assertThat(atFloor.isAt(state)).isTrue();
    }
  }

  @Test
  void dropsAuditFactsAndHistoryAfterTheirTimeOnly() {
    installation
        .asOwner()
        .sql(
            """
            insert into audit_fact (pool, revision, ord, at, actor, subject, cause, trace_id)
            select 'old', days, 0, now() - days * interval '1 day', gen_random_uuid(), '', '', ''
              from unnest(array[390, 440]) days\
            """)
        .update();
    partitions.prepare();
    retention.run();
    assertThat(
            installation
                .jdbc()
                .sql("select revision from audit_fact where pool = 'old'")
                .query(Long.class)
                .list())
        .containsExactly(390L);
  }

  /** The service can not make its traces vanish: not by deleting, not by asking for more. */
  @Test
  void theServiceDropsNothingYoungerThanTheOwnerAllows() {
    installation
        .asOwner()
        .sql(
            """
            insert into audit_fact (pool, revision, ord, at, actor, subject, cause, trace_id)
            values ('old', 1, 0, now() - interval '100 days', gen_random_uuid(), '', '', '')\
            """)
        .update();
    partitions.prepare();
    assertThat(partitions.drop("audit_fact", Duration.ZERO)).isZero();
    assertThat(partitions.drop("lease", Duration.ZERO)).isZero();
    for (String sql :
        List.of(
            "update partitioned set least_kept = '0'",
            "delete from audit_fact",
            "delete from move",
            "drop table batch_default",
            "select make_partition('batch', now())")) {
      assertThatThrownBy(() -> installation.jdbc().sql(sql).query().listOfRows())
          .as(sql)
          .rootCause()
          .hasMessageContaining(sql.startsWith("drop") ? "must be owner" : "permission denied");
    }
  }

  /** The follower's statement looks into the partitions of its time only. */
  @Test
  void aFollowerLooksIntoThePartitionsOfItsTimeOnly() {
    long now = System.currentTimeMillis() * 1_000;
    List<String> plan =
        installation
            .jdbc()
            .sql("explain (analyze, costs off, timing off) " + LiveBook.LOG)
            .params(now, now + 1, POOL, 1, 9, now, now + 1)
            .query(String.class)
            .list();
    List<String> looked = plan.stream().filter(line -> line.contains(" on ")).toList();
    assertThat(looked).hasSizeLessThanOrEqualTo(2).noneMatch(line -> line.contains("_default"));
  }

  private PoolState state(Connection connection) throws Exception {
    PoolState[] state = new PoolState[1];
    new Script().ask(PoolState.READ, rows -> state[0] = PoolState.from(rows), POOL).run(connection);
    return state[0];
  }

  /** As if all that happened had happened so many days ago. */
  private void age(int days) {
    String ago = " - interval '%d days'".formatted(days);
    for (String table : List.of("batch", "move", "audit_fact")) {
      installation.asOwner().sql("update " + table + " set at = at" + ago).update();
    }
    installation
        .asOwner()
        .sql("update pool set decided_at = decided_at" + ago + " where slug = 'main'")
        .update();
    partitions.prepare();
  }

  /** Drops the newest partitions of a table, with what they hold. */
  private void drop(String table, int most) {
    installation
        .asOwner()
        .sql(
            "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid"
                + " where inhparent = '"
                + table
                + "'::regclass and relname ~ '_p[0-9]+$'"
                + " order by relname desc limit "
                + most)
        .query(String.class)
        .list()
        .forEach(child -> installation.asOwner().sql("drop table " + child).update());
  }

  private String month() {
    return installation
        .jdbc()
        .sql("select to_char(now() at time zone 'UTC', 'YYYYMM')")
        .query(String.class)
        .single();
  }

  private List<String> partitionsWithRows(String table) {
    return installation
        .jdbc()
        .sql("select distinct tableoid::regclass::text from " + table)
        .query(String.class)
        .list();
  }
}
