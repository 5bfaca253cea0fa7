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
import io.leasehold.engine.Book;
import io.leasehold.engine.Command;
import io.leasehold.engine.Engine;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two replicas decide for one pool at once. */
class TwoReplicasIT {

  private final Installation installation = Installation.of(1, 8);
  private final List<Ledger> ledgers = List.of(installation.replica(), installation.replica());

  @AfterEach
  void close() {
    installation.close();
  }

  /** L1: 50 parallel requests for all GPUs. */
  @Test
  void admitsExactlyOneOfManyThatWantEverything() throws Exception {
    List<Outcome> outcomes = atOnce(50, n -> ledgers.get(n % 2).submit(POOL, create(ask(8)), null));

    assertThat(outcomes).filteredOn(o -> decided(o).state() == LeaseState.ALLOCATED).hasSize(1);
    assertThat(outcomes).filteredOn(o -> decided(o).state() == LeaseState.REFUSED).hasSize(49);
    assertThat(installation.count("select count(*) from allocation")).isEqualTo(1);
  }

  /** L2: 8 parallel requests of 3 of 8 GPUs. */
  @Test
  void admitsAtMostWhatFits() throws Exception {
    List<Outcome> outcomes = atOnce(8, n -> ledgers.get(n % 2).submit(POOL, create(ask(3)), null));

    assertThat(outcomes).filteredOn(o -> decided(o).state() == LeaseState.ALLOCATED).hasSize(2);
  }

  /** I4, I8 and the log: random work of many threads; sums right, books equal to the tables. */
  @Test
  void keepsBothBooksEqualToTheTablesUnderLoad() throws Exception {
    long seed = 42;
    atOnce(
        16,
        n -> {
          Random random = new Random(seed + n);
          Ledger ledger = ledgers.get(n % 2);
          List<UUID> mine = new ArrayList<>();
          for (int i = 0; i < 40; i++) {
            if (mine.isEmpty() || random.nextInt(3) > 0) {
              Ask.When when =
                  random.nextBoolean() ? new Ask.When.Now(HOUR) : new Ask.When.Now(HOUR / 2);
              Ask.Shortage shortage =
                  random.nextInt(4) == 0 ? Ask.Shortage.WAIT : Ask.Shortage.REFUSE;
              Ask ask = ask(Installation.newId(), 1 + random.nextInt(4), when, shortage);
              if (!decided(ledger.submit(POOL, create(ask), null)).state().isFinal()) {
                mine.add(ask.lease());
              }
            } else {
              UUID id = mine.remove(random.nextInt(mine.size()));
              Ledger other = ledgers.get(random.nextInt(2));
              Outcome outcome = other.submit(POOL, verb(new Command.Release(id)), null);
              List<LeaseRecord> records = ((Outcome.Committed) outcome).leases();
              for (LeaseRecord record : records) {
                if (record.lease().state() == LeaseState.ENDING) {
                  other.submit(
                      POOL,
                      Installation.report(record.lease(), Command.Report.News.WITHDRAWN),
                      null);
                }
              }
            }
          }
          return null;
        });

    for (Ledger ledger : ledgers) {
      Map<UUID, Lease> inBook = ledger.consult(POOL, TwoReplicasIT::leases);
      Map<UUID, Lease> inTable = leasesInTable();
      assertThat(inBook).as("seed %d", seed).usingRecursiveComparison().isEqualTo(inTable);
      List<String> faults = ledger.consult(POOL, (book, now) -> Engine.audit(book));
      assertThat(faults).isEmpty();
    }
    assertThat(
            installation.count(
                """
                select count(*) from move m
                  full join audit_fact f using (pool, revision, ord)
                 where pool = 'main' and (m.pool is null or f.pool is null)\
                """))
        .as("moves without exactly one audit fact")
        .isZero();
  }

