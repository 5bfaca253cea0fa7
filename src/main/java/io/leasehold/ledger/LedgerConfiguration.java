package io.leasehold.ledger;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires the ledger: the deciders have connections of their own. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LedgerSettings.class)
class LedgerConfiguration {

  @Bean
  LeaseRecords leaseRecords(JdbcClient jdbc) {
    return new LeaseRecords(jdbc);
  }

  @Bean(destroyMethod = "close")
  DeciderConnections deciderConnections(JdbcConnectionDetails details, LedgerSettings settings) {
    return DeciderConnections.open(
        details.getJdbcUrl(), details.getUsername(), details.getPassword(), settings.connections());
  }

  @Bean
  Ledger ledger(
      DeciderConnections connections,
      LeaseRecords records,
      LedgerSettings settings,
      LedgerMetrics metrics) {
    return new Ledger(connections.source(), records, settings, metrics);
  }

  @Bean
  LedgerMetrics ledgerMetrics(MeterRegistry registry) {
    return new LedgerMetrics(registry);
  }

  @Bean
  Upkeep upkeep(Ledger ledger, JdbcClient jdbc, LedgerMetrics metrics, LedgerSettings settings) {
    Partitions partitions = new Partitions(jdbc);
    return new Upkeep(
        ledger,
        new Auditor(ledger, jdbc),
        new Retention(jdbc, partitions, settings),
        partitions,
        metrics,
        settings.audit());
  }
}
