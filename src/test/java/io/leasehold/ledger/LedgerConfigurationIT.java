package io.leasehold.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.FreshDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** The ledger starts with the application and uses connections of its own. */
@SpringBootTest(
    classes = LedgerConfigurationIT.OnlyTheLedger.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = "management.endpoint.health.validate-group-membership=false")
@FreshDatabase
class LedgerConfigurationIT {

  @EnableAutoConfiguration
  @Import(LedgerConfiguration.class)
  static class OnlyTheLedger {}

  @Autowired private Ledger ledger;
  @Autowired private DeciderConnections connections;

  @Test
  void isReadyAfterTheStart() throws Exception {
    Installation.await("ready", ledger::isReady);
    ledger.createPool("main", Actor.SYSTEM, Installation.TRACE);
    Installation.await("ready again", ledger::isReady);
    assertThat(ledger.pools()).isEqualTo(List.of("main"));
    try (var connection = connections.source().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("show idle_in_transaction_session_timeout")) {
      rows.next();
      assertThat(rows.getString(1)).isEqualTo("2s");
    }
  }
}
