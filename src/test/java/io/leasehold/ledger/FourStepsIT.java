package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static io.leasehold.ledger.Installation.report;
import static io.leasehold.ledger.Installation.verb;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one commit writes. */
class FourStepsIT {

  private final Installation installation = Installation.of(2, 8);
  private final Ledger ledger = installation.replica();

  @AfterEach
  void close() {
    installation.close();
  }

  @Test
  void commitsPromisePossessionOrderLogAndAuditTogether() {
    Outcome outcome = ledger.submit(POOL, create(ask(8)), null);

    Lease lease = decided(outcome);
    assertThat(lease.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(installation.count("select count(*) from allocation")).isEqualTo(1);
    assertThat(installation.count("select count(*) from occupancy")).isEqualTo(1);
    assertThat(installation.count("select count(*) from cluster_order where kind = 'PUBLISH'"))
        .isEqualTo(1);
    Map<String, Object> fact =
        installation
            .jdbc()
            .sql("select actor, cause, to_state, trace_id from audit_fact where lease = ?")
            .param(lease.id())
            .query()
            .singleRow();
    assertThat(fact)
        .containsEntry("actor", Installation.ALICE.principal())
        .containsEntry("to_state", "ALLOCATED")
        .containsEntry("trace_id", Installation.TRACE);
  }

  @Test
  void theRecordOfAnAnswerIsTheRowOfTheTable() {
    Outcome.Committed outcome = (Outcome.Committed) ledger.submit(POOL, create(ask(3)), null);

    LeaseRecord record = outcome.leases().getFirst();
    assertThat(new LeaseRecords(installation.jdbc()).find(record.lease().id()).orElseThrow())
        .usingRecursiveComparison()
        .isEqualTo(record);
    assertThat(record.text().name()).isEqualTo("a name");
    assertThat(record.createdBy()).isEqualTo(Installation.ALICE);
  }

  @Test
  void aReportMovesTheRowAndLeavesTheRestOfItAsItWas() {
    Lease lease = decided(ledger.submit(POOL, create(ask(3)), null));
    LeaseRecords records = new LeaseRecords(installation.jdbc());
    LeaseRecord before = records.find(lease.id()).orElseThrow();
    Map<String, Object> columns = columns(lease);

    ledger.submit(POOL, report(lease, Command.Report.News.USABLE), null);

    LeaseRecord after = records.find(lease.id()).orElseThrow();
    assertThat(after.lease()).isEqualTo(ledger.consult(POOL, (book, _) -> book.lease(lease.id())));
    assertThat(after.lease().state()).isEqualTo(LeaseState.ACTIVE);
    assertThat(after.updatedAt()).isGreaterThan(before.updatedAt());
    assertThat(after.text()).isEqualTo(before.text());
    assertThat(after.answer()).isEqualTo(before.answer());
    assertThat(columns(lease)).isEqualTo(columns);
  }

  /** Up to PostgreSQL 15 any index on such a column makes each move write all indexes. */
  @Test
  void noIndexHasWhatEveryMoveChanges() {
    assertThat(
            installation.count(
                """
                select count(*) from pg_index i
                  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
                 where i.indrelid = 'lease'::regclass
                   and a.attname in ('state', 'revision', 'degraded', 'status', 'update_time')\
                """))
        .isZero();
  }

  /** A function that is only called is planned anew in each statement. */
  @Test
  void thePlannerPutsTheTimeFunctionsIntoTheStatement() {
    String plan =
        installation
            .jdbc()
            .sql("explain (verbose) select instant(revision), micros(create_time) from lease")
            .query(String.class)
            .list()
            .toString();
    assertThat(plan).doesNotContain("instant(", "micros(");
  }

  private Map<String, Object> columns(Lease lease) {
    return installation
        .jdbc()
        .sql("select tenant, cluster, model, gpu_milli, start_time, end_time, owner from lease")
        .query()
        .singleRow();
  }

  @Test
  void aLaterEndReachesTheRow() {
    Lease lease = decided(ledger.submit(POOL, create(ask(3)), null));

    ledger.submit(
        POOL, verb(new Command.Shorten(lease.id(), lease.window().end() - 60_000_000)), null);

    assertThat(installation.count("select micros(end_time) from lease"))
        .isEqualTo(lease.window().end() - 60_000_000);
  }

  @Test
  void keepsThePossessionUntilTheClusterHasWithdrawn() {
    Lease lease = decided(ledger.submit(POOL, create(ask(8)), null));
    ledger.submit(POOL, report(lease, Command.Report.News.USABLE), null);

    Outcome released = ledger.submit(POOL, verb(new Command.Release(lease.id())), null);

    Lease ending = ((Outcome.Committed) released).leases().getFirst().lease();
    assertThat(ending.state()).isEqualTo(LeaseState.ENDING);
    assertThat(installation.count("select count(*) from allocation")).isZero();
    assertThat(installation.count("select count(*) from allocation_history")).isEqualTo(1);
    assertThat(installation.count("select count(*) from occupancy")).isEqualTo(1);
    assertThat(installation.count("select count(*) from cluster_order where kind = 'WITHDRAW'"))
        .isEqualTo(1);

    ledger.submit(POOL, report(ending, Command.Report.News.WITHDRAWN), null);
    assertThat(installation.count("select count(*) from occupancy")).isZero();
    assertThat(installation.count("select count(*) from lease where state = 'ENDED'")).isEqualTo(1);
  }

  @Test
  void aRehearsalAnswersTheSameAndWritesNothing() {
    long before = installation.count("select sum(revision)::bigint from pool");
    Outcome rehearsed = ledger.rehearse(POOL, create(ask(8)));
    assertThat(decided(rehearsed).state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(installation.count("select sum(revision)::bigint from pool")).isEqualTo(before);
    assertThat(installation.count("select count(*) from lease")).isZero();
    assertThat(decided(ledger.submit(POOL, create(ask(8)), null)).booking().slots())
        .isEqualTo(decided(rehearsed).booking().slots());
  }

  @Test
  void theAuditNamesWhoDidWhatToContractsAndClusters() {
    var facts =
        installation
            .jdbc()
            .sql(
                """
                select cause || ' ' || coalesce(tenant, '-') from audit_fact
                 where actor = ? and cause in ('signed', 'resumed')\
                """)
            .param(Actor.SYSTEM.principal())
            .query(String.class)
            .list();
    assertThat(facts).containsExactlyInAnyOrder("resumed -", "signed vision");
  }

  /** A wait that ends because somebody else gave back is nobody's deed. */
  @Test
  void theAuditTellsTheClockFromTheCaller() {
    Lease first = decided(ledger.submit(POOL, create(ask(16)), null));
    Lease waiting =
        decided(
            ledger.submit(
                POOL,
                create(
                    ask(
                        Installation.newId(),
                        16,
                        new Ask.When.Now(Installation.HOUR),
                        Ask.Shortage.WAIT)),
                null));
    ledger.submit(POOL, verb(new Command.Release(first.id())), null);
    Lease ending = new LeaseRecords(installation.jdbc()).find(first.id()).orElseThrow().lease();
    ledger.submit(POOL, report(ending, Command.Report.News.WITHDRAWN), null);
    Installation.await(
        "started",
        () ->
            new LeaseRecords(installation.jdbc()).find(waiting.id()).orElseThrow().lease().state()
                == LeaseState.ALLOCATED);
    var actors =
        installation
            .jdbc()
            .sql(
                """
                select lease_revision || ' ' || actor from audit_fact where lease = ?
                 order by lease_revision\
                """)
            .param(waiting.id())
            .query(String.class)
            .list();
    assertThat(actors).hasSizeGreaterThan(1);
    assertThat(actors.getFirst()).endsWith(Installation.ALICE.principal().toString());
    assertThat(actors.getLast()).endsWith(Actor.CLOCK.principal().toString());
  }
}
