package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Command.Report.News;
import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Depot.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of orders, lost answers, refusals, absences, dying workers and lost objects. At
 * no instant does an older order take effect after a newer one; when the faults end, every cluster
 * agrees with the newest orders and the ledger was told so.
 */
class ChaosIT {

  private static final int STEPS = 250;
  private static final List<String> FAULTS =
      List.of(
          "{}",
          "{\"away\":true}",
          "{\"saysZero\":true}",
          "{\"failMilli\":500,\"seed\":%d}",
          "{\"loseAnswerMilli\":600,\"seed\":%d}",
          "{\"flapEvery\":\"PT7S\"}",
          "{\"publishLatency\":\"PT3S\",\"withdrawLatency\":\"PT4S\"}",
          "{\"busyNodeIds\":[\"" + Orders.NODE + "\"]}");

  static List<Long> seeds() {
    return List.of(1L, 2L, 3L, System.nanoTime());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void convergesWhateverHappened(long seed) {
    new History(seed).run();
  }

  private static final class History {

    private final long seed;
    private final SplittableRandom random;
    private final Depot depot;
    private final Lane[] lanes;
    private final Map<UUID, Integer> newest = new HashMap<>();
    private final Map<UUID, Integer> seen = new HashMap<>();
    private final List<UUID> leases = new ArrayList<>();

    History(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.depot = new Depot(random.split());
      this.lanes = new Lane[] {depot.lane("east"), depot.lane("east")};
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
        noOlderOrderTookEffect();
      }
      depot.simulate("{}");
      depot.ledgerAway = false;
      settle();
      everythingAgrees();
    }

    private void step() {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> publish();
        case 3, 4 -> withdraw();
        case 5, 6, 7 -> round();
        case 8 -> depot.clock.pass(Duration.ofMillis(random.nextLong(40_000)));
        case 9 ->
            depot.simulate(FAULTS.get(random.nextInt(FAULTS.size())).formatted(random.nextInt()));
        case 10 -> die();
        default -> {
          depot.ledgerAway = random.nextInt(4) == 0;
          depot.compare();
        }
      }
    }

    private void publish() {
      UUID lease = new UUID(seed, leases.size());
      leases.add(lease);
      newest.put(lease, 1);
      depot.order(lease, 1, Kind.PUBLISH);
      depot.lease(lease, "ALLOCATED");
    }

    private void withdraw() {
      if (!leases.isEmpty()) {
        UUID lease = leases.get(random.nextInt(leases.size()));
        if (newest.put(lease, 2) == 1) {
          depot.order(lease, 2, Kind.WITHDRAW);
          depot.lease(lease, "ENDING");
        }
      }
    }

    private void round() {
      lanes[random.nextInt(lanes.length)].round(() -> depot.port("east"));
    }

    /** A worker that dies after its claim, or after the cluster took the orders. */
    private void die() {
      List<Delivery> claimed =
          depot.deliveries.claim("east", depot.clock.instant(), Depot.CLAIM, random.nextInt(1, 20));
      if (random.nextBoolean()) {
        try {
          depot.port("east").deliver(claimed.stream().map(Delivery::order).toList());
        } catch (ClusterAway away) {
          // Dead anyway.
        }
      }
    }

    private void noOlderOrderTookEffect() {
      depot
          .database
          .sql("select lease, generation from simulated_object")
          .query(
              row -> {
                UUID lease = row.getObject("lease", UUID.class);
                int generation = row.getInt("generation");
                assertThat(generation)
                    .as("seed %s, lease %s", seed, lease)
                    .isGreaterThanOrEqualTo(seen.getOrDefault(lease, 0));
                seen.put(lease, generation);
              });
    }

    private void settle() {
      for (int i = 0; i < 40; i++) {
        depot
            .database
            .sql("update delivery set state = 'DUE', failures = 0 where state = 'PARKED'")
            .update();
        depot.clock.pass(Duration.ofMinutes(2));
        round();
        depot.reconciler.compareIfDue(
            depot.clusters.find("east").orElseThrow(), depot.clock.instant());
        finished();
      }
    }

    /** What the ledger does with the news of a withdrawal. */
    private void finished() {
      for (UUID lease : leases) {
        if (depot.told.contains(new Told(lease, 2, News.WITHDRAWN))) {
          depot.lease(lease, "ENDED");
        }
      }
    }

    private void everythingAgrees() {
      Map<UUID, Sighting> has = new HashMap<>();
      depot.port("east").lookAtAll().forEach(sighting -> has.put(sighting.lease(), sighting));
      for (UUID lease : leases) {
        boolean wanted = newest.get(lease) == 1;
        Sighting there = has.remove(lease);
        assertThat(there != null && there.presence() == Presence.USABLE)
            .as("seed %s, lease %s is in the cluster: %s", seed, lease, there)
            .isEqualTo(wanted);
        assertThat(depot.told)
            .as("seed %s", seed)
            .contains(
                wanted ? new Told(lease, 1, News.USABLE) : new Told(lease, 2, News.WITHDRAWN));
        if (wanted) {
          assertThat(depot.told)
              .as("seed %s", seed)
              .doesNotContain(new Told(lease, 1, News.WITHDRAWN));
        }
      }
      assertThat(has).as("seed %s: strangers", seed).isEmpty();
      assertThat(depot.openDeliveries()).as("seed %s: open deliveries", seed).isZero();
    }
  }
}