  /**
   * What a verb changes at one replica, the other goes on from; a third reads it from the tables.
   */
  @Test
  void growsShrinksAndChangesHandsAtWhicheverReplica() {
    Lease lease = decided(ledgers.get(0).submit(POOL, create(ask(2)), null));
    ledgers.get(0).submit(POOL, Installation.report(lease, Command.Report.News.USABLE), null);
    Lease grown = changed(ledgers.get(1), new Command.Resize(lease.id(), 6, List.of()));
    assertThat(grown.booking().gpuMilli()).isEqualTo(6_000);
    assertThat(units("allocation")).isEqualTo(6_000);
    assertThat(units("occupancy")).isEqualTo(6_000);
    Lease shrunk = changed(ledgers.get(0), new Command.Resize(lease.id(), 3, List.of()));
    assertThat(units("allocation")).isEqualTo(3_000);
    assertThat(units("occupancy")).as("not confirmed yet").isEqualTo(6_000);
    assertThat(decided(ledgers.get(1).submit(POOL, create(ask(5)), null)).state())
        .isEqualTo(LeaseState.REFUSED);
    ledgers
        .get(0)
        .impose(ALICE, TRACE, "tenant:nlp", "nlp", "tenant-created", List.of(NLP), null, _ -> "{}");
    changed(ledgers.get(1), new Command.Transfer(lease.id(), "nlp"));
    ledgers.get(1).submit(POOL, Installation.report(shrunk, Command.Report.News.USABLE), null);
    assertThat(units("occupancy")).isEqualTo(3_000);
    assertThat(decided(ledgers.get(0).submit(POOL, create(ask(5)), null)).state())
        .isEqualTo(LeaseState.ALLOCATED);

    assertThat(installation.count("select count(*) from cluster_order where kind = 'PUBLISH'"))
        .as("an order for each generation, and that of the other lease")
        .isEqualTo(4);
    assertThat(
            installation
                .jdbc()
                .sql("select tenant from lease where id = ?")
                .param(lease.id())
                .query(String.class)
                .single())
        .isEqualTo("nlp");
    for (Ledger each : List.of(ledgers.get(0), ledgers.get(1), installation.replica())) {
      Map<UUID, Lease> inBook = each.consult(POOL, TwoReplicasIT::leases);
      assertThat(inBook).usingRecursiveComparison().isEqualTo(leasesInTable());
      List<String> faults = each.consult(POOL, (book, now) -> Engine.audit(book));
      assertThat(faults).isEmpty();
    }
  }

  private static final io.leasehold.engine.Move NLP =
      new io.leasehold.engine.Move.TenantSet(
          new io.leasehold.engine.Tenant("nlp", "vision", false));

  private static Lease changed(Ledger ledger, Command command) {
    Outcome outcome = ledger.submit(POOL, verb(command), null);
    return ((io.leasehold.engine.Decision.Done) ((Outcome.Committed) outcome).decision()).lease();
  }

  private long units(String table) {
    return installation.count(
        "select coalesce(sum(upper(r) - lower(r)), 0) from " + table + ", unnest(units) r");
  }

  /** Engine rule 7: what was used is remembered by all, also by one that starts later. */
  @Test
  void remembersWhatWasUsed() {
    Lease lease = decided(ledgers.get(0).submit(POOL, create(ask(8)), null));
    ledgers.get(0).submit(POOL, verb(new Command.Release(lease.id())), null);

    long used = ledgers.get(0).consult(POOL, (book, now) -> book.history("vision", "h100"));

    assertThat(used).isPositive();
    assertThat(installation.count("select count(*) from fact where kind = 'usage'")).isEqualTo(1);
    for (Ledger each : List.of(ledgers.get(1), installation.replica())) {
      assertThat(each.<Long>consult(POOL, (book, now) -> book.history("vision", "h100")))
          .isEqualTo(used);
    }
  }

  static Map<UUID, Lease> leases(Book book, long now) {
    Map<UUID, Lease> leases = new java.util.TreeMap<>();
    book.leases().forEach(lease -> leases.put(lease.id(), lease));
    return leases;
  }

  private Map<UUID, Lease> leasesInTable() {
    Map<UUID, Lease> leases = new java.util.TreeMap<>();
    installation
        .jdbc()
        .sql(
            "select "
                + LeaseRecords.COLUMNS
                + " from lease l where state not in ('ENDED', 'REFUSED', 'CANCELLED')")
        .query(new LeaseRecords(installation.jdbc()))
        .list()
        .forEach(record -> leases.put(record.lease().id(), record.lease()));
    return leases;
  }

