package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Command.Report.News;
import io.leasehold.engine.Command.SetCluster;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Depot.Told;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A cluster that can not be relied on gets nothing new, and loses nothing. */
class WatchIT {

  private static final Duration TICK = Duration.ofSeconds(10);
  private static final SetCluster PAUSE = new SetCluster("east", true);
  private static final SetCluster RESUME = new SetCluster("east", false);

  private final Depot depot = new Depot();
  private final UUID lease = UUID.randomUUID();

  @Test
  void awayForLongItIsPausedAloneAndBackForLongItIsTakenAgain() {
    depot.register("west");
    active(lease);
    depot.simulate("{\"away\":true}");
    depot.compare();
    look(2);
    assertThat(depot.pauses()).isEmpty();
    look(1);
    assertThat(depot.pauses()).containsExactly(PAUSE);
    look(10);

    depot.simulate("{}");
    look(3);
    assertThat(depot.pauses()).containsExactly(PAUSE);
    look(1);

    assertThat(depot.pauses()).containsExactly(PAUSE, RESUME);
    assertThat(depot.told).extracting(Told::news).containsOnly(News.USABLE);
    assertThat(depot.openDeliveries()).isZero();
  }

  @Test
  void aBlipPausesNothing() {
    active(lease);
    for (int i = 0; i < 10; i++) {
      depot.simulate("{\"away\":true}");
      depot.compare();
      depot.simulate("{}");
      depot.compareAfter(TICK);
    }

    assertThat(depot.pauses()).isEmpty();
  }

  @Test
  void aClusterThatSaysZeroIsPausedAndThenTakenAgain() {
    active(lease);
    depot.simulate("{\"saysZero\":true}");
    depot.compare();
    look(3);
    assertThat(depot.pauses()).containsExactly(PAUSE);

    depot.simulate("{}");
    look(4);

    assertThat(depot.pauses()).containsExactly(PAUSE, RESUME);
    assertThat(depot.told).extracting(Told::news).doesNotContain(News.WITHDRAWN);
  }

  @Test
  void zeroIsRightWhereNothingIsActive() {
    depot.order(lease, 1, Kind.PUBLISH);
    depot.lease(lease, "PUBLISHING");
    depot.simulate("{\"saysZero\":true}");
    depot.compare();
    look(10);

    assertThat(depot.pauses()).isEmpty();
  }

  @Test
  void whatIsSoundIsLookedAtNoSooner() {
    active(lease);
    depot.compare();
    depot.database.sql("delete from simulated_object").update();
    look(5);
    assertThat(depot.openDeliveries()).isZero();
    look(1);
    assertThat(depot.openDeliveries()).isEqualTo(1);
  }

  @Test
  void whatAnOperatorPausedStaysPaused() {
    stale();
    operatorPauses(true);

    depot.simulate("{}");
    look(10);

    assertThat(depot.pauses()).containsExactly(PAUSE);
  }

  @Test
  void anOperatorWhoPausesAtTheSameMomentIsNotOverruled() {
    stale();
    depot.beforeRider = () -> operatorPauses(true);

    depot.simulate("{}");
    look(10);

    assertThat(depot.pauses()).containsExactly(PAUSE);
  }

  @Test
  void aStaleClusterIsNotTakenAgainByHand() {
    stale();
    depot.fact("east", false);

    look(1);

    assertThat(depot.pauses()).containsExactly(PAUSE, PAUSE);
  }

  @Test
  void whatTheLedgerCouldNotTakeIsSaidAgain() {
    depot.ledgerAway = true;
    stale();
    assertThat(depot.pauses()).isEmpty();
    depot.ledgerAway = false;

    look(1);

    assertThat(depot.pauses()).containsExactly(PAUSE);
  }

  @Test
  void aParkedWithdrawalIsNotConfirmedByOneEmptyLook() {
    UUID other = UUID.randomUUID();
    active(lease);
    active(other);
    depot.order(lease, 2, Kind.WITHDRAW);
    depot.lease(lease, "ENDING");
    depot.database.sql("update delivery set state = 'PARKED'").update();
    depot.simulate("{\"saysZero\":true}");

    depot.compare();
    look(2);
    assertThat(depot.told).doesNotContain(new Told(lease, 2, News.WITHDRAWN));
    look(1);
    assertThat(depot.told).contains(new Told(lease, 2, News.WITHDRAWN));
  }

  @Test
  void howItStandsIsShown() {
    stale();

    depot.metrics.show(depot.deliveries.backlogs(depot.clock.instant()));

    assertThat(depot.registry.get("leasehold.cluster.stale").tag("cluster", "east").gauge().value())
        .isEqualTo(1);
  }

  private void stale() {
    active(lease);
    depot.simulate("{\"away\":true}");
    depot.compare();
    look(3);
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      depot.compareAfter(TICK);
    }
  }

  private void operatorPauses(boolean paused) {
    depot.database.sql("update cluster set paused = ? where slug = 'east'").params(paused).update();
    depot.fact("east", paused);
  }

  private void active(UUID each) {
    depot.order(each, 1, Kind.PUBLISH);
    depot.round();
    depot.lease(each, "ACTIVE");
  }
}
