package io.leasehold.publishing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves when the test says so. */
public final class HandClock implements InstantSource {

  private volatile Instant now = Instant.parse("2027-03-01T15:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }
}
