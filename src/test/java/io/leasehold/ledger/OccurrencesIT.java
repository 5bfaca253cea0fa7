package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.HOUR;
import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.SECOND;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.await;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static io.leasehold.ledger.Installation.newId;
import static io.leasehold.ledger.Installation.verb;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Booking;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Engine;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import io.leasehold.engine.Occurrence;
import io.leasehold.engine.Shape;
import io.leasehold.engine.Span;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is set aside, in the tables and in the books of two replicas. */
class OccurrencesIT {

  private final Installation installation = Installation.of(2, 8);
  private final List<Ledger> ledgers = List.of(installation.first(), installation.replica());

  @AfterEach
  void close() {
    installation.close();
  }

  private static long now() {
    Instant now = Instant.now();
    return now.getEpochSecond() * SECOND;
  }

  private static Occurrence.Ask wanted(UUID reservation, int gpus, Span window, long noShowAfter) {
    Shape shape = ask(gpus).shape();
    return new Occurrence.Ask(
        newId(), reservation, "vision", shape, window.start(), window, true, noShowAfter);
  }

  private static Submission reserve(Occurrence.Ask... asks) {
    return verb(new Command.Reserve(List.of(asks), Command.Reserve.Misfit.REFUSE_ALL));
  }

  private static Ask drawing(UUID reservation, int gpus, Ask.When when) {
    Ask plain = ask(newId(), gpus, when, Ask.Shortage.REFUSE);
    return new Ask(
        plain.lease(),
        plain.tenant(),
        plain.serviceClass(),
        plain.shape(),
        plain.when(),
        true,
        plain.onShortage(),
        plain.waitUntil(),
        List.of(),
        0,
        reservation);
  }

  @Test
  void isBookedInTheTableAndShrinksByWhatIsDrawn() {
    UUID reservation = newId();
    Occurrence.Ask wanted = wanted(reservation, 8, new Span(now(), now() + 4 * HOUR), Span.FOREVER);
    ledgers.get(0).submit(POOL, reserve(wanted), null);
    assertThat(rows(wanted.id())).isEqualTo(1);

    Lease lease =
        decided(
            ledgers
                .get(1)
                .submit(POOL, create(drawing(reservation, 3, new Ask.When.Now(HOUR))), null));
    assertThat(lease.state()).isEqualTo(LeaseState.ALLOCATED);
    assertThat(rows(wanted.id())).as("before, beside, after").isEqualTo(3);
    assertThat(
            installation.count(
                "select count(*) from allocation a join allocation b using (node)"
                    + " where a.units && b.units and a.during && b.during and a.ctid <> b.ctid"))
        .isZero();
    ledgers.get(0).submit(POOL, verb(new Command.Release(lease.id())), null);
    ledgers
        .get(0)
        .submit(POOL, Installation.report(stands(lease), Command.Report.News.WITHDRAWN), null);
    assertThat(rows(wanted.id())).isEqualTo(1);
    assertBooksAgree();
  }

  private Lease stands(Lease lease) {
    return ledgers.get(0).consult(POOL, (book, now) -> book.lease(lease.id()));
  }

  private long rows(UUID occurrence) {
    return installation
        .jdbc()
        .sql("select count(*) from allocation where lease = ?")
        .param(occurrence)
        .query(Long.class)
        .single();
  }

  @Test
  void isReleasedByTheClockWhenNobodyComes() {
    Occurrence.Ask wanted = wanted(newId(), 8, new Span(now(), now() + 4 * HOUR), 300_000L);
    ledgers.get(0).submit(POOL, reserve(wanted), null);
    await(
        "no-show",
        () -> installation.count("select count(*) from occurrence where state = 'ENDED'") == 1);
    assertThat(rows(wanted.id())).isZero();
    assertThat(
            installation.count(
                "select count(*) from audit_fact where cause = 'no-show' and subject = 'occurrence:"
                    + wanted.id()
                    + "'"))
        .isEqualTo(1);
    assertBooksAgree();
  }

