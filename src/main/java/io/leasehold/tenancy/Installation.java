package io.leasehold.tenancy;

import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * What this installation is, for good: a sample or a production one. A start in the other mode is
 * refused, so that a sample's data and keys never open a door of a production installation.
 */
@Component
final class Installation {

  private final boolean sample;

  Installation(JdbcClient jdbc, Environment environment) {
    this.sample = environment.acceptsProfiles(Profiles.of("sample"));
    String wanted = sample ? "sample" : "production";
    jdbc.sql("insert into installation (kind) values (:kind) on conflict do nothing")
        .param("kind", wanted)
        .update();
    String kind = jdbc.sql("select kind from installation").query(String.class).single();
    if (!kind.equals(wanted)) {
      throw new IllegalStateException(
          "The database belongs to a "
              + kind
              + " installation, and this start is a "
              + wanted
              + " one; use another database.");
    }
  }

  /** Development keys work here and nowhere else. */
  boolean isSample() {
    return sample;
  }
}
