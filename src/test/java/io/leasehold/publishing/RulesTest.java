package io.leasehold.publishing;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.Command.Report.News;
import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Delivery.State;
import io.leasehold.publishing.Next.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What receipts and sightings mean, case by case. */
class RulesTest {

  private static final Instant NOW = Instant.parse("2027-03-01T15:00:00Z");
  private static final UUID LEASE = new UUID(1, 2);

  private final Rules rules =
      new Rules(
          new Backoff(Duration.ofMillis(200), Duration.ofSeconds(60), new SplittableRandom(3)),
          Duration.ofSeconds(30),
          5);

  @ParameterizedTest
  @CsvSource({
    // kind,   waited s (empty: accepted just now), seen, its generation, step, news
    "PUBLISH,  , USABLE,  1, DONE, USABLE",
    "PUBLISH,  , PENDING, 1, SENT, ACCEPTED",
    "PUBLISH,  , ABSENT,  0, SENT, ACCEPTED",
    "PUBLISH,  , USABLE,  0, SENT, ACCEPTED",
    "PUBLISH, 5, PENDING, 1, SENT, ",
    "PUBLISH, 5, ABSENT,  0, SENT, ",
    "PUBLISH, 29, ABSENT, 0, SENT, ",
    "PUBLISH, 30, ABSENT, 0, DUE,  ",
    "PUBLISH, 3600, PENDING, 1, SENT, ",
    "PUBLISH, 3600, USABLE,  1, DONE, USABLE",
    "PUBLISH, 3600, USABLE,  0, DUE, ",
    "WITHDRAW, , ABSENT,  0, DONE, WITHDRAWN",
    "WITHDRAW, , LEAVING, 1, SENT, ",
    "WITHDRAW, , USABLE,  0, SENT, ",
    "WITHDRAW, 3600, LEAVING, 1, SENT, ",
    "WITHDRAW, 30, USABLE, 0, DUE, ",
    "WITHDRAW, 30, ABSENT, 0, DONE, WITHDRAWN",
  })
  void aSightingDecides(
      Kind kind, Integer waited, Presence seen, int generation, Step step, News news) {
    Instant sent = waited == null ? null : NOW.minusSeconds(waited);

    Next next =
        rules.afterSighting(delivery(kind, sent, 0), new Sighting(LEASE, 1, generation, seen), NOW);

    assertThat(next.step()).isEqualTo(step);
    assertThat(next.news()).isEqualTo(news);
    assertThat(next.due()).isAfterOrEqualTo(NOW);
  }

  @ParameterizedTest
  @EnumSource(
      value = Receipt.class,
      names = {"LATER", "NO_ROOM", "OVERTAKEN"})
  void whatMayPassIsTriedAgainAndParkedInTheEnd(Receipt receipt) {
    for (int failures = 0; failures < 4; failures++) {
      Next next = rules.afterReceipt(delivery(Kind.PUBLISH, null, failures), receipt, NOW);
      assertThat(next.step()).isEqualTo(Step.DUE);
      assertThat(next.failures()).isEqualTo(failures + 1);
      assertThat(next.due()).isAfter(NOW);
      assertThat(next.news()).isNull();
    }
    Next last = rules.afterReceipt(delivery(Kind.PUBLISH, null, 4), receipt, NOW);
    assertThat(last.step()).isEqualTo(Step.PARKED);
    assertThat(last.news()).isEqualTo(receipt == Receipt.NO_ROOM ? News.NO_ROOM : News.PARKED);
  }

  @Test
  void whatIsRejectedIsParkedAtOnce() {
    Next next = rules.afterReceipt(delivery(Kind.PUBLISH, null, 0), Receipt.REJECTED, NOW);

    assertThat(next.step()).isEqualTo(Step.PARKED);
    assertThat(next.fault()).contains("rejects");
  }

  @Test
  void looksComeRarerTheLongerItTakes() {
    Sighting pending = new Sighting(LEASE, 1, 1, Presence.PENDING);

    assertThat(pauseAfter(Duration.ofMillis(100), pending)).isEqualTo(Duration.ofMillis(200));
    assertThat(pauseAfter(Duration.ofSeconds(10), pending)).isEqualTo(Duration.ofSeconds(2));
    assertThat(pauseAfter(Duration.ofHours(1), pending)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void waitsDoubleUpToABoundWithinTheirUpperHalf() {
    Backoff backoff = rules.backoff();
    for (int failures = 0; failures < 100; failures++) {
      long full = Math.min(60_000, failures > 20 ? 60_000 : 200L << failures);
      assertThat(backoff.after(failures).toMillis()).isBetween(full / 2, full);
    }
  }

  private Duration pauseAfter(Duration waited, Sighting seen) {
    Next next = rules.afterSighting(delivery(Kind.PUBLISH, NOW.minus(waited), 0), seen, NOW);
    return Duration.between(NOW, next.due());
  }

  private static Delivery delivery(Kind kind, Instant sent, int failures) {
    return new Delivery(
        Orders.order(LEASE, 1, 1, kind),
        "main",
        sent == null ? State.DUE : State.SENT,
        1,
        failures,
        sent,
        false,
        true);
  }
}
