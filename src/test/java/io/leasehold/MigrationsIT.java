package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.callback.Callback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Migrating while others work, and from where earlier releases left the database. */
class MigrationsIT {

  private final TestDatabase database = TestDatabase.fresh();
  private final JdbcClient owner = JdbcClient.create(database.asOwner());
  private final AtomicInteger tries = new AtomicInteger();
  @TempDir private Path next;

  @BeforeEach
  void aNextRelease() throws IOException {
    Files.writeString(
        next.resolve("V900__next.sql"),
        "set local lock_timeout = '50ms'; alter table lease add column later int;");
  }

  /** A report that runs for long holds a table; the start waits for it by trying again. */
  @Test
  void triesAgainUntilALongTransactionIsOver() throws SQLException {
    try (Connection report = longReport()) {
      Flyway flyway =
          withNext(
              () -> {
                if (tries.incrementAndGet() == 4) {
                  end(report);
                }
              });
      new Migrations().migrate(flyway);
    }
    assertThat(tries).hasValue(4);
    assertThat(columns("later")).isEqualTo(1);
  }

  @Test
  void endsTheStartInPlainWordsWhenTheTableIsNeverFree() throws SQLException {
    try (Connection report = longReport()) {
      assertThatThrownBy(() -> new Migrations().migrate(withNext(tries::incrementAndGet)))
          .isInstanceOf(CannotStart.class)
          .hasMessageContaining("pg_stat_activity");
      end(report);
    }
    assertThat(tries).hasValue(10);
    assertThat(columns("later")).isZero();
  }

  /** A fault of a migration is no matter of waiting. */
  @Test
  void doesNotRepeatWhatFailsOtherwise() throws IOException {
    Files.writeString(next.resolve("V901__fault.sql"), "select 1 / 0;");
    assertThatThrownBy(() -> new Migrations().migrate(withNext(tries::incrementAndGet)))
        .hasMessageContaining("division by zero");
    assertThat(tries).hasValue(2);
  }

  @Test
  void refusesAServiceThatIsTooOldForTheDatabase() {
    new Migrations().migrate(withNext(() -> {}));
    new Migrations().migrate(flyway().load());
    owner.sql("update min_app_version set migration = 900, release = '3.1.0'").update();
    assertThatThrownBy(() -> new Migrations().migrate(flyway().load()))
        .isInstanceOf(CannotStart.class)
        .hasMessageContaining("needs Leasehold 3.1.0 or newer (migration 900)");
    new Migrations().migrate(withNext(() -> {}));
  }

  /** The service can not lower it. */
  @Test
  void onlyTheOwnerSaysHowOldAServiceMayBe() {
    JdbcClient service = JdbcClient.create(database.dataSource());
    assertThatThrownBy(() -> service.sql("update min_app_version set migration = 0").update())
        .rootCause()
        .hasMessageContaining("permission denied");
  }

  /** V7 moves the log and the facts into partitions; nothing is lost, nothing lies apart. */
  @Test
  void partitionsKeepWhatTheReleaseBeforeWrote() {
    owner.sql("drop schema public cascade").update();
    owner.sql("create schema public").update();
    flyway().target("6").skipDefaultCallbacks(true).load().migrate();
    owner
        .sql(
            """
            insert into batch select '-', n, n, 1, now() - n * interval '7 hours', '[]'
              from generate_series(1, 30) n;
            insert into move select '-', n, o, '{}' from generate_series(1, 30) n,
              generate_series(0, 2) o;
            insert into audit_fact (pool, revision, ord, at, actor, subject, cause, trace_id)
            select '-', n, 0, now() - n * interval '20 days', gen_random_uuid(), 's', 'c', ''
              from generate_series(1, 30) n;
            insert into allocation_history select '-', gen_random_uuid(), 0, gen_random_uuid(),
              '{[0,1)}', tstzrange(now() - interval '90 days', now() - n * interval '20 days'),
              now() - n * interval '20 days', 'released' from generate_series(1, 3) n\
            """)
        .update();

    new Migrations().migrate(flyway().load());

    assertThat(rows("batch")).isEqualTo(30);
    assertThat(rows("move m join batch b using (pool, revision, at)")).isEqualTo(90);
    assertThat(rows("audit_fact")).isEqualTo(30);
    assertThat(rows("allocation_history")).isEqualTo(3);
    for (String table : new String[] {"batch", "move", "audit_fact", "allocation_history"}) {
      assertThat(rows(table + "_default")).as(table).isZero();
    }
  }

  private FluentConfiguration flyway() {
    return Flyway.configure().dataSource(database.asOwner()).locations("filesystem:db/migration");
  }

  /** The release after this one; says when it begins to migrate. */
  private Flyway withNext(Runnable begins) {
    return flyway()
        .locations("filesystem:db/migration", "filesystem:" + next)
        .callbacks(new Begins(begins))
        .load();
  }

  private Connection longReport() throws SQLException {
    Connection report = database.dataSource().getConnection();
    report.setAutoCommit(false);
    report.createStatement().execute("select count(*) from lease");
    return report;
  }

  private static void end(Connection report) {
    try {
      report.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long columns(String name) {
    return rows(
        "information_schema.columns where table_name = 'lease' and column_name = '" + name + "'");
  }

  private long rows(String from) {
    return owner.sql("select count(*) from " + from).query(Long.class).single();
  }

  private record Begins(Runnable work) implements Callback {

    @Override
    public boolean supports(Event event, Context context) {
      return event == Event.BEFORE_EACH_MIGRATE;
    }

    @Override
    public boolean canHandleInTransaction(Event event, Context context) {
      return true;
    }

    @Override
    public void handle(Event event, Context context) {
      work.run();
    }

    @Override
    public String getCallbackName() {
      return "begins";
    }
  }
}
