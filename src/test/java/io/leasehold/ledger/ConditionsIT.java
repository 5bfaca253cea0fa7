package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.ALICE;
import static io.leasehold.ledger.Installation.HOUR;
import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.TRACE;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static io.leasehold.ledger.Installation.verb;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Move;
import io.leasehold.engine.Tenant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a caller may ask for beside the command: keys, revisions seen, ids of its own. */
class ConditionsIT {

  private final Installation installation = Installation.of(1, 8);
  private final Ledger ledger = installation.replica();

  @AfterEach
  void close() {
    installation.close();
  }

  /** E20. */
  @Test
  void replaysTheAnswerOfAKeyAndRefusesAnotherBody() {
    Key key = new Key("alice POST /leases", "k", "body one");
    Outcome.Committed first = (Outcome.Committed) ledger.submit(POOL, create(ask(2)), key);

    Outcome.Committed again = (Outcome.Committed) ledger.submit(POOL, create(ask(2)), key);
    assertThat(again.replayed()).isTrue();
    assertThat(again).usingRecursiveComparison().ignoringFields("replayed").isEqualTo(first);

    assertThat(ledger.submit(POOL, create(ask(2)), new Key(key.scope(), key.value(), "other")))
        .isInstanceOf(Outcome.KeyReused.class);
    assertThat(installation.count("select count(*) from lease")).isEqualTo(1);
  }

  @Test
  void aKeyIsOneOverAllPools() {
    installation.furnish(ledger, "edge", 1, 8);
    Key key = new Key("alice POST /leases", "k", "to main");
    ledger.submit(POOL, create(ask(2)), key);
    assertThat(ledger.submit("edge", create(ask(2)), new Key(key.scope(), "k", "to edge")))
        .isInstanceOf(Outcome.KeyReused.class);
  }

  @Test
  void keepsTheRefusalOfTheEngineUnderAKeyButNotACallersMistake() {
    ledger.submit(POOL, create(ask(8)), null);
    Key refused = new Key("s", "refused", "f");
    Outcome first = ledger.submit(POOL, create(ask(8)), refused);
    assertThat(decided(first).state()).isEqualTo(LeaseState.REFUSED);
    assertThat(((Outcome.Committed) ledger.submit(POOL, create(ask(8)), refused)).replayed())
        .isTrue();

    Key mistaken = new Key("s", "mistaken", "f");
    UUID nobody = Installation.newId();
    for (int i = 0; i < 2; i++) {
      Outcome outcome = ledger.submit(POOL, verb(new Command.Release(nobody)), mistaken);
      assertThat(((Outcome.Committed) outcome).replayed()).isFalse();
    }
    assertThat(installation.count("select count(*) from idempotency_key")).isEqualTo(1);
  }

  @Test
  void oneKeyCoversAWholeList() {
    Key key = new Key("s", "list", "f");
    List<Submission> submissions = List.of(create(ask(1)), create(ask(1)), create(ask(9)));
    List<Outcome> first = ledger.submitAll(POOL, submissions, key);
    List<Outcome> again = ledger.submitAll(POOL, submissions, key);

    assertThat(again).hasSize(3).allMatch(o -> ((Outcome.Committed) o).replayed());
    for (int i = 0; i < 3; i++) {
      assertThat(decided(again.get(i))).usingRecursiveComparison().isEqualTo(decided(first.get(i)));
    }
    assertThat(installation.count("select count(*) from lease")).isEqualTo(3);
  }

