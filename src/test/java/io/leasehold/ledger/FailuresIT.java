package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.ALICE;
import static io.leasehold.ledger.Installation.HOUR;
import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.TRACE;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.await;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static io.leasehold.ledger.Installation.verb;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Move;
import io.leasehold.engine.Tenant;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is left when something breaks on the way: all of a batch or nothing of it, and a right book.
 */
class FailuresIT {

  private final Installation installation = Installation.of(1, 8);
  private final Cut cut = new Cut();
  private final Ledger ledger = installation.replica(cut::wrap, LedgerSettings.defaults());

  @AfterEach
  void close() {
    cut.away(false);
    installation.close();
  }

  /** Rule 18: the answer of the commit is lost, whether it took effect or not. */
  @ParameterizedTest
  @EnumSource(Cut.When.class)
  void findsOutWhatBecameOfACommitInDoubt(Cut.When at) {
    cut.nextCommit(at);

    Outcome outcome = ledger.submit(POOL, create(ask(5)), new Key("s", "v", "f"));

    assertThat(decided(outcome).state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(installation.count("select count(*) from lease")).isEqualTo(1);
    assertThat(installation.count("select count(*) from allocation")).isEqualTo(1);
    assertBookIsAsRebuilt();
  }

  @ParameterizedTest
  @EnumSource(Cut.When.class)
  void triesAgainWhenTheConnectionIsLostAtTheLock(Cut.When at) {
    cut.nextLock(at);
    assertThat(decided(ledger.submit(POOL, create(ask(5)), null)).state())
        .isEqualTo(LeaseState.ALLOCATED);
    assertThat(installation.count("select count(*) from lease")).isEqualTo(1);
    assertBookIsAsRebuilt();
  }

  /** I3, I4, I11: whatever breaks, what was answered stands once and the rest left no trace. */
  @Test
  void keepsWhatWasAnsweredThroughRandomCuts() {
    long seed = 7;
    Random random = new Random(seed);
    List<UUID> held = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int fate = random.nextInt(6);
      if (fate < 2) {
        cut.nextCommit(Cut.When.values()[fate]);
      } else if (fate < 4) {
        cut.nextLock(Cut.When.values()[fate - 2]);
      }
      if (held.isEmpty() || random.nextBoolean()) {
        Outcome outcome = ledger.submit(POOL, create(ask(1 + random.nextInt(3))), null);
        Lease lease = decided(outcome);
        if (lease.state() == LeaseState.ALLOCATED) {
          held.add(lease.id());
        }
      } else {
        UUID id = held.remove(random.nextInt(held.size()));
        Lease ending =
            ((Outcome.Committed) ledger.submit(POOL, verb(new Command.Release(id)), null))
                .leases()
                .getFirst()
                .lease();
        ledger.submit(POOL, Installation.report(ending, Command.Report.News.WITHDRAWN), null);
      }
    }
    List<UUID> promised =
        installation.jdbc().sql("select distinct lease from allocation").query(UUID.class).list();
    assertThat(promised).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(held);
    assertBookIsAsRebuilt();
  }

  /** Rule 17: one command that can not be written does not take the others with it. */
  @Test
  void partsTheCulpritFromTheOthers() throws Exception {
    List<Submission> submissions = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      submissions.add(i == 3 ? poisoned() : create(ask(1)));
    }

    List<Outcome> outcomes = inOneBatch(() -> ledger.submitAll(POOL, submissions, null));

