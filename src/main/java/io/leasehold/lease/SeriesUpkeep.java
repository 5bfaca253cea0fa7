package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Occurrence;
import io.leasehold.fleet.Origin;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Routine;
import io.leasehold.ledger.Submission;
import io.leasehold.web.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Sets aside the times of series that come into sight as time goes on. Every replica looks; which
 * one comes first does not matter. A time that does not fit is written down as refused, and the
 * others of its series stay.
 */
@Component
class SeriesUpkeep extends Routine {

  private static final Logger LOG = LoggerFactory.getLogger(SeriesUpkeep.class);
  private static final long EVERY_MINUTES = 30;

  /** A series is looked at again when so much more has come into sight. */
  private static final Duration STEP = Duration.ofDays(1);

  private static final int AT_ONCE = 200;

  private final Ledger ledger;
  private final ReservationReader reader;
  private final ReservationRendering rendering;
  private final Reservations reservations;
  private final WallClock clock;

  SeriesUpkeep(
      Ledger ledger,
      ReservationReader reader,
      ReservationRendering rendering,
      Reservations reservations,
      WallClock clock) {
    super("series");
    this.ledger = ledger;
    this.reader = reader;
    this.rendering = rendering;
    this.reservations = reservations;
    this.clock = clock;
  }

  /** Makes what is in sight from an instant. */
  void makeUntil(Instant horizon) {
    for (ReservationRecord series : reservations.behind(horizon.minus(STEP), AT_ONCE)) {
      try {
        make(series, horizon);
      } catch (RuntimeException e) {
        LOG.warn("reservation {} gets no further times: {}", series.id(), e.toString());
      }
    }
  }

  private void make(ReservationRecord series, Instant horizon) {
    List<Occurrence.Ask> asks =
        reader.more(
            rendering.request(series),
            series.tenant(),
            series.id(),
            series.pool(),
            series.madeUntil(),
            horizon);
    Submission submission =
        new Submission(
            new Command.Reserve(asks, Command.Reserve.Misfit.RECORD),
            Origin.SYSTEM.actor(),
            Origin.SYSTEM.traceId(),
            null,
            Map.of(),
            null,
            null,
            false,
            connection -> {
              if (!reservations.made(connection, series, horizon)) {
                throw new Rider.Refused("another replica was faster");
              }
            });
    Outcome outcome = ledger.submit(series.pool(), submission, null);
    if (outcome instanceof Outcome.Committed(Decision.Declined declined, _, _, _)) {
      LOG.warn("reservation {} gets no further times: {}", series.id(), declined.detail());
    }
  }

  @Override
  protected void plan(ScheduledExecutorService executor) {
    executor.scheduleWithFixedDelay(
        safely("series", this::look), 1, EVERY_MINUTES, TimeUnit.MINUTES);
  }

  private void look() {
    makeUntil(Wire.instant(clock.micros()).plus(ReservationReader.HORIZON));
  }
}
