package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.dao.DataAccessResourceFailureException;

class ReadinessTest {

  private final AtomicLong clock = new AtomicLong();
  private final AtomicBoolean databaseAway = new AtomicBoolean();
  private final AtomicBoolean booksLoaded = new AtomicBoolean(true);
  private final Readiness readiness = new Readiness(booksLoaded::get, this::probe, clock::get);

  @Test
  void bridgesAnAbsenceOfTheDatabaseBelowThirtySeconds() {
    databaseAway.set(true);
    assertThat(statusAfter(0)).isEqualTo(Status.UP);
    assertThat(statusAfter(29)).isEqualTo(Status.UP);
    assertThat(statusAfter(1)).isEqualTo(Status.DOWN);
  }

  @Test
  void countsFromTheFirstFailureAfterASuccess() {
    databaseAway.set(true);
    statusAfter(0);
    databaseAway.set(false);
    assertThat(statusAfter(100)).isEqualTo(Status.UP);
    databaseAway.set(true);
    assertThat(statusAfter(100)).isEqualTo(Status.UP);
  }

  @Test
  void isNotReadyBeforeTheBooksAreLoaded() {
    booksLoaded.set(false);
    assertThat(statusAfter(0)).isEqualTo(Status.OUT_OF_SERVICE);
  }

  private Status statusAfter(long seconds) {
    clock.addAndGet(Duration.ofSeconds(seconds).toNanos());
    return readiness.health().getStatus();
  }

  private void probe() {
    if (databaseAway.get()) {
      throw new DataAccessResourceFailureException("away");
    }
  }
}
