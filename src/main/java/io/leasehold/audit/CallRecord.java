package io.leasehold.audit;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Ledger;
import io.leasehold.web.Caller;
import io.leasehold.web.Noted;
import io.leasehold.web.WallClock;
import jakarta.annotation.PreDestroy;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Records refused calls and noted reads: the first of each caller, operation and minute is an audit
 * fact, the others are counted. Never on the thread of the request, and never without bound.
 */
@Component
final class CallRecord {

  private static final Logger LOG = LoggerFactory.getLogger(CallRecord.class);
  private static final int MOST_WAITING = 1_000;
  private static final int MOST_COUNTED = 50_000;

  private final Ledger ledger;
  private final JdbcTemplate jdbc;
  private final WallClock clock;
  private final Map<Call, Long> counts = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor writer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          Thread.ofVirtual().name("call-record-", 0).factory());

  CallRecord(Ledger ledger, JdbcTemplate jdbc, WallClock clock) {
    this.ledger = ledger;
    this.jdbc = jdbc;
    this.clock = clock;
  }

  /** What is counted together. The first trace id stands for all. */
  private record Call(Instant minute, UUID principal, String operation, int status) {}

  @EventListener
  void note(Noted noted) {
    Call call =
        new Call(
            clock.instant().truncatedTo(ChronoUnit.MINUTES),
            noted.caller().principal(),
            noted.operation(),
            noted.status());
    if (counts.size() < MOST_COUNTED && counts.merge(call, 1L, Long::sum) == 1) {
      enqueue(call, noted);
    }
  }

  private void enqueue(Call call, Noted noted) {
    try {
      writer.execute(() -> writeFirst(call, noted));
    } catch (RejectedExecutionException full) {
      LOG.warn("More refusals than can be recorded one by one; they are counted only");
    }
  }

  /** The row of the minute decides whether it is the first, over restarts and replicas. */
  private void writeFirst(Call call, Noted noted) {
    try {
      int fresh =
          jdbc.update(
              """
              insert into denied_call (minute, principal, operation, status, count, trace_id)
              values (?, ?, ?, ?, 0, ?) on conflict do nothing
              """,
              Timestamp.from(call.minute()),
              call.principal(),
              call.operation(),
              call.status(),
              noted.traceId());
      if (fresh == 1) {
        impose(noted);
      }
    } catch (RuntimeException failed) {
      LOG.warn("A refusal could not be recorded, trace {}", noted.traceId(), failed);
    }
  }

  private void impose(Noted noted) {
    Caller caller = noted.caller();
    ledger.impose(
        new Actor(caller.principal(), caller.kind(), caller.name()),
        noted.traceId(),
        "operation:" + noted.operation(),
        tenant(caller),
        noted.isRefusal() ? "denied" : "read-across-tenants",
        List.of(),
        null,
        connection -> "{}");
  }

  /** Whose admins should see it: the tenant of a caller that belongs to one only. */
  private static @Nullable String tenant(Caller caller) {
    List<String> tenants = caller.grants().stream().map(Caller.Grant::tenant).distinct().toList();
    return tenants.size() == 1 && !tenants.getFirst().isEmpty() ? tenants.getFirst() : null;
  }

  @Scheduled(fixedDelayString = "PT10S")
  void writeCounts() {
    for (Call call : List.copyOf(counts.keySet())) {
      Long count = counts.remove(call);
      if (count != null) {
        try {
          write(call, count);
        } catch (DataAccessException away) { // Counted on, and written when it is back.
          counts.merge(call, count, Long::sum);
          throw away;
        }
      }
    }
  }

  private void write(Call call, long count) {
    jdbc.update(
        """
        insert into denied_call as d (minute, principal, operation, status, count, trace_id)
        values (?, ?, ?, ?, ?, '')
        on conflict (minute, principal, operation, status)
        do update set count = d.count + excluded.count
        """,
        Timestamp.from(call.minute()),
        call.principal(),
        call.operation(),
        call.status(),
        count);
  }

  @PreDestroy
  void stop() {
    writer.shutdown();
    writeCounts();
  }
}