  /** I4: the same key at both replicas has one effect and one answer. */
  @Test
  void oneKeyHasOneEffectAtBothReplicas() throws Exception {
    Submission submission = create(ask(2));
    Key key = new Key("alice POST /leases", "k-1", "f");

    List<Outcome> outcomes = atOnce(2, n -> ledgers.get(n).submit(POOL, submission, key));

    assertThat(outcomes).allMatch(o -> o instanceof Outcome.Committed);
    assertThat(outcomes).filteredOn(o -> ((Outcome.Committed) o).replayed()).hasSize(1);
    assertThat(((Outcome.Committed) outcomes.get(0)).leases())
        .usingRecursiveComparison()
        .isEqualTo(((Outcome.Committed) outcomes.get(1)).leases());
    assertThat(installation.count("select count(*) from lease")).isEqualTo(1);
  }

  @Test
  void tellsWhoWaitsAtTheOtherReplica() {
    Lease lease = decided(ledgers.get(0).submit(POOL, create(ask(1)), null));
    CompletableFuture<LeaseRecord> next =
        ledgers.get(1).nextChange(lease.id(), lease.revision(), Duration.ofSeconds(10));

    ledgers.get(0).submit(POOL, Installation.report(lease, Command.Report.News.USABLE), null);

    assertThat(next.join().lease().state()).isEqualTo(LeaseState.ACTIVE);
  }

  @Test
  void findsAPoolThatWasCreatedElsewhere() {
    ledgers.get(0).createPool("edge", ALICE, TRACE);
    await("the other replica knows edge", () -> ledgers.get(1).pools().contains("edge"));
    assertThat(ledgers.get(1).<Object>consult("edge", (book, now) -> book.model("h100")))
        .isEqualTo(Installation.model());
  }

  /** L7 and the timers: what is due happens although nobody asks. */
  @Test
  void endsALeaseWhenItIsDueAndStartsTheNext() {
    Lease first =
        decided(
            ledgers
                .get(0)
                .submit(
                    POOL,
                    create(
                        ask(
                            Installation.newId(),
                            8,
                            new Ask.When.Now(Installation.SECOND / 2),
                            Ask.Shortage.WAIT)),
                    null));
    ledgers.get(0).submit(POOL, Installation.report(first, Command.Report.News.USABLE), null);
    await(
        "ending",
        () -> installation.count("select count(*) from lease where state = 'ENDING'") == 1);
    assertThat(
            installation
                .jdbc()
                .sql("select actor from audit_fact where cause = 'expired'")
                .query(UUID.class)
                .single())
        .isEqualTo(Actor.CLOCK.principal());
  }

  @Test
  void aChangeOfEveryPoolStandsInEveryLogOnce() {
    ledgers.get(0).createPool("edge", ALICE, TRACE);
    ledgers
        .get(0)
        .impose(
            ALICE,
            TRACE,
            "tenant:search",
            "search",
            "tenant-created",
            List.of(
                new io.leasehold.engine.Move.TenantSet(
                    new io.leasehold.engine.Tenant("search", "vision", false))),
            null,
            connection -> "{}");
    for (Ledger ledger : ledgers) {
      await("edge", () -> ledger.pools().contains("edge"));
      for (String pool : List.of(POOL, "edge")) {
        assertThat(ledger.<Object>consult(pool, (book, now) -> book.tenant("search"))).isNotNull();
      }
    }
    assertThat(
            installation.count(
                "select count(*) from audit_fact where cause = 'tenant-created' and pool <> '-'"))
        .isEqualTo(2);
  }

  interface Work<T> {
    T at(int number) throws Exception;
  }

  static <T> List<T> atOnce(int threads, Work<T> work) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(threads);
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Callable<T>> calls = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        calls.add(
            () -> {
              barrier.await();
              return work.at(number);
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : executor.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    }
  }
}
