package io.leasehold.publishing;

import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The one clock of all replicas: the database's. */
public final class DatabaseClock implements InstantSource {

  private final JdbcClient database;

  public DatabaseClock(JdbcClient database) {
    this.database = database;
  }

  @Override
  public Instant instant() {
    return database
        .sql("select clock_timestamp()")
        .query(OffsetDateTime.class)
        .single()
        .toInstant();
  }
}
