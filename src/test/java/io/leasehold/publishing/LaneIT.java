package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.leasehold.engine.Command.Report.News;
import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Depot.Told;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An order's way to the cluster and the news' way back, with the faults between. */
class LaneIT {

  private final Depot depot = new Depot();
  private final UUID lease = UUID.randomUUID();

  @Test
  void whatIsUsableAtOnceIsReportedOnceAndIsDone() {
    depot.order(lease, 1, Kind.PUBLISH);

    assertThat(depot.round()).isEqualTo(1);

    assertThat(depot.told).containsExactly(new Told(lease, 1, News.USABLE));
    assertThat(depot.delivery(lease)).isEmpty();
    assertThat(depot.round()).as("nothing is left to do").isZero();
  }

  @Test
  void whatTakesItsTimeIsReportedAcceptedAndThenUsable() {
    depot.simulate("{\"publishLatency\":\"PT2S\"}");
    depot.order(lease, 1, Kind.PUBLISH);

    depot.round();
    assertThat(depot.told).containsExactly(new Told(lease, 1, News.ACCEPTED));
    for (int i = 0; i < 20; i++) {
      depot.clock.pass(Duration.ofMillis(200));
      depot.round();
    }

    assertThat(depot.told)
        .containsExactly(new Told(lease, 1, News.ACCEPTED), new Told(lease, 1, News.USABLE));
    assertThat(depot.delivery(lease)).isEmpty();
  }

  @Test
  void aWithdrawalIsReportedOnlyWhenNothingIsLeft() {
    depot.simulate("{\"withdrawLatency\":\"PT3S\"}");
    depot.order(lease, 1, Kind.PUBLISH);
    depot.round();
    depot.order(lease, 2, Kind.WITHDRAW);

    depot.round();
    depot.clock.pass(Duration.ofMillis(2900));
    depot.round();
    assertThat(depot.told).containsExactly(new Told(lease, 1, News.USABLE));
    depot.clock.pass(Duration.ofSeconds(1));
    depot.round();

    assertThat(depot.told)
        .containsExactly(new Told(lease, 1, News.USABLE), new Told(lease, 2, News.WITHDRAWN));
  }

  @Test
  void goneIsNotBelievedOfAClusterThatShowsNothingOfWhatIsActive() {
    leavesAmongActive(2);
    depot.simulate("{\"saysZero\":true,\"withdrawLatency\":\"PT60S\"}");
    depot.round();
    depot.clock.pass(Duration.ofSeconds(29));
    depot.round();
    assertThat(depot.delivery(lease)).contains("SENT 0");
    depot.simulate("{\"withdrawLatency\":\"PT60S\"}");
    depot.clock.pass(Duration.ofSeconds(1));
    depot.round();
    assertThat(depot.told).doesNotContain(new Told(lease, 2, News.WITHDRAWN));

    depot.clock.pass(Duration.ofSeconds(30));
    depot.round();

    assertThat(depot.told).containsOnlyOnce(new Told(lease, 2, News.WITHDRAWN));
  }

  @Test
  void goneIsBelievedAtTheSecondLookAfterAWhile() {
    leavesAmongActive(2);
    depot.simulate("{\"saysZero\":true}");
    Lane lane = depot.lane("east");
    lane.round(() -> depot.port("east"));
    assertThat(depot.told).doesNotContain(new Told(lease, 2, News.WITHDRAWN));

    depot.clock.pass(Depot.STEADY);
    lane.round(() -> depot.port("east"));

    assertThat(depot.told).containsOnlyOnce(new Told(lease, 2, News.WITHDRAWN));
    assertThat(depot.delivery(lease)).isEmpty();
  }

  @Test
  void goneIsBelievedAtOnceWhereOthersAreShownOrFewAreActive() {
    leavesAmongActive(2);
    depot.round();
    assertThat(depot.told).contains(new Told(lease, 2, News.WITHDRAWN));

    depot.database.sql("update lease set state = 'ENDED'").update();
    UUID last = UUID.randomUUID();
    depot.lease(UUID.randomUUID(), "ACTIVE");
    depot.order(last, 2, Kind.WITHDRAW);
    depot.simulate("{\"saysZero\":true}");
    depot.round();
    assertThat(depot.told).contains(new Told(last, 2, News.WITHDRAWN));
  }

