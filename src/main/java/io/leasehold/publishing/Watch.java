package io.leasehold.publishing;

import io.leasehold.engine.Command;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import io.leasehold.publishing.Clusters.Registered;
import io.leasehold.publishing.Standings.Pause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses the admissions of a cluster whose inventory is stale, and of no other, and takes them up
 * again when it is back. No lease is touched. What an operator has paused stays so.
 */
final class Watch {

  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final Standings standings;
  private final Reports.Desk desk;
  private final Duration steady;

  Watch(Standings standings, Reports.Desk desk, Duration steady) {
    this.standings = standings;
    this.desk = desk;
    this.steady = steady;
  }

  /**
   * Notes a look and tells how the cluster stands after it.
   *
   * @param sound whether the look can be relied on
   */
  Standing note(Registered cluster, boolean sound, Instant now) {
    Standing before = standings.of(cluster.slug());
    Standing after = before.after(sound, now, steady);
    if (!after.equals(before)) {
      standings.write(cluster.slug(), after, now);
    }
    if (after.stale() && !before.stale()) {
      LOG.error(
          "The inventory of cluster {} is stale: away, or empty though leases are active there;"
              + " nothing new is placed there until it is back",
          cluster.slug());
    } else if (before.stale() && !after.stale()) {
      LOG.info("The inventory of cluster {} can be relied on again", cluster.slug());
    }
    agree(cluster, after.stale());
    return after;
  }

  /** Said at each look, so that nothing that got lost or was overruled stays so. */
  private void agree(Registered cluster, boolean stale) {
    Pause pause = standings.pause(cluster);
    boolean wanted = stale || pause.byOperator();
    if (pause.paused() == wanted) {
      return;
    }
    Rider rider =
        connection -> {
          if (Standings.isPausedByOperator(connection, cluster.slug()) != pause.byOperator()) {
            throw new Rider.Refused("an operator changed cluster " + cluster.slug());
          }
        };
    Submission submission =
        new Submission(
            new Command.SetCluster(cluster.slug(), wanted),
            Actor.CLUSTER,
            UUID.randomUUID().toString().replace("-", ""),
            "cluster:" + cluster.slug(),
            Map.of(),
            null,
            null,
            false,
            rider);
    Outcome outcome = desk.submitAll(cluster.pool(), List.of(submission)).getFirst();
    if (!(outcome instanceof Outcome.Committed)) {
      LOG.warn(
          "Cluster {} could not be set paused={} and is tried again: {}",
          cluster.slug(),
          wanted,
          outcome);
    }
  }
}
