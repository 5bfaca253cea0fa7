package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.lease.Heartbeats.Quiet;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Routine;
import io.leasehold.ledger.Submission;
import io.leasehold.web.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Tells the engine of holders who are silent. Every replica watches; which one comes first does not
 * matter. Silence counts from when this replica could hear: nobody pays for our own absence.
 */
@Component
class HeartbeatWatch extends Routine {

  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatWatch.class);

  /** The shortest time-out, so that no new lease is due before the next look. */
  static final long PACE = 10 * Wire.SECOND;

  /** After a longer pause it is not known who wanted to be heard. */
  private static final long LONGEST_PAUSE = 2 * PACE;

  private static final long SHORTEST_PAUSE = Wire.SECOND / 10;
  private static final long FORGET_EVERY = Duration.ofHours(1).toSeconds() * Wire.SECOND;
  private static final int AT_ONCE = 1_000;
  private static final long DEAF = Long.MIN_VALUE;

  private final Heartbeats heartbeats;
  private final Ledger ledger;
  private final WallClock clock;
  private long hearingSince = DEAF;
  private long lookedAt = DEAF;
  private long forgotAt;

  HeartbeatWatch(Heartbeats heartbeats, Ledger ledger, WallClock clock) {
    super("heartbeats");
    this.heartbeats = heartbeats;
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Ends what is due, and says in how many microseconds to look again. */
  private long look() {
    long now = clock.micros();
    if (hearingSince == DEAF || now - lookedAt > LONGEST_PAUSE) {
      hearingSince = now;
    }
    List<Quiet> quiet = heartbeats.quiet(hearingSince, now + PACE, AT_ONCE);
    quiet.stream().filter(each -> each.dueAt() <= now).forEach(this::end);
    if (now - forgotAt > FORGET_EVERY) {
      heartbeats.forget();
      forgotAt = now;
    }
    lookedAt = now;
    return quiet.stream()
        .mapToLong(Quiet::dueAt)
        .filter(due -> due > now)
        .map(due -> Math.max(SHORTEST_PAUSE, due - now))
        .min()
        .orElse(quiet.isEmpty() ? PACE : Wire.SECOND);
  }

  /** Undone if the holder is heard from before it is committed. */
  private void end(Quiet quiet) {
    ledger.submit(
        quiet.pool(),
        new Submission(
            new Command.Silence(quiet.lease(), quiet.heardAt()),
            Actor.CLOCK,
            "",
            null,
            Map.of(),
            null,
            null,
            false,
            connection -> {
              if (!heartbeats.close(connection, quiet.lease(), quiet.heardAt())) {
                throw new Rider.Refused("its holder was heard from");
              }
            }),
        null);
  }

  @Override
  protected void plan(ScheduledExecutorService executor) {
    executor.execute(() -> keepLooking(executor));
  }

  private void keepLooking(ScheduledExecutorService executor) {
    long pause = Wire.SECOND;
    try {
      pause = look();
    } catch (RuntimeException e) {
      hearingSince = DEAF;
      LOG.warn("nobody is heard from: {}", e.toString());
    }
    if (!executor.isShutdown()) {
      executor.schedule(() -> keepLooking(executor), pause, TimeUnit.MICROSECONDS);
    }
  }
}
