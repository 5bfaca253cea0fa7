package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Depot.Told;
import io.leasehold.publishing.simulated.SimulatedPorts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The timer and its threads: no cluster and no fault holds up the others. */
class PublisherIT {

  private final Depot depot = new Depot();
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final AtomicInteger opened = new AtomicInteger();
  private final Publisher publisher =
      new Publisher(
          depot.settings,
          new Clusters(
              depot.database,
              List.of(
                  SimulatedPorts.adapter(depot.database, depot.clock),
                  new StuckAdapter(),
                  new ClumsyAdapter())),
          depot.deliveries,
          depot.reconciler,
          depot.metrics,
          depot.clock,
          depot::lane);

  @AfterEach
  void stop() {
    stuck.countDown();
    publisher.stop();
  }

  @Test
  void aClusterThatHangsHoldsUpNoOther() {
    depot.register("west", "stuck");
    depot.order("west", UUID.randomUUID(), 1, Kind.PUBLISH);
    publisher.start();
    await().until(() -> opened.get() > 0);

    List<UUID> leases = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
    for (UUID lease : leases) {
      depot.order(lease, 1, Kind.PUBLISH);
      awaitTold(lease);
    }
    assertThat(opened).as("one round at a time hangs").hasValue(1);
  }

  @Test
  void aClusterThatCanNotBeOpenedIsTriedAgain() {
    depot.register("north", "clumsy");
    UUID clumsy = UUID.randomUUID();
    depot.order("north", clumsy, 1, Kind.PUBLISH);
    publisher.start();

    await().until(() -> opened.get() > 3 || tick());
    awaitTold(clumsy);
  }

  @Test
  void aClusterWhoseAdapterIsNotHereWaits() {
    depot.register("south", "slurm");
    UUID unknown = UUID.randomUUID();
    depot.order("south", unknown, 1, Kind.PUBLISH);
    UUID known = UUID.randomUUID();
    depot.order(known, 1, Kind.PUBLISH);
    publisher.start();

    awaitTold(known);
    assertThat(depot.delivery(unknown)).hasValue("DUE 0");
  }

  @Test
  void goesOnWhenTheDatabaseHasCutEveryConnection() {
    publisher.start();
    UUID before = UUID.randomUUID();
    depot.order(before, 1, Kind.PUBLISH);
    awaitTold(before);
    for (int i = 0; i < 5; i++) {
      depot
          .database
          .sql(
              """
              select count(pg_terminate_backend(pid)) from pg_stat_activity
              where datname = current_database() and usename = current_user
                and pid <> pg_backend_pid()
              """)
          .query(Integer.class)
          .single();
    }

    UUID after = UUID.randomUUID();
    depot.order(after, 1, Kind.PUBLISH);
    awaitTold(after);
  }

  @Test
  void showsWhatIsOpenAndWhatIsParked() {
    depot.simulate("{\"busyNodeIds\":[\"" + Orders.NODE + "\"]}");
    depot.order(UUID.randomUUID(), 1, Kind.PUBLISH);
    depot.clock.pass(Duration.ofSeconds(90));

    depot.metrics.show(depot.deliveries.backlogs(depot.clock.instant()));
    assertThat(gauge("leasehold.orders.open")).isEqualTo(1);
    assertThat(gauge("leasehold.orders.oldest")).isEqualTo(90);
    for (int i = 0; i < Depot.PARK; i++) {
      depot.round();
      depot.clock.pass(Duration.ofMinutes(2));
    }
    depot.metrics.show(depot.deliveries.backlogs(depot.clock.instant()));

    assertThat(gauge("leasehold.orders.parked")).isEqualTo(1);
    assertThat(gauge("leasehold.orders.open")).isZero();
    assertThat(
            depot.registry.get("leasehold.deliveries").tag("receipt", "NO_ROOM").counter().count())
        .isEqualTo(Depot.PARK);
  }

  /** A moment later, by the clock of the orders. */
  private boolean tick() {
    depot.clock.pass(Duration.ofSeconds(1));
    return false;
  }

  private double gauge(String name) {
    return depot.registry.get(name).tag("cluster", "east").gauge().value();
  }

  private void awaitTold(UUID lease) {
    await(lease.toString())
        .atMost(Duration.ofSeconds(20))
        .until(() -> depot.told.stream().map(Told::lease).anyMatch(lease::equals));
  }

  /** Answers nothing until the test is over. */
  private final class StuckAdapter implements ClusterAdapter {

    @Override
    public String name() {
      return "stuck";
    }

    @Override
    public Cluster open(String slug, String settings) {
      return new Cluster() {
        @Override
        public List<Receipt> deliver(List<ClusterOrder> orders) {
          opened.incrementAndGet();
          try {
            stuck.await();
          } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
          }
          throw new ClusterAway("stuck");
        }

        @Override
        public List<Sighting> look(Collection<UUID> leases) {
          return List.of();
        }

        @Override
        public List<Sighting> lookAtAll() {
          return List.of();
        }
      };
    }
  }

  /** Can not be opened the first three times. */
  private final class ClumsyAdapter implements ClusterAdapter {

    @Override
    public String name() {
      return "clumsy";
    }

    @Override
    public Cluster open(String slug, String settings) {
      if (opened.incrementAndGet() <= 3) {
        throw new IllegalStateException("clumsy");
      }
      return SimulatedPorts.adapter(depot.database, depot.clock).open(slug, settings);
    }
  }
}
