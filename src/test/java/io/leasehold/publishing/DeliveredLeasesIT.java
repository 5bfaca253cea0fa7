package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.LeaseState;
import io.leasehold.publishing.Site.Replica;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases from the decision to the cluster and back, with the real ledger. */
class DeliveredLeasesIT {

  private static final long HOUR = 3_600 * Site.SECOND;

  private final Site site = new Site();

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void aLeaseBecomesActiveAndEndsAndItsDevicesComeBackOnce() {
    Replica replica = site.replica();
    site.furnish(replica, 1, 8);

    UUID first = replica.create(8, HOUR);
    UUID second = replica.create(8, HOUR);
    site.awaitState(first, LeaseState.ACTIVE);
    assertThat(site.state(second)).isIn("WAITING", "PLANNED");

    replica.release(first);

    site.awaitState(first, LeaseState.ENDED);
    site.awaitState(second, LeaseState.ACTIVE);
    assertThat(site.count("select count(*) from occupancy")).isEqualTo(1);
  }

  @Test
  void leasesThatStartTogetherAreAllActiveSoon() {
    Replica replica = site.replica();
    site.replica();
    site.furnish(replica, 64, 8);

    List<UUID> leases = IntStream.range(0, 500).mapToObj(i -> replica.create(1, HOUR)).toList();

    site.awaitCount("select count(*) from lease where state = 'ACTIVE'", 500);
    leases.forEach(replica::release);
    site.awaitCount("select count(*) from lease where state = 'ENDED'", 500);
    site.awaitCount("select count(*) from occupancy", 0);
    site.awaitCount("select count(*) from delivery", 0);
  }

  @Test
  void theSuccessorIsNotPublishedBeforeTheWithdrawalIsConfirmed() {
    Replica replica = site.replica();
    site.furnish(replica, 1, 1);
    UUID first = replica.create(1, HOUR);
    site.awaitState(first, LeaseState.ACTIVE);
    site.simulate("{\"withdrawLatency\":\"PT2S\"}");
    UUID second = replica.create(1, HOUR);

    replica.release(first);
    while (!site.state(first).equals("ENDED")) {
      assertThat(site.count("select count(*) from simulated_object where wanted = 'PUBLISH'"))
          .as("objects that hold the device beside the one that leaves")
          .isLessThanOrEqualTo(1);
      assertThat(site.state(second)).isNotEqualTo("ACTIVE");
    }

    site.awaitState(second, LeaseState.ACTIVE);
  }

  @Test
  void aReplicaThatStopsLeavesTheRestToAnother() {
    Replica first = site.replica();
    site.furnish(first, 4, 8);
    site.simulate("{\"publishLatency\":\"PT1S\"}");
    List<UUID> leases = IntStream.range(0, 20).mapToObj(i -> first.create(1, HOUR)).toList();
    first.context().close();

    site.replica();

    leases.forEach(lease -> site.awaitState(lease, LeaseState.ACTIVE));
  }

  @Test
  void whileTheClusterIsAwayNothingEndsAndThenAllConverges() {
    Replica replica = site.replica();
    site.furnish(replica, 2, 8);
    UUID active = replica.create(1, HOUR);
    site.awaitState(active, LeaseState.ACTIVE);
    site.simulate("{\"away\":true}");
    UUID starting = replica.create(1, HOUR);
    UUID ending = replica.create(1, HOUR);
    replica.release(ending);
    site.awaitCount("select count(*) from delivery where due_time > clock_timestamp()", 3);
    assertThat(site.state(active)).isEqualTo("ACTIVE");
    assertThat(site.state(starting)).isEqualTo("ALLOCATED");
    assertThat(site.state(ending)).isEqualTo("ENDING");

    site.simulate("{}");

    site.awaitState(starting, LeaseState.ACTIVE);
    site.awaitState(ending, LeaseState.CANCELLED);
    assertThat(site.state(active)).isEqualTo("ACTIVE");
  }

  @Test
  void aClusterThatIsAwayForLongGetsNothingNewUntilItIsBack() {
    Replica replica = site.replica("leasehold.publishing.steady=300ms");
    site.furnish(replica, 2, 8);
    UUID active = replica.create(1, HOUR);
    site.awaitState(active, LeaseState.ACTIVE);
    site.simulate("{\"away\":true}");
    site.awaitCount("select count(*) from fact where (body->>'paused')::boolean", 1);

    UUID waiting = replica.create(1, HOUR);
    assertThat(site.state(waiting)).isEqualTo("WAITING");
    assertThat(site.state(active)).isEqualTo("ACTIVE");
    site.simulate("{}");

    site.awaitState(waiting, LeaseState.ACTIVE);
    assertThat(site.state(active)).isEqualTo("ACTIVE");
  }

  @Test
  void anOrderThatCanNotBeDeliveredIsParkedAndTheLeaseSaysSo() {
    Replica replica =
        site.replica("leasehold.publishing.park=2", "leasehold.publishing.retry=10ms");
    site.furnish(replica, 1, 8);
    site.simulate("{\"busyNodeIds\":[\"%s\"]}".formatted(new UUID(9, 0)));
    UUID lease = replica.create(1, HOUR);

    site.awaitCount("select count(*) from delivery where state = 'PARKED'", 1);
    assertThat(site.state(lease)).isEqualTo("ALLOCATED");
    assertThat(site.count("select count(*) from lease where (status->>'parked')::boolean"))
        .isEqualTo(1);

    replica.release(lease);
    site.awaitState(lease, LeaseState.CANCELLED);
    site.awaitCount("select count(*) from occupancy", 0);
  }
}
