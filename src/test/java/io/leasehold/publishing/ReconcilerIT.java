package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Command.Report.News;
import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Depot.Told;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the cluster has is brought back to what is wanted, and no lease ends for it. */
class ReconcilerIT {

  private final Depot depot = new Depot();
  private final UUID lease = UUID.randomUUID();

  @Test
  void whatTheClusterLostIsPublishedAgainUnderItsFence() {
    active(lease);
    depot.database.sql("delete from simulated_object").update();

    depot.compare();
    depot.round();

    assertThat(depot.port("east").lookAtAll())
        .containsExactly(new Cluster.Sighting(lease, 1, 1, Presence.USABLE));
    assertThat(drift("missing")).isEqualTo(1);
  }

  @Test
  void whatAgreesIsLeftAlone() {
    active(lease);

    depot.compare();

    assertThat(depot.openDeliveries()).isZero();
    assertThat(depot.registry.find("leasehold.drift").counters()).isEmpty();
  }

  @Test
  void whatIsBeingDeliveredIsNoDrift() {
    depot.order(lease, 1, Kind.PUBLISH);
    depot.lease(lease, "ALLOCATED");

    depot.compare();

    assertThat(depot.registry.find("leasehold.drift").counters()).isEmpty();
  }

  @Test
  void aClusterThatSaysZeroEndsNoLease() {
    List<UUID> leases = Stream.generate(UUID::randomUUID).limit(30).toList();
    leases.forEach(this::active);
    depot.told.clear();
    depot.simulate("{\"saysZero\":true}");

    for (int i = 0; i < 30; i++) {
      depot.compare();
      depot.round();
    }
    assertThat(depot.told).extracting(Told::news).doesNotContain(News.WITHDRAWN);

    depot.simulate("{}");
    depot.compare();
    depot.round();
    assertThat(depot.port("east").lookAtAll())
        .hasSize(30)
        .allMatch(sighting -> sighting.presence() == Presence.USABLE);
    assertThat(depot.openDeliveries()).isZero();
  }

  @Test
  void aClusterThatIsAwayIsComparedLater() {
    active(lease);
    depot.simulate("{\"away\":true}");
    depot.compare();
    assertThat(depot.openDeliveries()).isZero();

    depot.simulate("{}");
    depot.database.sql("delete from simulated_object").update();
    depot.compare();
    assertThat(depot.openDeliveries()).isEqualTo(1);
  }

  @Test
  void anObjectThatAnEndOrderedOutIsWithdrawnAgainWithoutLimit() {
    List<UUID> leases = Stream.generate(UUID::randomUUID).limit(40).toList();
    for (UUID each : leases) {
      active(each);
      depot.order(each, 2, Kind.WITHDRAW);
      depot.lease(each, "ENDING");
    }
    depot.round();
    leases.forEach(each -> depot.lease(each, "ENDED"));
    depot.database.sql("update simulated_object set wanted = 'PUBLISH', generation = 1").update();

    depot.compare();
    depot.round();

    assertThat(depot.port("east").lookAtAll()).isEmpty();
    assertThat(drift("lingering")).isEqualTo(40);
  }

  @Test
  void whatNobodyOrderedIsWithdrawnTenInTenMinutes() {
    for (int i = 0; i < 25; i++) {
      depot.port("east").deliver(List.of(Orders.publish(UUID.randomUUID(), 3)));
    }
    depot.compare();
    assertThat(depot.port("east").lookAtAll()).hasSize(15);
    depot.compare();
    assertThat(depot.port("east").lookAtAll()).as("the breaker holds").hasSize(15);

    depot.clock.pass(Duration.ofMinutes(10));
    depot.compare();
    depot.clock.pass(Duration.ofMinutes(10));
    depot.compare();

    assertThat(depot.port("east").lookAtAll()).isEmpty();
  }

  @Test
  void ofManyObjectsFivePerCentAreWithdrawn() {
    Stream.generate(UUID::randomUUID).limit(380).forEach(this::active);
    for (int i = 0; i < 20; i++) {
      depot.port("east").deliver(List.of(Orders.publish(UUID.randomUUID(), 3)));
    }

    depot.compare();

    assertThat(depot.port("east").lookAtAll()).hasSize(380);
  }

  @Test
  void foreignObjectsStay() {
    depot
        .database
        .sql(
            """
            insert into simulated_object (cluster, lease, ours, epoch, generation, wanted, ready_time)
            values ('east', ?, false, 0, 0, 'PUBLISH', now())
            """)
        .params(lease)
        .update();

    depot.compare();

    assertThat(
            depot.database.sql("select wanted from simulated_object").query(String.class).single())
        .isEqualTo("PUBLISH");
  }

