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
    String states;
    do {
      states = states(first, second);
      assertThat(site.count("select count(*) from simulated_object where wanted = 'PUBLISH'"))
          .as("objects that hold the device beside the one that leaves")
          .isLessThanOrEqualTo(1);
      assertThat(states).isNotEqualTo("ENDING ACTIVE");
    } while (!states.startsWith("ENDED"));

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

  @Test
  void aNodeWithoutRoomIsTakenOutAndAnotherIsUsed() {
    Replica replica =
        site.replica("leasehold.publishing.park=2", "leasehold.publishing.retry=10ms");
    site.furnish(replica, 2, 8);
    site.simulate("{\"busyNodeIds\":[\"%s\"]}".formatted(new UUID(9, 0)));
    UUID first = replica.create(8, HOUR);
    UUID second = replica.create(8, HOUR);
    site.awaitState(second, LeaseState.ACTIVE);

    site.awaitCount(
        "select count(*) from node where gpus @> '[{\"health\": \"SUSPECT\"}]' and revision = 2",
        1);
    assertThat(suspects("select (body->'node'->'gpus')::text from fact where kind = 'node'"))
        .isEqualTo(suspects("select gpus::text from node"))
        .isEqualTo(8);
    replica.release(first);
    site.awaitState(first, LeaseState.CANCELLED);
    UUID third = replica.create(8, HOUR);
    assertThat(site.state(third)).isEqualTo("WAITING");
    replica.release(second);
    site.awaitState(third, LeaseState.ACTIVE);
  }

  /** L36. */
  @Test
  void aLeaseThatFindsNoRoomOnItsNodeIsPublishedOnAnother() {
    Replica replica =
        site.replica("leasehold.publishing.park=2", "leasehold.publishing.retry=10ms");
    site.furnish(replica, 2, 8);
    site.simulate("{\"busyNodeIds\":[\"%s\"]}".formatted(new UUID(9, 0)));
    UUID lease = replica.create(8, HOUR);

    site.awaitState(lease, LeaseState.ACTIVE);
    assertThat(site.count("select count(*) from occupancy where fence_generation = 2"))
        .isEqualTo(1);
    assertThat(site.count("select count(*) from audit_fact where cause = 'rebound'")).isEqualTo(1);
    assertThat(suspects("select gpus::text from node")).isEqualTo(8);
    site.awaitCount("select count(*) from delivery", 0);
  }

  @Test
  void aClusterWithoutRoomAnywhereLosesOneNodeAtMost() {
    Replica replica =
        site.replica("leasehold.publishing.park=2", "leasehold.publishing.retry=10ms");
    site.furnish(replica, 3, 8);
    site.simulate(
        "{\"busyNodeIds\":[\"%s\",\"%s\",\"%s\"]}"
            .formatted(new UUID(9, 0), new UUID(9, 1), new UUID(9, 2)));
    for (int i = 0; i < 3; i++) {
      replica.create(8, HOUR);
    }

    site.awaitCount("select count(*) from delivery where state = 'PARKED'", 3);
    assertThat(suspects("select gpus::text from node")).isEqualTo(8);
  }

  /** As they are at the same instant. */
  private String states(UUID first, UUID second) {
    return site.jdbc
        .sql("select a.state || ' ' || b.state from lease a, lease b where a.id = ? and b.id = ?")
        .params(first, second)
        .query(String.class)
        .single();
  }

  private int suspects(String sql) {
    return site.jdbc.sql(sql).query(String.class).list().stream()
        .mapToInt(gpus -> gpus.split("SUSPECT", -1).length - 1)
        .sum();
  }
}
