package io.leasehold.tenancy;

import io.leasehold.web.Caller;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Who stands behind a caller: for a key its owner, else the caller itself. */
@Component
public final class People {

  private final JdbcClient jdbc;

  People(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  UUID behind(Caller caller) {
    return behind(caller.principal());
  }

  /** A person with two keys is one person. */
  public UUID behind(UUID principal) {
    return jdbc.sql("select owner from api_key where principal = :principal limit 1")
        .param("principal", principal)
        .query(UUID.class)
        .optional()
        .orElse(principal);
  }
}
