package io.leasehold;

import io.leasehold.ledger.Ledger;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Ready = every pool's book is loaded, and the database has not been away for 30 seconds: a short
 * absence is bridged by retries, and taking all replicas out would only turn it into an outage.
 */
@Component("serving")
class Readiness implements HealthIndicator {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BooleanSupplier booksLoaded;
  private final Runnable probe;
  private final LongSupplier nanos;
  private @Nullable Long failingSince;

  @Autowired
  Readiness(Ledger ledger, DataSource dataSource) {
    JdbcClient database = JdbcClient.create(dataSource);
    this(
        ledger::isReady,
        () -> database.sql("select 1").query(Integer.class).single(),
        System::nanoTime);
  }

  /**
   * @param probe throws a {@link DataAccessException} while the database is away
   * @param nanos a monotonic clock
   */
  Readiness(BooleanSupplier booksLoaded, Runnable probe, LongSupplier nanos) {
    this.booksLoaded = booksLoaded;
    this.probe = probe;
    this.nanos = nanos;
  }

  @Override
  public Health health() {
    if (isDatabaseGone()) {
      return Health.down().withDetail("database", "away for 30 s or longer").build();
    }
    return booksLoaded.getAsBoolean()
        ? Health.up().build()
        : Health.outOfService().withDetail("ledger", "books are loading").build();
  }

  private synchronized boolean isDatabaseGone() {
    try {
      probe.run();
      failingSince = null;
      return false;
    } catch (DataAccessException e) {
      if (failingSince == null) {
        failingSince = nanos.getAsLong();
      }
      return nanos.getAsLong() - failingSince >= PATIENCE.toNanos();
    }
  }
}
