package io.leasehold.publishing;

import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.Cluster.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls one cluster within a deadline. An order that breaks the call is found by halves, so that it
 * fails alone; a cluster that is away fails nothing.
 */
record Courier(Cluster cluster, Duration deadline) {

  private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

  /**
   * One receipt for each order.
   *
   * @throws ClusterAway some of the orders may have been delivered nevertheless
   */
  List<Receipt> deliver(List<ClusterOrder> orders) {
    if (orders.isEmpty()) {
      return List.of();
    }
    try {
      return bounded(orders, () -> cluster.deliver(orders));
    } catch (ClusterAway away) {
      throw away;
    } catch (RuntimeException broken) {
      return byHalves(orders, broken);
    }
  }

  private List<Receipt> byHalves(List<ClusterOrder> orders, RuntimeException broken) {
    if (orders.size() == 1) {
      LOG.warn("Delivery of {} broke", name(orders.getFirst()), broken);
      return List.of(Receipt.LATER);
    }
    int half = orders.size() / 2;
    List<Receipt> receipts = new ArrayList<>(deliver(orders.subList(0, half)));
    receipts.addAll(deliver(orders.subList(half, orders.size())));
    return receipts;
  }

  /** What is seen of the leases; an adapter that leaves one out has seen nothing of it. */
  Map<UUID, Sighting> look(Collection<UUID> leases) {
    if (leases.isEmpty()) {
      return Map.of();
    }
    return looked(() -> cluster.look(leases));
  }

  Map<UUID, Sighting> lookAtAll() {
    return looked(cluster::lookAtAll);
  }

  /** A look that breaks has seen nothing: unknown, not gone. */
  private Map<UUID, Sighting> looked(Callable<List<Sighting>> look) {
    try {
      return Deadline.call(deadline, look).stream()
          .collect(Collectors.toMap(Sighting::lease, Function.identity(), (a, b) -> b));
    } catch (ClusterAway away) {
      throw away;
    } catch (RuntimeException broken) {
      LOG.warn("A look at a cluster broke", broken);
      throw new ClusterAway("The look broke: " + broken);
    }
  }

  private List<Receipt> bounded(List<ClusterOrder> orders, Callable<List<Receipt>> call) {
    List<Receipt> receipts = Deadline.call(deadline, call);
    if (receipts.size() != orders.size()) {
      throw new IllegalStateException(
          receipts.size() + " receipts for " + orders.size() + " orders");
    }
    return receipts;
  }

  private static String name(ClusterOrder order) {
    return order.kind() + " " + order.lease() + "/" + order.generation();
  }
}
