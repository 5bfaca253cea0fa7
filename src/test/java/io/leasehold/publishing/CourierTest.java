package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.Cluster.Sighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Calls to a cluster are bounded, and one broken order fails alone. */
class CourierTest {

  private final List<Integer> calls = new ArrayList<>();
  private final List<ClusterOrder> orders =
      Stream.generate(() -> Orders.publish(UUID.randomUUID(), 1)).limit(64).toList();

  @Test
  void findsTheBrokenOrderByHalves() {
    ClusterOrder broken = orders.get(41);

    List<Receipt> receipts =
        courier(
                batch -> {
                  if (batch.contains(broken)) {
                    throw new IllegalArgumentException("broken");
                  }
                  return Collections.nCopies(batch.size(), Receipt.ACCEPTED);
                })
            .deliver(orders);

    assertThat(receipts.get(41)).isEqualTo(Receipt.LATER);
    assertThat(receipts.stream().filter(Receipt.ACCEPTED::equals)).hasSize(63);
    assertThat(calls).as("1 + 2 for each halving").hasSize(13);
  }

  @Test
  void aClusterThatIsAwayIsAskedOnce() {
    Courier courier =
        courier(
            batch -> {
              throw new ClusterAway("away");
            });

    assertThatThrownBy(() -> courier.deliver(orders)).isInstanceOf(ClusterAway.class);
    assertThat(calls).hasSize(1);
  }

  @Test
  void noAnswerInTimeIsAway() {
    CountDownLatch interrupted = new CountDownLatch(1);
    Courier courier =
        courier(
            batch -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException cancelled) {
                interrupted.countDown();
              }
              return List.of();
            });

    assertThatThrownBy(() -> courier.deliver(orders))
        .isInstanceOf(ClusterAway.class)
        .hasMessageContaining("PT0.1S");
    assertThat(interrupted)
        .as("the call is told to stop")
        .satisfies(
            latch -> assertThat(latch.await(5, java.util.concurrent.TimeUnit.SECONDS)).isTrue());
  }

  @Test
  void tooFewReceiptsAreNoReceipts() {
    List<Receipt> receipts =
        courier(batch -> batch.size() == 1 ? List.of() : List.of(Receipt.ACCEPTED))
            .deliver(orders.subList(0, 2));

    assertThat(receipts).containsExactly(Receipt.LATER, Receipt.LATER);
  }

  @Test
  void aLookThatBreaksHasNotSeenThatAnythingIsGone() {
    Courier courier = courier(batch -> List.of());

    assertThatThrownBy(() -> courier.look(List.of(UUID.randomUUID())))
        .isInstanceOf(ClusterAway.class);
  }

  @Test
  void nothingToDeliverIsNoCall() {
    assertThat(courier(batch -> List.of()).deliver(List.of())).isEmpty();
    assertThat(calls).isEmpty();
  }

  private Courier courier(Function<List<ClusterOrder>, List<Receipt>> deliver) {
    return new Courier(
        new Cluster() {
          @Override
          public List<Receipt> deliver(List<ClusterOrder> batch) {
            calls.add(batch.size());
            return deliver.apply(batch);
          }

          @Override
          public List<Sighting> look(Collection<UUID> leases) {
            throw new IllegalStateException("blind");
          }

          @Override
          public List<Sighting> lookAtAll() {
            return List.of();
          }
        },
        Duration.ofMillis(100));
  }
}
