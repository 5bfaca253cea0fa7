package io.leasehold.publishing;

import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Deliveries by receipt, clusters away, and what is open, parked or stale by cluster. */
final class DeliveryMetrics {

  private final MeterRegistry registry;
  private final MultiGauge open;
  private final MultiGauge oldest;
  private final MultiGauge parked;
  private final MultiGauge stale;

  DeliveryMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.open =
        MultiGauge.builder("leasehold.orders.open")
            .description("Orders not yet confirmed by their cluster")
            .register(registry);
    this.oldest =
        MultiGauge.builder("leasehold.orders.oldest")
            .description("Age of the oldest order not yet confirmed nor parked")
            .baseUnit("seconds")
            .register(registry);
    this.parked =
        MultiGauge.builder("leasehold.orders.parked")
            .description("Orders that an operator must look at")
            .register(registry);
    this.stale =
        MultiGauge.builder("leasehold.cluster.stale")
            .description("1 = away or empty for too long: nothing new is placed there")
            .register(registry);
  }

  void delivered(String cluster, Kind kind, Receipt receipt) {
    registry
        .counter(
            "leasehold.deliveries",
            "cluster",
            cluster,
            "kind",
            kind.name(),
            "receipt",
            receipt.name())
        .increment();
  }

  void away(String cluster) {
    registry.counter("leasehold.cluster.away", "cluster", cluster).increment();
  }

  void quarantined(String cluster) {
    registry.counter("leasehold.nodes.quarantined", "cluster", cluster).increment();
  }

  void drifted(String cluster, String kind, int leases) {
    registry.counter("leasehold.drift", "cluster", cluster, "kind", kind).increment(leases);
  }

  /** What is open now; clusters that are no longer in the list vanish. */
  void show(List<Backlog> backlogs) {
    open.register(rows(backlogs, Backlog::open), true);
    oldest.register(rows(backlogs, Backlog::oldestSeconds), true);
    parked.register(rows(backlogs, Backlog::parked), true);
    stale.register(rows(backlogs, backlog -> backlog.stale() ? 1 : 0), true);
  }

  private static List<MultiGauge.Row<?>> rows(
      List<Backlog> backlogs, ToDoubleFunction<Backlog> value) {
    return backlogs.stream()
        .<MultiGauge.Row<?>>map(
            backlog ->
                MultiGauge.Row.of(
                    Tags.of("cluster", backlog.cluster()), value.applyAsDouble(backlog)))
        .toList();
  }

  /** Orders of one cluster that are not confirmed, and whether its inventory is stale. */
  record Backlog(String cluster, long open, double oldestSeconds, long parked, boolean stale) {}
}