  @Test
  void whatEndsDuringTheLookIsNoReasonForDoubt() {
    leavesAmongActive(2);
    depot.simulate("{\"saysZero\":true}");
    Cluster east = depot.port("east");
    Cluster ending =
        new Cluster() {
          @Override
          public List<Receipt> deliver(List<ClusterOrder> orders) {
            return east.deliver(orders);
          }

          @Override
          public List<Sighting> look(Collection<UUID> leases) {
            if (!leases.contains(lease)) {
              depot.database.sql("update lease set state = 'ENDED'").update();
            }
            return east.look(leases);
          }

          @Override
          public List<Sighting> lookAtAll() {
            return east.lookAtAll();
          }
        };

    depot.lane("east").round(() -> ending);

    assertThat(depot.told).contains(new Told(lease, 2, News.WITHDRAWN));
  }

  /** Some leases are active, and the one of the test is to leave. */
  private void leavesAmongActive(int others) {
    depot.order(lease, 1, Kind.PUBLISH);
    for (int i = 0; i < others; i++) {
      UUID other = UUID.randomUUID();
      depot.order(other, 1, Kind.PUBLISH);
      depot.lease(other, "ACTIVE");
    }
    depot.round();
    depot.order(lease, 2, Kind.WITHDRAW);
    depot.lease(lease, "ENDING");
  }

  @Test
  void aWithdrawalMakesAnUndeliveredPublicationMoot() {
    depot.order(lease, 1, Kind.PUBLISH);
    depot.order(lease, 2, Kind.WITHDRAW);

    depot.round();

    assertThat(depot.told).containsExactly(new Told(lease, 2, News.WITHDRAWN));
    assertThat(depot.openDeliveries()).isZero();
    assertThat(depot.port("east").deliver(List.of(Orders.publish(lease, 1))))
        .as("the publication is fenced off, whoever still carries it")
        .containsExactly(Cluster.Receipt.OVERTAKEN);
  }

  @Test
  void aPublicationCarriedTooLateDoesNotUndoTheWithdrawal() {
    depot.order(lease, 1, Kind.PUBLISH);
    List<Delivery> slow = depot.deliveries.claim("east", depot.clock.instant(), Depot.CLAIM, 10);
    depot.order(lease, 2, Kind.WITHDRAW);
    depot.round();

    depot.port("east").deliver(slow.stream().map(Delivery::order).toList());

    assertThat(presence()).isEqualTo(Presence.ABSENT);
    depot.clock.pass(Depot.CLAIM);
    depot.round();
    assertThat(depot.openDeliveries()).isZero();
  }

  @Test
  void aWorkerThatDiesAfterItsClaimLosesItToAnother() {
    depot.order(lease, 1, Kind.PUBLISH);
    depot.deliveries.claim("east", depot.clock.instant(), Depot.CLAIM, 10);

    assertThat(depot.round()).as("still the other's").isZero();
    depot.clock.pass(Depot.CLAIM);
    depot.round();

    assertThat(depot.told).containsExactly(new Told(lease, 1, News.USABLE));
  }

  @Test
  void aWorkerThatDiesAfterTheClusterAcceptedIsRepeatedWithoutHarm() {
    depot.order(lease, 1, Kind.PUBLISH);
    List<Delivery> dead = depot.deliveries.claim("east", depot.clock.instant(), Depot.CLAIM, 10);
    depot.port("east").deliver(dead.stream().map(Delivery::order).toList());

    depot.clock.pass(Depot.CLAIM);
    depot.round();

    assertThat(depot.port("east").lookAtAll()).hasSize(1);
    assertThat(depot.told).containsExactly(new Told(lease, 1, News.USABLE));
  }

  @Test
  void aWorkerThatWakesAfterItsClaimDoesNotSettleForTheOther() {
    depot.simulate("{\"publishLatency\":\"PT1H\"}");
    depot.order(lease, 1, Kind.PUBLISH);
    List<Delivery> late = depot.deliveries.claim("east", depot.clock.instant(), Depot.CLAIM, 10);
    depot.clock.pass(Depot.CLAIM);
    depot.round();

    depot.deliveries.settle(
        List.of(Next.moot(late.getFirst(), depot.clock.instant())), depot.clock.instant());

    assertThat(depot.delivery(lease)).hasValue("SENT 0");
  }