    for (int i = 0; i < 6; i++) {
      if (i == 3) {
        assertThat(outcomes.get(i)).isInstanceOf(Outcome.Broken.class);
        assertThat(((Outcome.Broken) outcomes.get(i)).reason()).doesNotContain("u0000");
      } else {
        assertThat(decided(outcomes.get(i)).state()).isEqualTo(LeaseState.ALLOCATED);
      }
    }
    assertThat(installation.count("select count(*) from lease")).isEqualTo(5);
    assertBookIsAsRebuilt();
  }

  /** Holds the decider until all is handed in. */
  private <T> T inOneBatch(Callable<T> work) throws Exception {
    CountDownLatch holding = new CountDownLatch(1);
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread holder =
        Thread.ofVirtual()
            .start(
                () ->
                    ledger.consult(
                        POOL,
                        (book, now) -> {
                          holding.countDown();
                          await("handed in", () -> ledger.waiting(POOL) == 6);
                          return 0;
                        }));
    holding.await();
    Thread.ofVirtual().start(() -> complete(result, work));
    holder.join();
    return result.get();
  }

  private static <T> void complete(CompletableFuture<T> result, Callable<T> work) {
    try {
      result.complete(work.call());
    } catch (Exception e) {
      result.completeExceptionally(e);
    }
  }

  private static Submission poisoned() {
    Submission good = create(ask(1));
    UUID id = ((Command.Create) good.command()).ask().lease();
    LeaseText text = new LeaseText(null, null, Map.of("k", "\0"), Map.of(), List.of(), "{}", "{}");
    return new Submission(
        good.command(),
        good.actor(),
        good.traceId(),
        null,
        Map.of(id, text),
        null,
        null,
        false,
        null);
  }

  @Test
  void aRiderThatRefusesTakesItsCommandBack() {
    long before = installation.count("select revision from pool where slug = 'main'");
    Submission refused =
        new Submission(
            new Command.SetCluster("main-c", true),
            Installation.ALICE,
            Installation.TRACE,
            "cluster:main-c",
            Map.of(),
            null,
            null,
            false,
            connection -> {
              throw new Rider.Refused("changed meanwhile");
            });

    assertThat(ledger.submit(POOL, refused, null))
        .isEqualTo(new Outcome.Undone("changed meanwhile"));

    assertThat(installation.count("select revision from pool where slug = 'main'"))
        .isEqualTo(before);
    assertThat(decided(ledger.submit(POOL, create(ask(1)), null)).state())
        .as("the cluster is not paused")
        .isEqualTo(LeaseState.ALLOCATED);
  }

  /**
   * L37: the database is away for a while; what became due meanwhile happens afterwards, in order.
   */
  @Test
  void goesOnWhenTheDatabaseIsBack() {
    installation.first().stop();
    Lease lease =
        decided(
            ledger.submit(
                POOL,
                create(
                    ask(
                        Installation.newId(),
                        8,
                        new Ask.When.Now(6 * Installation.SECOND),
                        Ask.Shortage.WAIT)),
                null));
    Lease next =
        decided(
            ledger.submit(
                POOL,
                create(ask(Installation.newId(), 8, new Ask.When.Now(HOUR), Ask.Shortage.WAIT)),
                null));
    cut.away(true);
    assertThat(ledger.submit(POOL, create(ask(1)), null)).isInstanceOf(Outcome.Unavailable.class);
    await(
        "due",
        () ->
            installation.count(
                    "select count(*) from lease where state = 'ALLOCATED' and end_time < now()")
                == 1);
    cut.away(false);

    await(
        "ending",
        () -> installation.count("select count(*) from lease where state = 'ENDING'") == 1);
    LeaseRecords records = new LeaseRecords(installation.jdbc());
    Lease ending = records.find(lease.id()).orElseThrow().lease();
    ledger.submit(POOL, Installation.report(ending, Command.Report.News.WITHDRAWN), null);
    await(
        "the next starts",
        () -> records.find(next.id()).orElseThrow().lease().state() == LeaseState.ALLOCATED);
    assertBookIsAsRebuilt();
  }

  /** Rule 9: the same revision with another stamp is another history (a failover lost commits). */
  @Test
  void loadsTheBookAgainWhenTheStampIsAnothers() {
    decided(ledger.submit(POOL, create(ask(8)), null));
    for (String table : List.of("lease", "allocation", "occupancy")) {
      installation.asOwner().sql("delete from " + table).update();
    }
    installation.asOwner().sql("update pool set stamp = stamp + 1 where slug = 'main'").update();

    assertThat(decided(ledger.submit(POOL, create(ask(8)), null)).state())
        .isEqualTo(LeaseState.ALLOCATED);
    assertBookIsAsRebuilt();
  }

  /** E26: a server that no longer writes is left, and the service recovers alone. */
  @Test
  void leavesAServerThatDoesNotWrite() {
    String database = installation.database().url().replaceAll(".*/([^?]*).*", "$1");
    String set = "alter database " + database + " %s default_transaction_read_only";
    installation.asOwner().sql(set.formatted("set") + " = on").update();
    terminateDeciders();
    assertThat(ledger.submit(POOL, create(ask(1)), null)).isInstanceOf(Outcome.Unavailable.class);

    installation.asOwner().sql("set transaction read write; " + set.formatted("reset")).update();
    await(
        "writes again",
        () -> ledger.submit(POOL, create(ask(1)), null) instanceof Outcome.Committed);
  }

  private void terminateDeciders() {
    installation
        .jdbc()
        .sql(
            """
            select count(pg_terminate_backend(pid)) from pg_stat_activity
             where application_name = 'leasehold-decider' and datname = current_database()\
            """)
        .query(Long.class)
        .single();
  }

  /** Below the floor of the log there is nothing to follow. */
  @Test
  void loadsTheBookAgainBelowTheFloorOfTheLog() throws Exception {
    try (var connection = installation.database().dataSource().getConnection()) {
      LiveBook behind = LiveBook.load(connection, POOL);
      ledger.submit(POOL, create(ask(1)), null);
      ledger.submit(POOL, create(ask(1)), null);
      PoolState state = state(connection);
      List<Move> followed = LiveBook.load(connection, POOL).follow(connection, POOL, state);
      assertThat(followed).isEmpty();
      PoolState above =
          new PoolState(state.revision(), state.stamp(), 1, state.revision(), "OPEN", state.now());
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () -> behind.follow(connection, POOL, above))
          .isInstanceOf(LiveBook.OutOfStep.class);
      assertThat(behind.follow(connection, POOL, state)).isNotEmpty();
      assertThat(behind.isAt(state)).isTrue();
    }
  }

  private static PoolState state(Connection connection) throws SQLException {
    PoolState[] state = new PoolState[1];
    new Script().ask(PoolState.READ, rows -> state[0] = PoolState.from(rows), POOL).run(connection);
    return state[0];
  }

  /** Else it would look again at all who wait, where the book that decided does not. */
  @Test
  void aBookKnowsWhetherWhatItTookOverWasDecided() throws Exception {
    try (var connection = installation.database().dataSource().getConnection()) {
      LiveBook follower = LiveBook.load(connection, POOL);
      ledger.submit(POOL, create(ask(1)), null);
      follower.follow(connection, POOL, state(connection));
      assertThat(follower.book().isDecided()).isTrue();
      assertThat(LiveBook.load(connection, POOL).book().isDecided()).isTrue();

      Move tenant = new Move.TenantSet(new Tenant("late", null, false));
      ledger.impose(ALICE, TRACE, "tenant:late", null, "set", List.of(tenant), null, c -> "{}");
      follower.follow(connection, POOL, state(connection));
      assertThat(follower.book().isDecided()).isFalse();
      assertThat(LiveBook.load(connection, POOL).book().isDecided()).isFalse();
    }
  }

  @Test
  void answersWhatItTookAndRefusesTheRestWhenItStops() {
    ledger.submit(POOL, create(ask(1)), null);
    ledger.stop();
    assertThat(ledger.submit(POOL, create(ask(1)), null))
        .isEqualTo(new Outcome.Unavailable("stopping", 1));
  }

  /** The book in memory decides as one that is loaded anew: same leases, same next decision. */
  private void assertBookIsAsRebuilt() {
    Ledger rebuilt = installation.replica();
    Map<UUID, Lease> leases = ledger.consult(POOL, TwoReplicasIT::leases);
    Map<UUID, Lease> expected = rebuilt.consult(POOL, TwoReplicasIT::leases);
    assertThat(leases).usingRecursiveComparison().isEqualTo(expected);
    Submission probe = create(ask(1));
    Decision one = ((Outcome.Committed) ledger.rehearse(POOL, probe)).decision();
    Decision two = ((Outcome.Committed) rebuilt.rehearse(POOL, probe)).decision();
    assertThat(one)
        .usingRecursiveComparison()
        .ignoringFieldsMatchingRegexes(".*(At|start|end|sequence|withdrawDue)")
        .isEqualTo(two);
  }
}
