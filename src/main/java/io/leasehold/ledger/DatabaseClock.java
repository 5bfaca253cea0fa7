package io.leasehold.ledger;

/**
 * The database's time between two looks at it, by elapsed time only: this machine's own clock is
 * never asked. Good for waking up; what is decided uses the time read under the lock.
 */
final class DatabaseClock {

  private volatile long microsAhead;

  /** The database said so just now. */
  void read(long micros) {
    microsAhead = micros - elapsed();
  }

  long now() {
    return elapsed() + microsAhead;
  }

  private static long elapsed() {
    return System.nanoTime() / 1_000;
  }
}
