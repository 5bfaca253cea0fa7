package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.HOUR;
import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.SECOND;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static io.leasehold.ledger.Installation.newId;
import static io.leasehold.ledger.Installation.verb;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Occurrence;
import io.leasehold.engine.Span;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** The pool goes on while it is audited: the book is compared with tables of a later revision. */
class AuditorIT {

  private final Installation installation = Installation.of(2, 8);
  private final Ledger ledger = installation.first();
  private Runnable meanwhile = () -> {};

  /** When the image of the book was taken and the tables are first asked, something happens. */
  private final class Slow extends DelegatingDataSource {

    Slow(DataSource database) {
      super(database);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Runnable once = meanwhile;
      meanwhile = () -> {};
      once.run();
      return super.getConnection();
    }
  }

  private final Auditor auditor =
      new Auditor(ledger, JdbcClient.create(new Slow(installation.database().dataSource())));

  @AfterEach
  void close() {
    installation.close();
  }

  @Test
  void raisesNoAlarmForALeaseThatComesMovesOrGoesMeanwhile() {
    Lease goes = decided(ledger.submit(POOL, create(ask(2)), null));
    Lease moves = decided(ledger.submit(POOL, create(ask(3)), null));
    meanwhile =
        () -> {
          ledger.submit(POOL, create(ask(1)), null);
          ledger.submit(POOL, verb(new Command.Release(moves.id())), null);
          end(goes);
        };

    assertThat(auditor.audit(POOL)).isEmpty();

    assertThat(installation.count("select count(*) from lease where live")).isEqualTo(2);
    assertThat(auditor.audit(POOL)).isEmpty();
  }

  @Test
  void raisesNoAlarmForWhatIsSetAsideOrGivenBackMeanwhile() {
    Occurrence givenBack = reserve(1);
    meanwhile =
        () -> {
          reserve(2);
          ledger.submit(POOL, verb(new Command.CancelOccurrences(List.of(givenBack.id()))), null);
        };

    assertThat(auditor.audit(POOL)).isEmpty();

    assertThat(installation.count("select count(*) from occurrence where not live")).isEqualTo(1);
    assertThat(auditor.audit(POOL)).isEmpty();
  }

  @Test
  void findsWhatIsWrongBesideWhatMovesMeanwhile() {
    Lease lies = decided(ledger.submit(POOL, create(ask(2)), null));
    Lease moves = decided(ledger.submit(POOL, create(ask(3)), null));
    Occurrence gone = reserve(1);
    installation
        .asOwner()
        .sql("update lease set revision = 7 where id = ?")
        .param(lies.id())
        .update();
    installation.asOwner().sql("delete from occurrence where id = ?").param(gone.id()).update();
    meanwhile = () -> ledger.submit(POOL, verb(new Command.Release(moves.id())), null);

    assertThat(auditor.audit(POOL))
        .filteredOn(fault -> fault.startsWith("book: "))
        .containsExactlyInAnyOrder(
            "book: %s is at revision 1, in the table at 7".formatted(lies.id()),
            "book: %s is at revision 1, in the table at null".formatted(gone.id()));
  }

  @Test
  void findsALeaseThatIsInTheTableOnly() {
    Lease lease = decided(ledger.submit(POOL, create(ask(2)), null));
    end(lease);
    assertThat(auditor.audit(POOL)).isEmpty();
    installation
        .asOwner()
        .sql("update lease set state = ? where id = ?")
        .params(LeaseState.WAITING.name(), lease.id())
        .update();

    assertThat(auditor.audit(POOL)).contains("book: %s is in the table only".formatted(lease.id()));
  }

  private void end(Lease lease) {
    ledger.submit(POOL, verb(new Command.Release(lease.id())), null);
    Lease ending = new LeaseRecords(installation.jdbc()).find(lease.id()).orElseThrow().lease();
    ledger.submit(POOL, Installation.report(ending, Command.Report.News.WITHDRAWN), null);
  }

  private Occurrence reserve(int gpus) {
    long start = Instant.now().getEpochSecond() * SECOND + HOUR;
    Occurrence.Ask wanted =
        new Occurrence.Ask(
            newId(),
            UUID.randomUUID(),
            "vision",
            ask(gpus).shape(),
            start,
            new Span(start, start + HOUR),
            true,
            Span.FOREVER);
    Command reserve = new Command.Reserve(List.of(wanted), Command.Reserve.Misfit.REFUSE_ALL);
    Outcome.Committed done = (Outcome.Committed) ledger.submit(POOL, verb(reserve), null);
    return ((Decision.Reserved) done.decision()).occurrences().getFirst();
  }
}
