package io.leasehold.publishing.simulated;

import io.leasehold.engine.Booking;
import io.leasehold.publishing.Cluster;
import io.leasehold.publishing.ClusterAway;
import io.leasehold.publishing.ClusterOrder;
import io.leasehold.publishing.ClusterOrder.Kind;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** A cluster whose objects are rows and whose faults are to order. */
final class SimulatedCluster implements Cluster {

  private final String slug;
  private final Simulation settings;
  private final Simulations simulations;
  private final SimulatedObjects objects;
  private final InstantSource clock;

  SimulatedCluster(
      String slug,
      Simulation settings,
      Simulations simulations,
      SimulatedObjects objects,
      InstantSource clock) {
    this.slug = slug;
    this.settings = settings;
    this.simulations = simulations;
    this.objects = objects;
    this.clock = clock;
  }

  @Override
  public List<Receipt> deliver(List<ClusterOrder> orders) {
    Instant now = clock.instant();
    Simulation simulation = present(now);
    Map<ClusterOrder, Receipt> receipts = new HashMap<>();
    List<ClusterOrder> rest = new ArrayList<>(orders);
    while (!rest.isEmpty()) {
      List<ClusterOrder> one = firstOfEachLease(rest);
      rest.removeAll(new HashSet<>(one));
      receipts.putAll(apply(one, now, simulation));
    }
    if (!orders.isEmpty() && simulation.losesAnswer(orders.getFirst().lease(), now)) {
      throw new ClusterAway("Simulated: the answer of " + slug + " was lost");
    }
    return orders.stream().map(receipts::get).toList();
  }

  private static List<ClusterOrder> firstOfEachLease(List<ClusterOrder> orders) {
    Set<UUID> met = new HashSet<>();
    return orders.stream().filter(order -> met.add(order.lease())).toList();
  }

  private Map<ClusterOrder, Receipt> apply(
      List<ClusterOrder> orders, Instant now, Simulation simulation) {
    Map<ClusterOrder, Receipt> receipts = new HashMap<>();
    List<ClusterOrder> possible = new ArrayList<>();
    for (ClusterOrder order : orders) {
      if (simulation.fails(order.lease(), order.generation(), now)) {
        receipts.put(order, Receipt.LATER);
      } else if (findsNoRoom(order, simulation)) {
        receipts.put(order, Receipt.NO_ROOM);
      } else {
        possible.add(order);
      }
    }
    Set<UUID> applied = objects.apply(possible, now, simulation);
    List<ClusterOrder> others =
        possible.stream().filter(order -> !applied.contains(order.lease())).toList();
    Set<UUID> foreign =
        others.isEmpty()
            ? Set.of()
            : objects.foreign(others.stream().map(ClusterOrder::lease).toList());
    for (ClusterOrder order : possible) {
      receipts.put(order, receipt(order, applied, foreign));
    }
    return receipts;
  }

  private static boolean findsNoRoom(ClusterOrder order, Simulation simulation) {
    return order.kind() == Kind.PUBLISH
        && order.wanted().slots().stream()
            .map(Booking.Slot::node)
            .anyMatch(simulation.busyNodeIds()::contains);
  }

  /** What is not ours is not touched: nothing of ours is there to withdraw, no room to publish. */
  private static Receipt receipt(ClusterOrder order, Set<UUID> applied, Set<UUID> foreign) {
    if (applied.contains(order.lease())) {
      return Receipt.ACCEPTED;
    }
    if (!foreign.contains(order.lease())) {
      return Receipt.OVERTAKEN;
    }
    return order.kind() == Kind.PUBLISH ? Receipt.REJECTED : Receipt.ACCEPTED;
  }

  @Override
  public List<Sighting> look(Collection<UUID> leases) {
    Instant now = clock.instant();
    if (present(now).saysZero()) {
      return leases.stream().map(Sighting::absent).toList();
    }
    Map<UUID, Sighting> seen = new HashMap<>();
    objects.look(leases, now).forEach(sighting -> seen.put(sighting.lease(), sighting));
    return leases.stream().map(lease -> seen.getOrDefault(lease, Sighting.absent(lease))).toList();
  }

  @Override
  public List<Sighting> lookAtAll() {
    Instant now = clock.instant();
    return present(now).saysZero() ? List.of() : objects.lookAtAll(now);
  }

  private Simulation present(Instant now) {
    Simulation simulation = simulations.find(slug).orElse(settings);
    if (simulation.isAway(now)) {
      throw new ClusterAway("Simulated: " + slug + " is away");
    }
    return simulation;
  }
}
