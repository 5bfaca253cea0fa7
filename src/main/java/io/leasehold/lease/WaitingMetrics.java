package io.leasehold.lease;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The GPUs that waiting leases ask for, by pool, tenant and first reason, read every half minute.
 * The tenants that wait for most have their name; all others are one, so that the number of series
 * has a bound.
 */
@Component
class WaitingMetrics {

  static final int MOST_TENANTS = 99;
  static final String OTHERS = "others";

  private static final String COUNT =
      """
      select pool, tenant, coalesce(answer #>> '{reasons,0,code}', 'undecided') as reason,
             sum(gpu_milli) / 1000.0 as gpus
        from lease where live and state = 'WAITING'
       group by pool, tenant, reason
      """;

  private final JdbcClient jdbc;
  private final MultiGauge waiting;

  WaitingMetrics(JdbcClient jdbc, MeterRegistry registry) {
    this.jdbc = jdbc;
    this.waiting =
        MultiGauge.builder("leasehold.gpus.waiting")
            .description("GPUs asked for by leases that wait")
            .register(registry);
  }

  record Count(String pool, String tenant, String reason, double gpus) {}

  @Scheduled(fixedDelayString = "PT30S")
  void show() {
    List<Count> counts = bounded(jdbc.sql(COUNT).query(Count.class).list());
    waiting.register(counts.stream().<MultiGauge.Row<?>>map(WaitingMetrics::row).toList(), true);
  }

  private static MultiGauge.Row<?> row(Count count) {
    return MultiGauge.Row.of(
        Tags.of("pool", count.pool(), "tenant", count.tenant(), "reason", count.reason()),
        count.gpus());
  }

  static List<Count> bounded(List<Count> counts) {
    Map<String, Double> byTenant =
        counts.stream()
            .collect(Collectors.groupingBy(Count::tenant, Collectors.summingDouble(Count::gpus)));
    Set<String> named =
        byTenant.entrySet().stream()
            .sorted(
                Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(MOST_TENANTS)
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(HashSet::new));
    Map<Count, Double> sums = new LinkedHashMap<>();
    for (Count each : counts) {
      String tenant = named.contains(each.tenant()) ? each.tenant() : OTHERS;
      sums.merge(new Count(each.pool(), tenant, each.reason(), 0), each.gpus(), Double::sum);
    }
    return sums.entrySet().stream()
        .map(
            sum ->
                new Count(
                    sum.getKey().pool(),
                    sum.getKey().tenant(),
                    sum.getKey().reason(),
                    sum.getValue()))
        .toList();
  }
}
