package io.leasehold;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Migrates at the start. A migration waits for a lock no longer than it says (5 s), since everybody
 * else queues behind it, and is tried again: ten times, then the start ends. So does the start of a
 * service that is older than the database allows.
 */
@Component
final class Migrations implements FlywayMigrationStrategy {

  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
  private static final int TRIES = 10;

  /** What a long transaction, or another replica's migration, makes of ours. */
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final String DEADLOCK = "40P01";

  @Override
  public void migrate(Flyway flyway) {
    requireNewEnough(flyway);
    for (int tries = 1; !hasMigrated(flyway); tries++) {
      LOG.warn("A migration did not get a lock; try {} of {}", tries, TRIES);
      if (tries == TRIES) {
        throw new CannotStart(
            "The database could not be migrated: another transaction kept a table locked through "
                + TRIES
                + " tries. Find it in pg_stat_activity, end it, and start again.");
      }
    }
    requireNewEnough(flyway); // A newer replica may have been faster.
  }

  private static boolean hasMigrated(Flyway flyway) {
    try {
      flyway.migrate();
      return true;
    } catch (FlywayException e) {
      if (isWithoutLock(e)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isWithoutLock(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException sql
          && (LOCK_NOT_AVAILABLE.equals(sql.getSQLState()) || DEADLOCK.equals(sql.getSQLState()))) {
        return true;
      }
    }
    return false;
  }

  private record Minimum(int migration, String release) {}

  private static void requireNewEnough(Flyway flyway) {
    MigrationVersion known = newestKnown(flyway);
    minimum(JdbcClient.create(flyway.getConfiguration().getDataSource()))
        .filter(min -> known.compareTo(version(min)) < 0)
        .ifPresent(
            min -> {
              throw new CannotStart(
                  ("The database needs Leasehold %s or newer (migration %d), and this one knows"
                          + " no more than migration %s: start the newer one.")
                      .formatted(min.release(), min.migration(), known));
            });
  }

  private static MigrationVersion version(Minimum minimum) {
    return MigrationVersion.fromVersion(Integer.toString(minimum.migration()));
  }

  /** Of those that this service brings along. Waits for the database as long as configured. */
  private static MigrationVersion newestKnown(Flyway flyway) {
    return Arrays.stream(flyway.info().all())
        .filter(migration -> migration.getState().isResolved())
        .map(MigrationInfo::getVersion)
        .filter(version -> version != null)
        .max(MigrationVersion::compareTo)
        .orElse(MigrationVersion.EMPTY);
  }

  private static Optional<Minimum> minimum(JdbcClient database) {
    boolean isThere =
        database
            .sql("select to_regclass('min_app_version') is not null")
            .query(Boolean.class)
            .single();
    return isThere
        ? database
            .sql("select migration, release from min_app_version")
            .query(Minimum.class)
            .optional()
        : Optional.empty();
  }
}
