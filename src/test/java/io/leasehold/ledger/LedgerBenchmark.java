package io.leasehold.ledger;

import static io.leasehold.ledger.Installation.POOL;
import static io.leasehold.ledger.Installation.ask;
import static io.leasehold.ledger.Installation.create;
import static io.leasehold.ledger.Installation.decided;
import static io.leasehold.ledger.Installation.report;
import static io.leasehold.ledger.Installation.verb;

import io.leasehold.engine.Command;
import io.leasehold.engine.Lease;
import io.leasehold.engine.LeaseState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many decisions a second the ledger commits, without HTTP: threads that each create a lease of
 * one GPU and release it again. {@code LedgerBenchmark [threads] [seconds]}; the test database's
 * server is durable with {@code -Dleasehold.test.fsync=on}; {@code -Dsample=true} shows where it
 * spends its time.
 */
final class LedgerBenchmark {

  private LedgerBenchmark() {}

  public static void main(String[] args) throws Exception {
    int threads = args.length > 0 ? Integer.parseInt(args[0]) : 8;
    int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    try (Installation installation = Installation.of(200, 8)) {
      Ledger ledger = installation.first();
      run(ledger, threads, seconds, "warm-up");
      long[] before = cpu(installation);
      Thread sampler = Thread.ofPlatform().daemon().unstarted(() -> sample(installation));
      if (Boolean.getBoolean("sample")) {
        sampler.start();
      }
      int commands = run(ledger, threads, seconds, "measured");
      long[] after = cpu(installation);
      sampler.interrupt();
      sampler.join();
      System.out.printf(
          "CPU per command: decider %d us, database %d us; %s%n",
          (after[0] - before[0]) / commands,
          (after[1] - before[1]) / commands,
          installation.registry().getMetersAsString().replace('\n', ' '));
    }
    System.exit(0);
  }

  /** What the server is at, looked at again and again. */
  private static void sample(Installation installation) {
    java.util.Map<String, Integer> seen = new java.util.TreeMap<>();
    try (java.sql.Connection connection = installation.database().dataSource().getConnection();
        java.sql.PreparedStatement look =
            connection.prepareStatement(
                """
                select left(regexp_replace(query, E'[\\n ]+', ' ', 'g'), 44)
                       || ' | ' || coalesce(wait_event, 'CPU')
                  from pg_stat_activity
                 where application_name = 'leasehold-decider' and state = 'active'\
                """)) {
      while (!Thread.interrupted()) {
        try (java.sql.ResultSet rows = look.executeQuery()) {
          while (rows.next()) {
            seen.merge(rows.getString(1), 1, Integer::sum);
          }
        }
      }
      seen.entrySet().stream()
          .sorted((a, b) -> b.getValue() - a.getValue())
          .limit(20)
          .forEach(e -> System.out.println(e.getValue() + " " + e.getKey()));
    } catch (java.sql.SQLException e) {
      System.out.println(e.getMessage());
    }
  }

  /** Microseconds spent by the decider's thread and by the connections' server processes. */
  private static long[] cpu(Installation installation) throws Exception {
    java.lang.management.ThreadMXBean threads =
        java.lang.management.ManagementFactory.getThreadMXBean();
    long decider = 0;
    for (long id : threads.getAllThreadIds()) {
      if (threads.getThreadInfo(id) != null
          && threads.getThreadInfo(id).getThreadName().startsWith("decider")) {
        decider += threads.getThreadCpuTime(id) / 1_000;
      }
    }
    long server = 0;
    for (int pid :
        installation
            .jdbc()
            .sql("select pid from pg_stat_activity where application_name = 'leasehold-decider'")
            .query(Integer.class)
            .list()) {
      String[] stat =
          Files.readString(Path.of("/proc/" + pid + "/stat")).split("\\) ")[1].split(" ");
      server += (Long.parseLong(stat[11]) + Long.parseLong(stat[12])) * 10_000;
    }
    return new long[] {decider, server};
  }

  private static int run(Ledger ledger, int threads, int seconds, String name)
      throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    LongAdder decisions = new LongAdder();
    long[][] micros = new long[threads][200_000];
    int[] counts = new int[threads];
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        int me = t;
        executor.submit(
            () -> {
              while (!over.get()) {
                long began = System.nanoTime();
                Lease lease = decided(ledger.submit(POOL, create(ask(1)), null));
                micros[me][counts[me]++] = (System.nanoTime() - began) / 1_000;
                decisions.increment();
                if (lease.state() != LeaseState.ALLOCATED) {
                  System.out.println("unexpected: " + lease.state());
                }
                Outcome.Committed released =
                    (Outcome.Committed)
                        ledger.submit(POOL, verb(new Command.Release(lease.id())), null);
                decisions.increment();
                ledger.submit(
                    POOL,
                    report(released.leases().getFirst().lease(), Command.Report.News.WITHDRAWN),
                    null);
                decisions.increment();
              }
              return null;
            });
      }
      TimeUnit.SECONDS.sleep(seconds);
      over.set(true);
    }
    long[] all = new long[Arrays.stream(counts).sum()];
    int at = 0;
    for (int t = 0; t < threads; t++) {
      System.arraycopy(micros[t], 0, all, at, counts[t]);
      at += counts[t];
    }
    Arrays.sort(all);
    System.out.printf(
        "%s: %d threads, %d commands/s (%d creates/s), create p50 %.1f ms, p99 %.1f ms%n",
        name,
        threads,
        decisions.sum() / seconds,
        all.length / seconds,
        all[all.length / 2] / 1_000.0,
        all[(int) (all.length * 0.99)] / 1_000.0);
    return decisions.intValue();
  }
}
