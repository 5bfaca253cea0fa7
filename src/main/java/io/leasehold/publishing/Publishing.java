package io.leasehold.publishing;

import io.leasehold.ledger.Ledger;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts the parts together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PublishingSettings.class)
class Publishing {

  @Bean
  Deliveries deliveries(JdbcClient database, PlatformTransactionManager transactions) {
    return new Deliveries(database, new TransactionTemplate(transactions));
  }

  @Bean
  Publisher publisher(
      PublishingSettings settings,
      JdbcClient database,
      Deliveries deliveries,
      List<ClusterAdapter> adapters,
      Ledger ledger,
      MeterRegistry registry) {
    InstantSource clock = new DatabaseClock(database);
    Clusters clusters = new Clusters(database, adapters);
    DeliveryMetrics metrics = new DeliveryMetrics(registry);
    Reports reports = new Reports((pool, news) -> ledger.submitAll(pool, news, null));
    Backoff backoff =
        new Backoff(settings.retry(), settings.retryAtMost(), RandomGenerator.getDefault());
    Rules rules = new Rules(backoff, settings.resend(), settings.park());
    Reconciler reconciler =
        new Reconciler(
            settings, clusters, new Comparisons(database), deliveries, reports, metrics);
    return new Publisher(
        settings,
        clusters,
        deliveries,
        reconciler,
        metrics,
        clock,
        cluster -> new Lane(cluster, settings, deliveries, rules, reports, metrics, clock));
  }
}