  @Test
  void anObjectOfANewerFenceThanAnyOrderIsLeftAlone() {
    active(lease);
    depot.port("east").deliver(List.of(Orders.order(lease, 5, 1, Kind.PUBLISH)));
    UUID unknown = UUID.randomUUID();
    depot.port("east").deliver(List.of(Orders.order(unknown, 5, 1, Kind.PUBLISH)));

    depot.compare();
    depot.round();

    assertThat(depot.port("east").lookAtAll())
        .hasSize(2)
        .allMatch(sighting -> sighting.epoch() == 5);
    assertThat(drift("ahead")).isEqualTo(2);
  }

  @Test
  void anObjectOfAnOlderFenceIsReplaced() {
    active(lease);
    depot.order(lease, 2, Kind.PUBLISH);
    depot.database.sql("delete from delivery").update();

    depot.compare();
    depot.round();

    assertThat(depot.port("east").look(List.of(lease)))
        .containsExactly(new Cluster.Sighting(lease, 1, 2, Presence.USABLE));
  }

  @Test
  void aParkedWithdrawalThatCameTrueFreesTheDevicesOnce() {
    active(lease);
    depot.order(lease, 2, Kind.WITHDRAW);
    depot.lease(lease, "ENDING");
    depot.database.sql("update delivery set state = 'PARKED'").update();
    depot.compare();
    assertThat(depot.told).doesNotContain(new Told(lease, 2, News.WITHDRAWN));

    depot.port("east").deliver(List.of(Orders.withdraw(lease, 2)));
    depot.compare();
    depot.lease(lease, "ENDED");
    depot.compare();

    assertThat(depot.told).containsOnlyOnce(new Told(lease, 2, News.WITHDRAWN));
    assertThat(depot.openDeliveries()).isZero();
  }

  @Test
  void aWithdrawalWhoseDeliveryWasLostIsOrderedAgain() {
    active(lease);
    depot.order(lease, 2, Kind.WITHDRAW);
    depot.lease(lease, "ENDING");
    depot.database.sql("delete from delivery").update();

    depot.compare();
    depot.round();

    assertThat(depot.told).containsOnlyOnce(new Told(lease, 2, News.WITHDRAWN));
  }

  @Test
  void whatComesAndGoesDuringTheLookIsNoDrift() {
    UUID ending = UUID.randomUUID();
    active(ending);
    Meanwhile east = new Meanwhile(depot.port("east"));
    east.beforeLook = () -> active(lease);
    east.afterLook =
        () -> {
          depot.order(ending, 2, Kind.WITHDRAW);
          depot.round();
          depot.lease(ending, "ENDED");
        };
    Clusters clusters = new Clusters(depot.database, List.of(east));
    new Reconciler(
            depot.settings,
            clusters,
            new Comparisons(depot.database),
            depot.deliveries,
            depot.reports,
            depot.metrics,
            depot.watch)
        .compareIfDue(clusters.find("east").orElseThrow(), depot.clock.instant());

    assertThat(depot.registry.find("leasehold.drift").counters()).isEmpty();
    assertThat(depot.port("east").lookAtAll())
        .containsExactly(new Cluster.Sighting(lease, 1, 1, Presence.USABLE));
    assertThat(depot.openDeliveries()).isZero();
  }

  /** A cluster in which something happens around the look. */
  private static final class Meanwhile implements ClusterAdapter, Cluster {

    private final Cluster inner;
    private Runnable beforeLook = () -> {};
    private Runnable afterLook = () -> {};

    Meanwhile(Cluster inner) {
      this.inner = inner;
    }

    @Override
    public String name() {
      return "simulated";
    }

    @Override
    public Cluster open(String slug, String settings) {
      return this;
    }

    @Override
    public List<Receipt> deliver(List<ClusterOrder> orders) {
      return inner.deliver(orders);
    }

    @Override
    public List<Sighting> look(Collection<UUID> leases) {
      return inner.look(leases);
    }

    @Override
    public List<Sighting> lookAtAll() {
      beforeLook.run();
      List<Sighting> seen = inner.lookAtAll();
      afterLook.run();
      return seen;
    }
  }

  @Test
  void oneReplicaComparesAtATime() {
    Clusters.Registered east = depot.clusters.find("east").orElseThrow();
    Comparisons comparisons = new Comparisons(depot.database);

    assertThat(comparisons.take("east", depot.clock.instant(), Duration.ofMinutes(1))).isTrue();
    assertThat(comparisons.take("east", depot.clock.instant(), Duration.ofMinutes(1))).isFalse();
    depot.clock.pass(Duration.ofMinutes(1));
    assertThat(comparisons.take(east.slug(), depot.clock.instant(), Duration.ofMinutes(1)))
        .isTrue();
  }

  private void active(UUID each) {
    depot.order(each, 1, Kind.PUBLISH);
    depot.lease(each, "ACTIVE");
    depot.round();
  }

  private double drift(String kind) {
    return depot.registry.get("leasehold.drift").tag("kind", kind).counter().count();
  }
}
