package io.leasehold.tenancy;

import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Ledger;
import io.leasehold.web.Ids;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Writes the audit fact of each admin that was made beside the service. */
@Component
final class BootstrapRecord {

  private final JdbcClient jdbc;
  private final Ledger ledger;

  BootstrapRecord(JdbcClient jdbc, Ledger ledger) {
    this.jdbc = jdbc;
    this.ledger = ledger;
  }

  private record Made(int ordinal, UUID key) {}

  @Scheduled(fixedDelayString = "PT30S")
  void write() {
    jdbc.sql("select ordinal, key from bootstrap where not audited order by ordinal")
        .query(Made.class)
        .list()
        .forEach(this::write);
  }

  private void write(Made made) {
    ledger.impose(
        Actor.SYSTEM,
        Ids.next().toString().replace("-", ""),
        "api-key:" + made.key(),
        null,
        made.ordinal() == 0 ? "admin-bootstrapped" : "break-glass",
        List.of(),
        null,
        connection -> {
          JdbcClient.create(new SingleConnectionDataSource(connection, true))
              .sql("update bootstrap set audited = true where ordinal = :ordinal")
              .param("ordinal", made.ordinal())
              .update();
          return "{}";
        });
  }
}
