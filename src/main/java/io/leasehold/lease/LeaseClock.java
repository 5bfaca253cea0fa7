package io.leasehold.lease;

import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The database's clock, as this replica knows it: read every few seconds and carried on by the
 * elapsed time, so that a wrong clock of a replica shifts no window.
 */
@Component
class LeaseClock {

  private static final long FRESH = TimeUnit.SECONDS.toNanos(5);

  private final JdbcClient jdbc;
  private volatile Sample sample = new Sample(0, 0, false);

  LeaseClock(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private record Sample(long micros, long nanoTime, boolean taken) {}

  /** Microseconds since the epoch. */
  long micros() {
    Sample known = sample;
    long elapsed = System.nanoTime() - known.nanoTime;
    if (known.taken && elapsed < FRESH) {
      return known.micros + TimeUnit.NANOSECONDS.toMicros(elapsed);
    }
    long read =
        jdbc.sql("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")
            .query(Long.class)
            .single();
    sample = new Sample(read, System.nanoTime(), true);
    return read;
  }
}