  @Test
  void whatAnotherIsJustClaimingIsLeftToItWithoutWaiting() throws Exception {
    UUID free = UUID.randomUUID();
    depot.order(lease, 1, Kind.PUBLISH);
    depot.order(free, 1, Kind.PUBLISH);
    try (var other = depot.source.getConnection();
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select from delivery where lease = '%s' for update".formatted(lease));

      assertTimeoutPreemptively(Duration.ofSeconds(10), depot::round);

      assertThat(depot.told).containsExactly(new Told(free, 1, News.USABLE));
      other.rollback();
    }
  }

  @Test
  void manyWorkersShareTheOrdersAndEachIsMetOnce() throws Exception {
    int orders = 450;
    for (int i = 0; i < orders; i++) {
      depot.order(UUID.randomUUID(), 1, Kind.PUBLISH);
    }
    Cluster port = depot.port("east");
    AtomicInteger met = new AtomicInteger();
    Callable<Void> replica =
        () -> {
          Lane lane = depot.lane("east");
          int claimed;
          do {
            claimed = lane.round(() -> port);
            met.addAndGet(claimed);
          } while (claimed > 0);
          return null;
        };
    try (ExecutorService replicas = Executors.newFixedThreadPool(4)) {
      for (var running : replicas.invokeAll(List.of(replica, replica, replica, replica))) {
        running.get();
      }
    }
    assertThat(met).hasValue(orders);
    assertThat(depot.told).hasSize(orders).doesNotHaveDuplicates();
    assertThat(depot.openDeliveries()).isZero();
  }

  @Test
  void aClusterThatIsAwayFailsNothingAndIsMetAgain() {
    depot.simulate("{\"away\":true}");
    depot.order(lease, 1, Kind.PUBLISH);
    Lane lane = depot.lane("east");
    for (int i = 0; i < 50; i++) {
      lane.round(() -> depot.port("east"));
      depot.clock.pass(Duration.ofMinutes(1));
    }
    assertThat(depot.delivery(lease)).hasValue("DUE 0");
    assertThat(depot.told).isEmpty();

    depot.simulate("{}");
    lane.round(() -> depot.port("east"));

    assertThat(depot.told).containsExactly(new Told(lease, 1, News.USABLE));
  }

  @Test
  void anUnreachableClusterDoesNotEndALeaseBeingPublished() {
    depot.simulate("{\"publishLatency\":\"PT90S\"}");
    depot.order(lease, 1, Kind.PUBLISH);
    depot.round();
    depot.simulate("{\"publishLatency\":\"PT90S\",\"away\":true}");
    for (int i = 0; i < 6; i++) {
      depot.clock.pass(Duration.ofSeconds(10));
      depot.round();
    }
    assertThat(depot.told).containsExactly(new Told(lease, 1, News.ACCEPTED));

    depot.simulate("{\"publishLatency\":\"PT90S\"}");
    depot.clock.pass(Duration.ofSeconds(60));
    depot.round();

    assertThat(depot.told).last().isEqualTo(new Told(lease, 1, News.USABLE));
  }

  @Test
  void noRoomOnTheNodeIsTriedWithBackoffAndThenParked() {
    depot.simulate("{\"busyNodeIds\":[\"" + Orders.NODE + "\"]}");
    depot.order(lease, 1, Kind.PUBLISH);

    depot.round();
    assertThat(depot.round()).as("not again at once").isZero();
    for (int i = 0; i < 20; i++) {
      depot.clock.pass(Duration.ofMinutes(1));
      depot.round();
    }

    assertThat(depot.told).containsExactly(new Told(lease, 1, News.NO_ROOM));
    assertThat(depot.delivery(lease)).hasValue("PARKED " + Depot.PARK);
  }

  @Test
  void aWithdrawalEndsAParkedPublication() {
    depot.simulate("{\"busyNodeIds\":[\"" + Orders.NODE + "\"]}");
    depot.order(lease, 1, Kind.PUBLISH);
    for (int i = 0; i < Depot.PARK; i++) {
      depot.round();
      depot.clock.pass(Duration.ofMinutes(1));
    }
    assertThat(depot.delivery(lease)).hasValue("PARKED " + Depot.PARK);

    depot.order(lease, 2, Kind.WITHDRAW);
    depot.round();

    assertThat(depot.told).last().isEqualTo(new Told(lease, 2, News.WITHDRAWN));
    assertThat(depot.openDeliveries()).isZero();
  }

