package io.leasehold.fleet;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The GPUs of the fleet by pool, cluster, model, health and state, read every half minute. Of nodes
 * that are not retired, and of others while a lease has something there.
 */
@Component
class FleetMetrics {

  private static final String COUNT =
      """
      with leased as (
        select distinct o.node, gpu
          from occupancy o cross join lateral unnest(o.units) as taken
            cross join lateral
              generate_series(lower(taken) / 1000, (upper(taken) - 1) / 1000) as gpu),
      gpu as (
        select n.pool, n.cluster, n.model,
               case when n.retired then 'RETIRED' else g.body ->> 'health' end as health,
               case when l.node is not null then 'leased'
                    when n.drain_deadline is not null then 'draining'
                    else 'free' end as state
          from node n
            cross join lateral jsonb_array_elements(n.gpus) with ordinality as g(body, number)
            left join leased l on l.node = n.id and l.gpu = g.number - 1)
      select pool, cluster, model, health, state, count(*) as gpus from gpu
       where health <> 'RETIRED' or state = 'leased'
       group by pool, cluster, model, health, state
      """;

  private final JdbcClient jdbc;
  private final MultiGauge gpus;

  FleetMetrics(JdbcClient jdbc, MeterRegistry registry) {
    this.jdbc = jdbc;
    this.gpus =
        MultiGauge.builder("leasehold.gpus")
            .description(
                "GPUs; leased = a lease has at least a part, free = nobody, and usable if OK")
            .register(registry);
  }

  private record Count(
      String pool, String cluster, String model, String health, String state, long gpus) {

    MultiGauge.Row<?> row() {
      return MultiGauge.Row.of(
          Tags.of(
              "pool", pool, "cluster", cluster, "model", model, "health", health, "state", state),
          gpus);
    }
  }

  @Scheduled(fixedDelayString = "PT30S")
  void show() {
    List<Count> counts = jdbc.sql(COUNT).query(Count.class).list();
    gpus.register(counts.stream().<MultiGauge.Row<?>>map(Count::row).toList(), true);
  }
}