  @Test
  void oneOfTwoThatWantTheSameTimeGetsIt() throws Exception {
    Span window = new Span(now() + HOUR, now() + 2 * HOUR);
    List<Outcome> outcomes =
        atOnce(
            8,
            n ->
                ledgers
                    .get(n % 2)
                    .submit(POOL, reserve(wanted(newId(), 9, window, Span.FOREVER)), null));
    assertThat(outcomes)
        .filteredOn(o -> ((Outcome.Committed) o).decision() instanceof Decision.Reserved)
        .hasSize(1);
    assertBooksAgree();
  }

  /** I1, I8, the log and the rows, under random work of many threads. */
  @Test
  void booksAndRowsAgreeUnderLoad() throws Exception {
    long seed = 7;
    atOnce(
        8,
        n -> {
          Random random = new Random(seed + n);
          for (int i = 0; i < 25; i++) {
            act(random, ledgers.get(n % 2));
          }
          return null;
        });
    assertBooksAgree();
  }

  private void act(Random random, Ledger ledger) {
    UUID reservation = newId();
    long start = now() + (random.nextInt(5) - 2) * 60 * SECOND;
    Occurrence.Ask one =
        wanted(reservation, 1 + random.nextInt(6), new Span(start, start + HOUR), Span.FOREVER);
    Outcome made = ledger.submit(POOL, reserve(one), null);
    List<UUID> leases = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Ask ask =
          random.nextInt(3) > 0
              ? drawing(reservation, 1 + random.nextInt(3), new Ask.When.Now(HOUR / 4))
              : ask(1 + random.nextInt(4));
      ledger.submit(POOL, create(ask), null);
      leases.add(ask.lease());
    }
    if (made instanceof Outcome.Committed(Decision.Reserved _, _, _, _)) {
      long later = start + 60 * SECOND * random.nextInt(10);
      ledger.submit(
          POOL,
          verb(new Command.ChangeOccurrence(one.id(), new Span(start, later + HOUR), one.shape())),
          null);
    }
    leases.forEach(id -> ledger.submit(POOL, verb(new Command.Release(id)), null));
    if (random.nextBoolean()) {
      ledger.submit(POOL, verb(new Command.CancelOccurrences(List.of(one.id()))), null);
    }
  }

  private void assertBooksAgree() {
    Ledger third = installation.replica();
    List<String> texts = new ArrayList<>();
    for (Ledger ledger : List.of(ledgers.get(0), ledgers.get(1), third)) {
      assertThat(new Auditor(ledger, installation.jdbc()).audit(POOL)).isEmpty();
      await(
          "caught up",
          () -> {
            long rows = installation.count("select revision from pool where slug = 'main'");
            return ledger.consultLive(POOL, live -> live.revision()) == rows;
          });
      List<String> faults = ledger.consult(POOL, (book, now) -> Engine.audit(book));
      assertThat(faults).isEmpty();
      texts.add(
          ledger.consult(
              POOL,
              (book, now) -> {
                StringBuilder text = new StringBuilder();
                for (Occurrence each : book.occurrences()) {
                  text.append(each).append(book.undrawn(each.id())).append('\n');
                }
                return text.toString();
              }));
    }
    assertThat(texts.get(1)).isEqualTo(texts.get(0));
    assertThat(texts.get(2)).isEqualTo(texts.get(0));
    long pieces =
        third.consult(
            POOL,
            (book, now) ->
                book.occurrences().stream()
                    .flatMap(each -> book.undrawn(each.id()).stream())
                    .map(Booking::slots)
                    .mapToLong(List::size)
                    .sum());
    assertThat(
            installation.count(
                "select count(*) from allocation where lease in (select id from occurrence)"))
        .as("rows of what nobody has")
        .isEqualTo(pieces);
  }

  private static <T> List<T> atOnce(int threads, java.util.function.IntFunction<T> work)
      throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Callable<T>> tasks = new ArrayList<>();
      for (int n = 0; n < threads; n++) {
        int number = n;
        tasks.add(() -> work.apply(number));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> each : executor.invokeAll(tasks)) {
        results.add(each.get());
      }
      return results;
    }
  }
}