  @Test
  void aPoisonedOrderIsParkedAndTheOthersFlow() {
    depot.order(lease, 1, Kind.PUBLISH);
    List<UUID> others = Stream.generate(UUID::randomUUID).limit(20).toList();
    others.forEach(other -> depot.order(other, 1, Kind.PUBLISH));
    Cluster poisoned = new Poisoned(depot.port("east"), lease);
    Lane lane = depot.lane("east");

    lane.round(() -> poisoned);
    assertThat(depot.told).hasSize(20).extracting(Told::lease).doesNotContain(lease);
    for (int i = 0; i < 10; i++) {
      depot.clock.pass(Duration.ofMinutes(1));
      lane.round(() -> poisoned);
    }

    assertThat(depot.told).hasSize(21).last().isEqualTo(new Told(lease, 1, News.PARKED));
  }

  @Test
  void anOrderWhoseRowMakesNoSenseIsParkedAndTheOthersFlow() {
    UUID sound = UUID.randomUUID();
    depot.order(lease, 1, Kind.PUBLISH);
    depot.order(sound, 1, Kind.PUBLISH);
    depot
        .database
        .sql("update cluster_order set wanted = '{\"booking\":7}' where lease = ?")
        .params(lease)
        .update();

    depot.round();

    assertThat(depot.told)
        .containsExactlyInAnyOrder(
            new Told(lease, 1, News.PARKED), new Told(sound, 1, News.USABLE));
  }

  @Test
  void newsThatTheLedgerCouldNotTakeAreToldAgain() {
    depot.ledgerAway = true;
    depot.order(lease, 1, Kind.PUBLISH);
    depot.round();
    assertThat(depot.delivery(lease)).hasValue("DUE 0");

    depot.ledgerAway = false;
    depot.clock.pass(Duration.ofSeconds(2));
    depot.round();

    assertThat(depot.told).containsExactly(new Told(lease, 1, News.USABLE));
    assertThat(depot.openDeliveries()).isZero();
  }

  @Test
  void whatTheClusterAcceptedAndLostIsDeliveredAgain() {
    depot.simulate("{\"publishLatency\":\"PT5S\"}");
    depot.order(lease, 1, Kind.PUBLISH);
    depot.round();
    depot.database.sql("delete from simulated_object").update();

    for (int i = 0; i < 10; i++) {
      depot.clock.pass(Duration.ofSeconds(10));
      depot.round();
    }

    assertThat(depot.told).last().isEqualTo(new Told(lease, 1, News.USABLE));
  }

  @Test
  void anOrderCommittedLateIsMetAllTheSame() throws Exception {
    try (var early = depot.source.getConnection();
        var statement = early.createStatement()) {
      early.setAutoCommit(false);
      statement.execute(
          """
          insert into cluster_order (lease, generation, kind, pool, cluster, epoch, create_time, wanted)
          values ('%s', 1, 'PUBLISH', 'main', 'east', 1, '2027-03-01T14:59:00Z',
            '{"booking":{"cluster":"east","model":"m","hold":{"start":0,"end":1},"slots":[]},"graceSeconds":0}')
          """
              .formatted(lease));
      UUID second = UUID.randomUUID();
      depot.order(second, 1, Kind.PUBLISH);
      depot.round();
      assertThat(depot.told).extracting(Told::lease).containsExactly(second);
      early.commit();
    }
    depot.round();

    assertThat(depot.told).last().isEqualTo(new Told(lease, 1, News.USABLE));
  }

  @Test
  void refusesToClaimForNoLongerThanTwoCallsTake() {
    assertThatThrownBy(
            () ->
                new PublishingSettings(
                    true,
                    Duration.ZERO,
                    1,
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(30),
                    Duration.ZERO,
                    Duration.ZERO,
                    1,
                    Duration.ZERO,
                    Duration.ZERO,
                    Duration.ZERO,
                    1))
        .hasMessageContaining("two deadlines");
  }

  private Presence presence() {
    return depot.port("east").look(List.of(lease)).getFirst().presence();
  }

  /** A cluster that breaks whenever one lease is among the orders. */
  private record Poisoned(Cluster inner, UUID poison) implements Cluster {

    @Override
    public List<Receipt> deliver(List<ClusterOrder> orders) {
      if (orders.stream().anyMatch(order -> order.lease().equals(poison))) {
        throw new IllegalArgumentException("poisoned");
      }
      return inner.deliver(orders);
    }

    @Override
    public List<Sighting> look(Collection<UUID> leases) {
      return inner.look(leases);
    }

    @Override
    public List<Sighting> lookAtAll() {
      return inner.lookAtAll();
    }
  }
}
