package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.HOUR;
import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.LeaseState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A list under one idempotency key: each element has its own outcome, each effect comes once. */
class KeyedListIT {

  private static final Key KEY = new Key("alice /leases/batch", "one", "f");

  private final Installation installation = Installation.of(40, 8);
  private final Ledger ledger = installation.first();

  @AfterEach
  void close() {
    installation.close();
  }

  /** E20: what one element breaks is its own; a retry hears the same of each. */
  @Test
  void aCulpritIsPutAsideAndTheOthersStand() {
    List<Submission> list = list(7);
    list.set(2, poisoned());
    list.set(5, poisoned());

    List<Outcome> outcomes = ledger.submitAll(POOL, list, KEY);
    assertAllBut(outcomes, 2, 5);
    List<Outcome> again = ledger.submitAll(POOL, list, KEY);
    assertAllBut(again, 2, 5);
    assertThat(again)
        .filteredOn(Outcome.Committed.class::isInstance)
        .hasSize(5)
        .allMatch(outcome -> ((Outcome.Committed) outcome).replayed());

    assertThat(leases()).isEqualTo(5);
    assertThat(new Auditor(ledger, installation.jdbc()).audit(POOL)).isEmpty();
  }

  @Test
  void whereAllAreCulpritsNothingIsKept() {
    List<Submission> list = new ArrayList<>(List.of(poisoned(), poisoned()));
    assertThat(ledger.submitAll(POOL, list, KEY)).allMatch(Outcome.Broken.class::isInstance);
    assertThat(installation.count("select count(*) from idempotency_key")).isZero();
    assertThat(leases()).isZero();
  }

  /** In another pool, where the engine does not know it. */
  @Test
  void anIdThatIsTakenElsewhereIsTheElementsOwnMatter() {
    installation.furnish(ledger, "other", 1, 8);
    List<Submission> list = list(3);
    decided(ledger.submit("other", list.get(1), null));

    List<Outcome> outcomes = ledger.submitAll(POOL, list, KEY);

    assertAllBut(outcomes, 1);
    Decision taken = ((Outcome.Committed) outcomes.get(1)).decision();
    assertThat(((Declined) taken).why()).isEqualTo(Declined.Why.ID_TAKEN);
  }

  /** What follows a culprit would find nothing to wait for, and start at once. */
  @Test
  void whatFollowsACulpritIsPutAsideWithIt() {
    Submission culprit = poisoned();
    Submission follower = after(culprit);
    List<Outcome> outcomes =
        ledger.submitAll(POOL, List.of(create(ask(1)), culprit, follower, after(follower)), KEY);
    assertAllBut(outcomes, 1, 2, 3);
  }

  /** A long list shares the lock with others, whatever its key. */
  @Test
  void aLongListIsDecidedInPartsAndEachOnce() {
    List<Submission> list = list(250);
    assertAllBut(ledger.submitAll(POOL, list, KEY));
    assertThat(
            installation.count(
                "select count(distinct revision) from audit_fact where to_state = 'ALLOCATED'"))
        .as("the first part alone, the others as the cap allows")
        .isBetween(2L, 3L);
    assertThat(installation.count("select count(*) from idempotency_key")).isEqualTo(3);

    assertAllBut(ledger.submitAll(POOL, list, KEY));
    assertThat(leases()).isEqualTo(250);
  }

  /** The replica died after the first part: a retry, at any other, does the rest. */
  @Test
  void aRetryDoesWhatTheFirstCallLeft() {
    List<Submission> list = list(250);
    assertAllBut(ledger.submitAll(POOL, list.subList(0, Key.PART), KEY));

    assertAllBut(installation.replica().submitAll(POOL, list, KEY));

    assertThat(leases()).isEqualTo(250);
  }

  /** E20: another body has no effect in any part. */
  @Test
  void anotherBodyUnderTheKeyHasNoEffect() {
    ledger.submitAll(POOL, list(1), KEY);
    Key other = new Key(KEY.scope(), KEY.value(), "another");
    assertThat(ledger.submitAll(POOL, list(250), other))
        .hasSize(250)
        .allMatch(Outcome.KeyReused.class::isInstance);
    assertThat(leases()).isEqualTo(1);
  }

  /** All or none: it is one command, and none of it is written. */
  @Test
  void anAtomicCreateFailsAsOne() {
    Submission good = create(ask(1));
    Submission bad = poisoned();
    Submission atomic =
        new Submission(
            new Command.CreateAtomic(
                Stream.of(good, bad).map(s -> ((Command.Create) s.command()).ask()).toList()),
            good.actor(),
            good.traceId(),
            null,
            both(good.texts(), bad.texts()),
            null,
            null,
            false,
            null);
    assertThat(ledger.submit(POOL, atomic, KEY)).isInstanceOf(Outcome.Broken.class);
    assertThat(leases()).isZero();
    assertThat(decided(ledger.submit(POOL, create(ask(1)), null)).state())
        .isEqualTo(LeaseState.ALLOCATED);
  }

  private static Map<UUID, LeaseText> both(Map<UUID, LeaseText> one, Map<UUID, LeaseText> other) {
    Map<UUID, LeaseText> all = new java.util.HashMap<>(one);
    all.putAll(other);
    return all;
  }

  private static void assertAllBut(List<Outcome> outcomes, Integer... culprits) {
    for (int i = 0; i < outcomes.size(); i++) {
      boolean stands =
          outcomes.get(i) instanceof Outcome.Committed committed
              && committed.decision() instanceof Decision.Decided;
      assertThat(stands)
          .as("element %d: %s", i, outcomes.get(i))
          .isNotEqualTo(List.of(culprits).contains(i));
    }
  }

  private static List<Submission> list(int size) {
    List<Submission> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(create(ask(1)));
    }
    return list;
  }

  private static Submission after(Submission first) {
    Ask ask = ask(1);
    return create(
        new Ask(
            ask.lease(),
            ask.tenant(),
            ask.serviceClass(),
            ask.shape(),
            ask.when(),
            ask.preemptible(),
            Ask.Shortage.WAIT,
            HOUR,
            List.of(((Command.Create) first.command()).ask().lease())));
  }

  /** PostgreSQL takes no zero byte. */
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

  private long leases() {
    return installation.count("select count(*) from lease where pool = 'main'");
  }
}
