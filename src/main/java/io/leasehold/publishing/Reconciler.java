package io.leasehold.publishing;

import io.leasehold.engine.Booking;
import io.leasehold.engine.Command.Report;
import io.leasehold.engine.Span;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Clusters.Registered;
import io.leasehold.publishing.Drift.Wanted;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what a cluster has with what is wanted, and orders what is missing again. What is marked
 * as ours and belongs to no live lease is withdrawn: at once if an end ordered it, else at most so
 * many in ten minutes. Foreign objects are never seen here, since adapters show only ours.
 */
final class Reconciler {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  /** Deliveries that one comparison makes due at most. */
  private static final int AGAIN_AT_MOST = 1000;

  /** In the time that a cluster in doubt has to be steady. */
  private static final int LOOKS_IN_DOUBT = 3;

  private static final int ORPHANS_AT_LEAST = 10;
  private static final int ORPHANS_PER_CENT = 5;
  private static final long ORPHAN_GRACE_SECONDS = 30;

  private final PublishingSettings settings;
  private final Clusters clusters;
  private final Comparisons comparisons;
  private final Deliveries deliveries;
  private final Reports reports;
  private final DeliveryMetrics metrics;
  private final Watch watch;

  Reconciler(
      PublishingSettings settings,
      Clusters clusters,
      Comparisons comparisons,
      Deliveries deliveries,
      Reports reports,
      DeliveryMetrics metrics,
      Watch watch) {
    this.settings = settings;
    this.clusters = clusters;
    this.comparisons = comparisons;
    this.deliveries = deliveries;
    this.reports = reports;
    this.metrics = metrics;
    this.watch = watch;
  }

  /** Does it if it is this replica's turn. */
  void compareIfDue(Registered cluster, Instant now) {
    if (comparisons.take(cluster.slug(), now, settings.compare())) {
      try {
        compare(cluster, now);
      } catch (ClusterAway away) {
        metrics.away(cluster.slug());
        note(cluster, false, now);
      }
    }
  }

  /**
   * Wanted is read before and after the look: only what was so both times counts, so that an order
   * that is carried out meanwhile is no drift. A cluster that shows nothing though leases are
   * active there is not believed at once.
   */
  private void compare(Registered cluster, Instant now) {
    Courier courier = new Courier(clusters.port(cluster), settings.deadline());
    Map<UUID, Wanted> before = comparisons.wanted(cluster);
    Map<UUID, Sighting> seen = courier.lookAtAll();
    Map<UUID, Wanted> after = comparisons.wanted(cluster);
    int epoch = comparisons.poolEpoch(cluster.pool());
    Map<UUID, Wanted> steady = steady(before, after);
    boolean sound = !seen.isEmpty() || steady.values().stream().noneMatch(Wanted::active);
    Standing standing = note(cluster, sound, now);
    Drift drift = Drift.between(steady, without(seen, before, after), epoch);
    again(cluster, "missing", drift.missing(), now);
    if (sound || standing.stale()) {
      settle(cluster, drift.settled());
    }
    Set<UUID> ended = orderedOut(cluster, drift.strangers(), now);
    List<Sighting> orphans =
        drift.strangers().stream().filter(other -> !ended.contains(other.lease())).toList();
    if (!orphans.isEmpty()) {
      withdraw(cluster, courier, orphans, seen.size(), epoch, now);
    }
    if (drift.ahead() > 0) {
      metrics.drifted(cluster.slug(), "ahead", drift.ahead());
      LOG.error(
          "Cluster {} has {} objects of a newer fence than was ever ordered (an older database was"
              + " restored?); they are left alone",
          cluster.slug(),
          drift.ahead());
    }
  }

  /** A cluster in doubt is looked at again soon. */
  private Standing note(Registered cluster, boolean sound, Instant now) {
    Standing standing = watch.note(cluster, sound, now);
    if (!standing.isSettled()) {
      comparisons.hurry(cluster.slug(), now.plus(settings.steady().dividedBy(LOOKS_IN_DOUBT)));
    }
    return standing;
  }

  private static Map<UUID, Wanted> steady(Map<UUID, Wanted> before, Map<UUID, Wanted> after) {
    return before.values().stream()
        .filter(want -> want.equals(after.get(want.lease())))
        .collect(Collectors.toMap(Wanted::lease, want -> want));
  }

  /** Without the sightings of leases that came, changed or went during the look. */
  private static Map<UUID, Sighting> without(
      Map<UUID, Sighting> seen, Map<UUID, Wanted> before, Map<UUID, Wanted> after) {
    return seen.values().stream()
        .filter(
            sighting -> Objects.equals(before.get(sighting.lease()), after.get(sighting.lease())))
        .collect(Collectors.toMap(Sighting::lease, sighting -> sighting));
  }

  private void again(Registered cluster, String kind, List<UUID> leases, Instant now) {
    if (!leases.isEmpty()) {
      metrics.drifted(cluster.slug(), kind, leases.size());
      deliveries.again(leases.stream().limit(AGAIN_AT_MOST).toList(), now);
    }
  }

  private void settle(Registered cluster, List<Report> news) {
    List<Boolean> taken = reports.submit(cluster.pool(), news);
    deliveries.forget(
        IntStream.range(0, news.size()).filter(taken::get).mapToObj(news::get).toList());
  }

  /** What an end has ordered out and is there still, or again: ordered out once more. */
  private Set<UUID> orderedOut(Registered cluster, List<Sighting> strangers, Instant now) {
    Set<UUID> ended =
        comparisons.orderedOut(cluster.slug(), strangers.stream().map(Sighting::lease).toList());
    again(cluster, "lingering", List.copyOf(ended), now);
    return ended;
  }

  private void withdraw(
      Registered cluster,
      Courier courier,
      List<Sighting> orphans,
      int ours,
      int epoch,
      Instant now) {
    metrics.drifted(cluster.slug(), "orphan", orphans.size());
    int allowed =
        Math.max(ORPHANS_AT_LEAST, ours * ORPHANS_PER_CENT / 100)
            - comparisons.orphansWithdrawn(cluster.slug(), now);
    List<Sighting> chosen = orphans.stream().limit(Math.max(0, allowed)).toList();
    LOG.warn(
        "Cluster {} has {} objects of ours that nobody ordered; {} are withdrawn now",
        cluster.slug(),
        orphans.size(),
        chosen.size());
    comparisons.countOrphans(cluster.slug(), chosen, now);
    courier.deliver(chosen.stream().map(o -> withdrawal(cluster.slug(), o, epoch)).toList());
  }

  private static ClusterOrder withdrawal(String cluster, Sighting orphan, int epoch) {
    return new ClusterOrder(
        orphan.lease(),
        orphan.generation() + 1,
        epoch,
        Kind.WITHDRAW,
        cluster,
        new Booking(cluster, "", new Span(0, Span.FOREVER), List.of()),
        ORPHAN_GRACE_SECONDS);
  }
}
