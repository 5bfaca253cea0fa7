package io.leasehold.publishing;

import static io.leasehold.publishing.Orders.order;
import static io.leasehold.publishing.Orders.publish;
import static io.leasehold.publishing.Orders.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every adapter must do. An adapter's test extends it and lends a cluster. */
public abstract class ClusterContract {

  private final UUID lease = UUID.randomUUID();

  /** The cluster under test, empty, without latency. */
  protected abstract Cluster cluster();

  /** Puts an object that is not marked as ours where the lease's would be. */
  protected abstract void putForeign(UUID lease);

  protected abstract boolean isForeignUntouched(UUID lease);

  @Test
  void whatIsPublishedIsUsableUnderItsFence() {
    assertThat(deliver(publish(lease, 1))).containsExactly(Receipt.ACCEPTED);

    assertThat(cluster().look(List.of(lease)))
        .containsExactly(new Sighting(lease, 1, 1, Presence.USABLE));
  }

  @Test
  void whatIsUnknownIsAbsentAndNoFailure() {
    assertThat(cluster().look(List.of(lease)))
        .extracting(Sighting::presence)
        .containsExactly(Presence.ABSENT);
    assertThat(cluster().look(List.of())).isEmpty();
  }

  @Test
  void theSameOrderAgainChangesNothing() {
    deliver(publish(lease, 1));

    assertThat(deliver(publish(lease, 1))).containsExactly(Receipt.ACCEPTED);
    assertThat(cluster().lookAtAll()).containsExactly(new Sighting(lease, 1, 1, Presence.USABLE));
  }

  @Test
  void theSameOrderTwiceInOneCallIsDoneOnce() {
    assertThat(deliver(publish(lease, 1), publish(lease, 1)))
        .containsExactly(Receipt.ACCEPTED, Receipt.ACCEPTED);
    assertThat(cluster().lookAtAll()).hasSize(1);
  }

  @Test
  void aWithdrawalLeavesNothing() {
    deliver(publish(lease, 1));

    assertThat(deliver(withdraw(lease, 2))).containsExactly(Receipt.ACCEPTED);
    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
    assertThat(cluster().lookAtAll()).isEmpty();
  }

  @Test
  void theWithdrawalOfWhatIsNotThereIsDone() {
    assertThat(deliver(withdraw(lease, 2))).containsExactly(Receipt.ACCEPTED);
    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
  }

  @Test
  void ordersOfOneCallTakeEffectInTheirOrder() {
    UUID other = UUID.randomUUID();

    assertThat(deliver(publish(lease, 1), publish(other, 1), withdraw(lease, 2)))
        .containsOnly(Receipt.ACCEPTED);
    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
    assertThat(presence(other)).isEqualTo(Presence.USABLE);
  }

  @Test
  void anOlderPublicationIsOvertakenAfterTheWithdrawal() {
    deliver(withdraw(lease, 2));

    assertThat(deliver(publish(lease, 1))).containsExactly(Receipt.OVERTAKEN);
    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
  }

  @Test
  void anOlderWithdrawalIsOvertakenAfterANewerPublication() {
    deliver(publish(lease, 3));

    assertThat(deliver(withdraw(lease, 2))).containsExactly(Receipt.OVERTAKEN);
    assertThat(presence(lease)).isEqualTo(Presence.USABLE);
  }

  @Test
  void anOlderEpochIsOvertakenWhateverItsGeneration() {
    deliver(order(lease, 2, 1, Kind.PUBLISH));

    assertThat(deliver(order(lease, 1, 9, Kind.WITHDRAW))).containsExactly(Receipt.OVERTAKEN);
    assertThat(presence(lease)).isEqualTo(Presence.USABLE);
    assertThat(deliver(order(lease, 2, 2, Kind.WITHDRAW))).containsExactly(Receipt.ACCEPTED);
    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
  }

  @Test
  void aNewerPublicationTakesTheNewFence() {
    deliver(publish(lease, 1));
    deliver(publish(lease, 2));

    assertThat(cluster().look(List.of(lease)))
        .containsExactly(new Sighting(lease, 1, 2, Presence.USABLE));
  }

  /** A lease that grows or shrinks: one object, made what the newest order says. */
  @Test
  void aChangedPublicationReplacesTheOlderAndIsNotOvertakenByIt() {
    deliver(publish(lease, 1, 4));

    assertThat(deliver(publish(lease, 2, 2), publish(lease, 3, 6))).containsOnly(Receipt.ACCEPTED);
    assertThat(deliver(publish(lease, 2, 2))).containsExactly(Receipt.OVERTAKEN);
    assertThat(cluster().lookAtAll()).containsExactly(new Sighting(lease, 1, 3, Presence.USABLE));
    assertThat(deliver(withdraw(lease, 4))).containsExactly(Receipt.ACCEPTED);
    assertThat(cluster().lookAtAll()).isEmpty();
  }

  @Test
  void whatIsNotOursIsNeitherSeenNorTouched() {
    putForeign(lease);

    assertThat(deliver(publish(lease, 1))).containsExactly(Receipt.REJECTED);
    assertThat(deliver(withdraw(lease, 2))).containsExactly(Receipt.ACCEPTED);
    assertThat(presence(lease)).isEqualTo(Presence.ABSENT);
    assertThat(cluster().lookAtAll()).isEmpty();
    assertThat(isForeignUntouched(lease)).isTrue();
  }

  @Test
  void ofWritersThatRaceTheNewestFenceWins() throws Exception {
    long seed = System.nanoTime();
    List<ClusterOrder> orders = new ArrayList<>();
    for (int generation = 1; generation <= 20; generation++) {
      orders.add(generation % 2 == 1 ? publish(lease, generation) : withdraw(lease, generation));
    }
    shuffle(orders, new SplittableRandom(seed));
    try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
      List<Callable<List<Receipt>>> calls =
          orders.stream().<Callable<List<Receipt>>>map(order -> () -> deliver(order)).toList();
      for (Future<List<Receipt>> call : writers.invokeAll(calls)) {
        call.get();
      }
    }
    assertThat(presence(lease)).as("seed %s", seed).isEqualTo(Presence.ABSENT);
    assertThat(deliver(publish(lease, 19))).as("seed %s", seed).containsExactly(Receipt.OVERTAKEN);
  }

  protected final List<Receipt> deliver(ClusterOrder... orders) {
    return cluster().deliver(List.of(orders));
  }

  protected final Presence presence(UUID of) {
    return cluster().look(List.of(of)).getFirst().presence();
  }

  private static void shuffle(List<ClusterOrder> orders, SplittableRandom random) {
    for (int i = orders.size() - 1; i > 0; i--) {
      Collections.swap(orders, i, random.nextInt(i + 1));
    }
  }
}
