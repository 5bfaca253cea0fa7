package io.leasehold.publishing;

import io.leasehold.ledger.Ledger;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Puts the parts together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PublishingSettings.class)
class Publishing {

  @Bean(destroyMethod = "close")
  PublishingConnections publishingConnections(
      JdbcConnectionDetails details, PublishingSettings settings) {
    return PublishingConnections.open(
        details.getJdbcUrl(), details.getUsername(), details.getPassword(), settings.connections());
  }

  @Bean
  Publisher publisher(
      PublishingSettings settings,
      PublishingConnections connections,
      List<ClusterAdapter> adapters,
      Ledger ledger,
      MeterRegistry registry) {
    JdbcClient database = connections.database();
    Deliveries deliveries = new Deliveries(database);
    InstantSource clock = new DatabaseClock(database);
    Clusters clusters = new Clusters(database, adapters);
    DeliveryMetrics metrics = new DeliveryMetrics(registry);
    Reports.Desk desk = (pool, news) -> ledger.submitAll(pool, news, null);
    Reports reports = new Reports(desk);
    Watch watch = new Watch(new Standings(database), desk, settings.steady());
    Quarantine quarantine =
        new Quarantine(
            database,
            (pool, id) -> ledger.consult(pool, (book, now) -> Optional.ofNullable(book.node(id))),
            desk,
            metrics);
    Backoff backoff =
        new Backoff(settings.retry(), settings.retryAtMost(), RandomGenerator.getDefault());
    Rules rules = new Rules(backoff, settings.resend(), settings.park());
    Reconciler reconciler =
        new Reconciler(
            settings, clusters, new Comparisons(database), deliveries, reports, metrics, watch);
    return new Publisher(
        settings,
        clusters,
        deliveries,
        reconciler,
        metrics,
        clock,
        cluster ->
            new Lane(cluster, settings, deliveries, rules, reports, quarantine, metrics, clock));
  }
}
