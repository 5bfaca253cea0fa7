package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.create;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is looked after from time to time. */
class UpkeepIT {

  private final Installation installation = Installation.of(1, 8);
  private final Ledger ledger = installation.replica();
  private final Auditor auditor = new Auditor(ledger, installation.jdbc());

  @BeforeEach
  void work() {
    ledger.submit(POOL, create(ask(1)), new Key("s", "v", "f"));
    ledger.submit(POOL, create(ask(9)), null);
  }

  @AfterEach
  void close() {
    installation.close();
  }

  @Test
  void findsNothingWhereTheLawsHold() {
    assertThat(auditor.audit(POOL)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delete from allocation | I1",
        "delete from occupancy | I1",
        "update lease set update_time = now() - interval '1 hour' | I5",
        "update audit_fact set from_state = 'ENDED' where to_state = 'ALLOCATED' | I7",
        "delete from audit_fact where to_state = 'REFUSED' | I9",
        "update lease set revision = 7 where state = 'ALLOCATED' | book"
      })
  void findsAPlantedFault(String fault, String law) {
    installation.asOwner().sql(fault).update();
    assertThat(auditor.audit(POOL)).isNotEmpty().allMatch(found -> found.startsWith(law));
  }

  @Test
  void forgetsKeysAndRefusalsWhenTheirTimeIsOver() {
    installation
        .asOwner()
        .sql(
            """
            insert into denied_call (minute, principal, operation, status, count, trace_id)
            select now() - days * interval '1 day', gen_random_uuid(), 'o', 403, 1, ''
              from unnest(array[399, 401]) days\
            """)
        .update();
    retention(Duration.ofHours(48)).run();
    assertThat(installation.count("select count(*) from idempotency_key")).isEqualTo(1);
    assertThat(installation.count("select count(*) from denied_call")).isEqualTo(1);

    retention(Duration.ZERO).run();

    assertThat(installation.count("select count(*) from idempotency_key")).isZero();
  }

  private Retention retention(Duration keys) {
    LedgerSettings d = LedgerSettings.defaults();
    LedgerSettings settings =
        new LedgerSettings(
            d.follow(),
            d.cap(),
            d.urgentCap(),
            d.mostInBatch(),
            d.answerWithin(),
            d.largeWithin(),
            d.connections(),
            keys,
            d.keepLog(),
            d.keepAudit(),
            d.audit());
    return new Retention(installation.jdbc(), new Partitions(installation.jdbc()), settings);
  }
}