  @Test
  void tellsThatTheFirstRequestOfAKeyIsStillBeingAnswered() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Thread holder =
        Thread.ofVirtual()
            .start(
                () ->
                    ledger.consult(
                        POOL,
                        (book, now) -> {
                          asked.countDown();
                          awaitQuietly(held);
                          return 0;
                        }));
    asked.await();
    Key key = new Key("s", "slow", "f");
    Thread first = Thread.ofVirtual().start(() -> ledger.submit(POOL, create(ask(1)), key));
    Installation.await("in flight", () -> isInFlight(key));
    held.countDown();
    holder.join();
    first.join();
    assertThat(((Outcome.Committed) ledger.submit(POOL, create(ask(1)), key)).replayed()).isTrue();
  }

  private boolean isInFlight(Key key) {
    return ledger.submit(POOL, create(ask(1)), new Key(key.scope(), key.value(), "x"))
        instanceof Outcome.KeyReused;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** E19: two changes of one lease that both saw the same revision. */
  @Test
  void refusesAChangeOfARevisionThatIsGone() throws Exception {
    Lease lease = decided(ledger.submit(POOL, create(ask(1)), null));
    List<Outcome> outcomes =
        TwoReplicasIT.atOnce(
            2,
            n ->
                ledger.submit(
                    POOL, verb(new Command.Annotate(lease.id()), lease.revision()), null));
    assertThat(outcomes).filteredOn(o -> o instanceof Outcome.Committed).hasSize(1);
    assertThat(outcomes)
        .filteredOn(o -> o instanceof Outcome.Stale)
        .singleElement()
        .satisfies(
            o ->
                assertThat(((Outcome.Stale) o).current().lease().revision())
                    .isEqualTo(lease.revision() + 1));
  }

  /** E19: concurrent extend and cancel serialise; never an error. */
  @Test
  void serialisesConcurrentVerbsOfOneLease() throws Exception {
    Lease lease =
        decided(
            ledger.submit(
                POOL,
                create(ask(Installation.newId(), 1, new Ask.When.Now(HOUR), Ask.Shortage.WAIT)),
                null));
    List<Outcome> outcomes =
        TwoReplicasIT.atOnce(
            6,
            n ->
                ledger.submit(
                    POOL,
                    verb(
                        n % 2 == 0
                            ? new Command.Extend(lease.id(), lease.window().end() + n + 1)
                            : new Command.Release(lease.id())),
                    null));
    assertThat(outcomes).allMatch(o -> o instanceof Outcome.Committed);
  }

  @Test
  void answersAfreshWhenTheBookHasChanged() {
    Outcome.Committed first = (Outcome.Committed) ledger.submit(POOL, create(ask(6)), null);
    long seen = first.bookRevision();
    assertThat(ledger.submit(POOL, create(ask(1), seen), null))
        .isInstanceOf(Outcome.Committed.class);

    Outcome outcome = ledger.submit(POOL, create(ask(2), seen), null);

    assertThat(outcome).isInstanceOf(Outcome.BookChanged.class);
    Decision fresh = ((Outcome.BookChanged) outcome).fresh();
    assertThat(((Decision.Decided) fresh).lease().state()).isEqualTo(LeaseState.REFUSED);
    assertThat(installation.count("select count(*) from lease")).isEqualTo(2);
  }

  @Test
  void refusesAnIdThatALeaseOfAnotherPoolHas() {
    installation.furnish(ledger, "edge", 1, 8);
    Ask ask = ask(1);
    ledger.submit("edge", create(ask), null);

    List<Outcome> outcomes =
        ledger.submitAll(POOL, List.of(create(ask(1)), create(ask), create(ask(1))), null);

    assertThat(((Outcome.Committed) outcomes.get(1)).decision())
        .isInstanceOfSatisfying(
            Decision.Declined.class,
            declined -> assertThat(declined.why()).isEqualTo(Decision.Declined.Why.ID_TAKEN));
    assertThat(decided(outcomes.get(0)).state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(decided(outcomes.get(2)).state()).isEqualTo(LeaseState.ALLOCATED);
  }

  /** The other pool's lease is not committed yet when this one looks. */
  @Test
  void oneOfTwoPoolsGetsAnIdThatBothWantAtOnce() throws Exception {
    installation.furnish(ledger, "edge", 1, 8);
    List<String> pools = List.of(POOL, "edge");
    for (int i = 0; i < 30; i++) {
      Ask ask = ask(9);
      List<Outcome> outcomes =
          TwoReplicasIT.atOnce(2, n -> ledger.submit(pools.get(n), create(ask), null));
      assertThat(outcomes)
          .allMatch(o -> o instanceof Outcome.Committed)
          .filteredOn(o -> ((Outcome.Committed) o).decision() instanceof Decision.Declined)
          .hasSize(1);
    }
  }

  @Test
  void endingWhatIsOverIsNoFault() {
    Lease lease = decided(ledger.submit(POOL, create(ask(9)), null));
    assertThat(lease.state()).isEqualTo(LeaseState.REFUSED);
    Outcome released = ledger.submit(POOL, verb(new Command.Release(lease.id())), null);
    assertThat(((Outcome.Committed) released).decision()).isInstanceOf(Decision.Done.class);
    Outcome extended =
        ledger.submit(POOL, verb(new Command.Extend(lease.id(), Long.MAX_VALUE / 2)), null);
    assertThat(((Outcome.Committed) extended).decision())
        .isInstanceOfSatisfying(
            Decision.Declined.class,
            declined -> assertThat(declined.why()).isEqualTo(Decision.Declined.Why.ILLEGAL_MOVE));
  }

  @Test
  void anAnnotationChangesTextAndRevisionOnly() {
    Lease lease = decided(ledger.submit(POOL, create(ask(1)), null));
    LeaseText text =
        new LeaseText("other", "bob", Map.of("a", "b"), Map.of(), List.of(), "{}", "{}");
    LeaseRecord record =
        ((Outcome.Committed) ledger.submit(POOL, annotate(lease, text), null)).leases().getFirst();
    assertThat(record.text()).isEqualTo(text);
    assertThat(record.lease().revision()).isEqualTo(lease.revision() + 1);
    LeaseRecord stored = new LeaseRecords(installation.jdbc()).find(lease.id()).orElseThrow();
    assertThat(stored).usingRecursiveComparison().isEqualTo(record);
    assertThat(installation.count("select count(*) from lease where labels @> '{\"a\": \"b\"}'"))
        .isEqualTo(1);
  }

  @Test
  void anAnnotationThatIsDeclinedLeavesTheTextEvenIfItsBatchMovesTheLease() {
    ledger.submit(POOL, create(ask(8)), null);
    Ask late = ask(Installation.newId(), 8, new Ask.When.Now(HOUR), Ask.Shortage.WAIT);
    Lease waiting = decided(ledger.submit(POOL, create(late), null));
    assertThat(waiting.state()).isEqualTo(LeaseState.WAITING);
    LeaseText text = new LeaseText("other", null, Map.of(), Map.of(), List.of(), "{}", "{}");

    List<Outcome> outcomes =
        ledger.submitAll(
            POOL,
            List.of(verb(new Command.Cancel(waiting.id())), annotate(waiting, text)),
            new Key("alice", "both", "f"));

    assertThat(((Outcome.Committed) outcomes.getLast()).decision())
        .isInstanceOf(Decision.Declined.class);
    LeaseRecord stored = new LeaseRecords(installation.jdbc()).find(waiting.id()).orElseThrow();
    assertThat(stored.lease().state()).isEqualTo(LeaseState.CANCELLED);
    assertThat(stored.text().name()).isEqualTo("a name");
  }

  private static Submission annotate(Lease lease, LeaseText text) {
    return new Submission(
        new Command.Annotate(lease.id()),
        ALICE,
        TRACE,
        null,
        Map.of(lease.id(), text),
        null,
        null,
        false,
        null);
  }

  @Test
  void aLostConnectionIsNotHiddenByItsRollback() {
    assertThatThrownBy(
            () ->
                ledger.impose(
                    ALICE,
                    TRACE,
                    "tenant:lost",
                    "lost",
                    "tenant-created",
                    List.of(),
                    null,
                    connection -> {
                      connection
                          .createStatement()
                          .execute("select pg_terminate_backend(pg_backend_pid())");
                      return "{}";
                    }))
        .isInstanceOf(Administration.ImposeFailed.class)
        .hasMessageContaining("57P01");
  }

  @Test
  void imposesOnceUnderAKeyAndNothingWhenItsWorkRefuses() {
    Key key = new Key("root POST /tenants", "k", "f");
    for (int i = 0; i < 2; i++) {
      int times = i;
      Ledger.Imposed imposed =
          ledger.impose(
              ALICE,
              TRACE,
              "tenant:t",
              "t",
              "tenant-created",
              List.of(new Move.TenantSet(new Tenant("t", null, false))),
              key,
              connection -> "{\"n\": " + times + "}");
      assertThat(imposed).isEqualTo(new Ledger.Imposed.Written("{\"n\": 0}", i == 1));
    }
    assertThatThrownBy(
            () ->
                ledger.impose(
                    ALICE,
                    TRACE,
                    "tenant:u",
                    "u",
                    "tenant-created",
                    List.of(new Move.TenantSet(new Tenant("u", null, false))),
                    null,
                    connection -> {
                      throw new Rider.Refused("no");
                    }))
        .isInstanceOf(Rider.Refused.class);
    Tenant none = ledger.consult(POOL, (book, now) -> book.tenant("u"));
    assertThat(none).isNull();
    assertThat(installation.count("select count(*) from audit_fact where cause = 'tenant-created'"))
        .as("one in the administration's log, one in the pool's")
        .isEqualTo(2);
  }
}
