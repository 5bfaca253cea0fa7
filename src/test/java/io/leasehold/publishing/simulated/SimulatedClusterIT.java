package io.leasehold.publishing.simulated;

import static io.leasehold.publishing.Orders.publish;
import static io.leasehold.publishing.Orders.withdraw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.TestDatabase;
import io.leasehold.publishing.Cluster;
import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.ClusterAway;
import io.leasehold.publishing.ClusterContract;
import io.leasehold.publishing.HandClock;
import io.leasehold.publishing.Orders;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The contract of adapters on the simulated cluster, and its latencies and faults. */
class SimulatedClusterIT extends ClusterContract {

  private static final JdbcClient DATABASE = JdbcClient.create(TestDatabase.fresh().dataSource());

  private final HandClock clock = new HandClock();
  private final UUID lease = UUID.randomUUID();
  private final String slug = "east-" + UUID.randomUUID();
  private final Cluster cluster = new SimulatedClusters(DATABASE, clock).open(slug, "{}");

  @Override
  protected Cluster cluster() {
    return cluster;
  }

  @Override
  protected void putForeign(UUID of) {
    DATABASE
        .sql(
            """
            insert into simulated_object (cluster, lease, ours, epoch, generation, wanted, ready_time)
            values (?, ?, false, 0, 0, 'PUBLISH', now())
            """)
        .params(slug, of)
        .update();
  }

  @Override
  protected boolean isForeignUntouched(UUID of) {
    return DATABASE
            .sql(
                """
                select count(*) from simulated_object
                where cluster = ? and lease = ? and not ours and wanted = 'PUBLISH' and generation = 0
                """)
            .params(slug, of)
            .query(Integer.class)
            .single()
        == 1;
  }

  @Test
  void takesItsLatencyToPublishAndToWithdraw() {
    simulate("{\"publishLatency\":\"PT2S\",\"withdrawLatency\":\"PT3S\"}");

    deliver(publish(lease, 1));
    assertThat(presence(lease)).isEqualTo(Presence.PENDING);
    clock.pass(Duration.ofSeconds(1));
    deliver(publish(lease, 1));
    clock.pass(Duration.ofSeconds(1));
    assertThat(presence(lease))
        .as("a repeated order does not start anew")
        .isEqualTo(Presence.USABLE);

    deliver(withdraw(lease, 2));
    assertThat(presence(lease)).isEqualTo(Presence.LEAVING);
    clock.pass(Duration.ofSeconds(3));
    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
  }

  @Test
  void isAwayAsLongAsItIsTold() {
    deliver(publish(lease, 1));
    simulate("{\"away\":true}");

    assertThatThrownBy(() -> deliver(withdraw(lease, 2))).isInstanceOf(ClusterAway.class);
    assertThatThrownBy(() -> presence(lease)).isInstanceOf(ClusterAway.class);
    assertThatThrownBy(cluster::lookAtAll).isInstanceOf(ClusterAway.class);

    simulate("{}");
    assertThat(presence(lease)).isEqualTo(Presence.USABLE);
  }

  @Test
  void flapsByTheClock() {
    simulate("{\"flapEvery\":\"PT10S\"}");
    int answers = 0;
    for (int i = 0; i < 4; i++) {
      try {
        cluster.lookAtAll();
        answers++;
      } catch (ClusterAway away) {
        // Every other time.
      }
      clock.pass(Duration.ofSeconds(10));
    }
    assertThat(answers).isEqualTo(2);
  }

  @Test
  void saysZeroAndHasItAll() {
    deliver(publish(lease, 1));
    simulate("{\"saysZero\":true}");

    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
    assertThat(cluster.lookAtAll()).isEmpty();

    simulate("{}");
    assertThat(presence(lease)).isEqualTo(Presence.USABLE);
  }

  @Test
  void hasNoRoomOnABusyNodeButWithdrawsFromIt() {
    deliver(publish(lease, 1));
    simulate("{\"busyNodeIds\":[\"" + Orders.NODE + "\"]}");

    assertThat(deliver(publish(UUID.randomUUID(), 1))).containsExactly(Receipt.NO_ROOM);
    assertThat(deliver(withdraw(lease, 2))).containsExactly(Receipt.ACCEPTED);
  }

  @Test
  void aLostAnswerHasTakenEffect() {
    simulate("{\"loseAnswerMilli\":1000}");

    assertThatThrownBy(() -> deliver(publish(lease, 1))).isInstanceOf(ClusterAway.class);
    assertThat(presence(lease)).isEqualTo(Presence.USABLE);
  }

  @Test
  void failsByTheSeedAlone() {
    simulate("{\"failMilli\":300,\"seed\":42}");
    List<UUID> leases = IntStream.range(0, 200).mapToObj(i -> new UUID(5, i)).toList();

    List<Receipt> first = deliverAll(leases);
    assertThat(deliverAll(leases)).isEqualTo(first);
    assertThat(first.stream().filter(Receipt.LATER::equals)).hasSizeBetween(40, 80);

    simulate("{\"failMilli\":300,\"seed\":43}");
    assertThat(deliverAll(leases)).isNotEqualTo(first);
  }

  @Test
  void forgetsTheFenceOfWhatIsLongGone() {
    deliver(withdraw(lease, 2));
    clock.pass(Duration.ofHours(1));
    cluster.lookAtAll();

    assertThat(
            DATABASE
                .sql("select count(*) from simulated_object where cluster = ?")
                .params(slug)
                .query(Integer.class)
                .single())
        .isZero();
  }

  private List<Receipt> deliverAll(List<UUID> leases) {
    return cluster.deliver(leases.stream().map(one -> publish(one, 1)).toList());
  }

  private void simulate(String body) {
    new Simulations(DATABASE).put(slug, Simulations.read(body));
  }
}
