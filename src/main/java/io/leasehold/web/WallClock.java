package io.leasehold.web;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The database's clock, as this replica knows it: read every few seconds and carried on by the
 * elapsed time, so that a wrong clock of a replica shifts nothing. The only time of day here; an
 * architecture test holds that nothing asks the machine.
 */
@Component
public final class WallClock implements InstantSource {

  private static final long FRESH = TimeUnit.SECONDS.toNanos(5);

  private final JdbcClient jdbc;
  private volatile Sample sample = new Sample(0, 0, false);

  WallClock(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  private record Sample(long micros, long nanoTime, boolean taken) {

    long carriedOn() {
      return micros + TimeUnit.NANOSECONDS.toMicros(elapsed());
    }

    long elapsed() {
      return System.nanoTime() - nanoTime;
    }
  }

  @Override
  public Instant instant() {
    return WireTime.ofMicros(micros());
  }

  /** Microseconds since the epoch. */
  public long micros() {
    Sample known = sample;
    if (known.taken && known.elapsed() < FRESH) {
      return known.carriedOn();
    }
    try {
      return read();
    } catch (DataAccessException away) {
      if (known.taken) {
        return known.carriedOn();
      }
      throw away;
    }
  }

  private long read() {
    long read =
        jdbc.sql("select (extract(epoch from clock_timestamp()) * 1000000)::bigint")
            .query(Long.class)
            .single();
    sample = new Sample(read, System.nanoTime(), true);
    return read;
  }
}
