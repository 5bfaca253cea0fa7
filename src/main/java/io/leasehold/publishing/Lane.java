package io.leasehold.publishing;

import io.leasehold.engine.Booking.Slot;
import io.leasehold.engine.Command.Report;
import io.leasehold.engine.Command.Report.News;
import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Delivery.State;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One cluster's orders, a round at a time: claim what is due, deliver it, look at it, report the
 * news, settle. A cluster that is away pauses its own orders and nothing else.
 */
final class Lane {

  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);
  private static final Duration LEDGER_PAUSE = Duration.ofSeconds(1);

  /** Active leases that are looked at where all else is gone. */
  private static final int WITNESSES = 5;

  private static final int SEVERAL = 2;

  private final String cluster;
  private final PublishingSettings settings;
  private final Deliveries deliveries;
  private final Rules rules;
  private final Reports reports;
  private final Quarantine quarantine;
  private final DeliveryMetrics metrics;
  private final InstantSource clock;
  private int absences;
  private @Nullable Instant emptySince;

  Lane(
      String cluster,
      PublishingSettings settings,
      Deliveries deliveries,
      Rules rules,
      Reports reports,
      Quarantine quarantine,
      DeliveryMetrics metrics,
      InstantSource clock) {
    this.cluster = cluster;
    this.settings = settings;
    this.deliveries = deliveries;
    this.rules = rules;
    this.reports = reports;
    this.quarantine = quarantine;
    this.metrics = metrics;
    this.clock = clock;
  }

  /**
   * One round; tells how many orders were claimed.
   *
   * @param port opens the cluster, or finds it away
   */
  int round(Supplier<Cluster> port) {
    Instant now = clock.instant();
    List<Delivery> claimed = deliveries.claim(cluster, now, settings.claim(), settings.batch());
    if (!claimed.isEmpty()) {
      deliveries.settle(carry(claimed, port, now), now);
    }
    return claimed.size();
  }

  private List<Next> carry(List<Delivery> claimed, Supplier<Cluster> port, Instant now) {
    try {
      List<Next> next = meet(claimed, new Courier(port.get(), settings.deadline()), now);
      if (absences > 0) {
        LOG.info("Cluster {} is back", cluster);
        absences = 0;
      }
      return report(next, now);
    } catch (ClusterAway away) {
      if (absences == 0) {
        LOG.warn("Cluster {} is away, its orders wait: {}", cluster, away.getMessage());
      }
      metrics.away(cluster);
      Instant back = now.plus(rules.backoff().after(absences++));
      return claimed.stream().map(delivery -> Next.same(delivery, back)).toList();
    }
  }

  /** Delivers what is due and looks at what was accepted, now or before. */
  private List<Next> meet(List<Delivery> claimed, Courier courier, Instant now) {
    List<Next> next = new ArrayList<>(claimed.size());
    List<Delivery> due = new ArrayList<>();
    List<Delivery> accepted = new ArrayList<>();
    for (Delivery delivery : claimed) {
      if (delivery.superseded()) {
        next.add(Next.moot(delivery, now));
      } else if (!delivery.readable()) {
        next.add(Next.parked(delivery, now, "The order's row can not be read"));
      } else if (delivery.state() == State.DUE) {
        due.add(delivery);
      } else {
        accepted.add(delivery);
      }
    }
    List<Receipt> receipts = courier.deliver(due.stream().map(Delivery::order).toList());
    for (int i = 0; i < due.size(); i++) {
      metrics.delivered(cluster, due.get(i).order().kind(), receipts.get(i));
      if (receipts.get(i) == Receipt.ACCEPTED) {
        accepted.add(due.get(i));
      } else {
        Next step = rules.afterReceipt(due.get(i), receipts.get(i), now);
        next.add(step);
        if (receipts.get(i) == Receipt.NO_ROOM && step.step() == Next.Step.PARKED) {
          takeOut(due.get(i));
        }
      }
    }
    Map<UUID, Sighting> seen = courier.look(accepted.stream().map(Delivery::lease).toList());
    Instant doubtful = doubtfulUntil(accepted, seen.values(), courier, now);
    for (Delivery delivery : accepted) {
      Sighting sighting = seen.getOrDefault(delivery.lease(), Sighting.absent(delivery.lease()));
      Next step = rules.afterSighting(delivery, sighting, now);
      next.add(
          doubtful != null && step.news() == News.WITHDRAWN
              ? Next.doubted(delivery, now, doubtful)
              : step);
    }
    return next;
  }

  /** Of an order for several nodes nobody knows which has no room. */
  private void takeOut(Delivery parked) {
    List<UUID> nodes = parked.order().wanted().slots().stream().map(Slot::node).distinct().toList();
    if (nodes.size() == 1) {
      quarantine.take(parked.pool(), nodes.getFirst());
    }
  }

  /**
   * Until when "gone" is not believed; null where it is. A cluster that shows nothing of what ended
   * nor of what is active gets a second look after a while.
   */
  private @Nullable Instant doubtfulUntil(
      List<Delivery> accepted, Collection<Sighting> seen, Courier courier, Instant now) {
    if (accepted.stream().noneMatch(delivery -> delivery.order().kind() == Kind.WITHDRAW)) {
      return null;
    }
    if (!areAllAbsent(seen) || !showsNothingActive(accepted.getFirst().pool(), courier)) {
      emptySince = null;
      return null;
    }
    if (emptySince == null) {
      LOG.warn("Cluster {} shows nothing though leases are active there", cluster);
      emptySince = now;
    }
    Instant until = emptySince.plus(settings.steady());
    return now.isBefore(until) ? until : null;
  }

  /** Counted after the look, since a lease that ended meanwhile may rightly be gone. */
  private boolean showsNothingActive(String pool, Courier courier) {
    List<UUID> active = deliveries.someActive(pool, cluster, WITNESSES);
    return active.size() >= SEVERAL
        && areAllAbsent(courier.look(active).values())
        && deliveries.countActive(active) >= SEVERAL;
  }

  private static boolean areAllAbsent(Collection<Sighting> seen) {
    return seen.stream().allMatch(sighting -> sighting.presence() == Presence.ABSENT);
  }

  /** Hands in the news; where the ledger could not take them, the order stays as it was. */
  private List<Next> report(List<Next> next, Instant now) {
    List<Next> news = next.stream().filter(step -> step.news() != null).toList();
    if (news.isEmpty()) {
      return next;
    }
    List<Boolean> taken =
        reports.submit(
            news.getFirst().of().pool(),
            news.stream()
                .map(
                    step ->
                        new Report(step.of().lease(), step.of().order().generation(), step.news()))
                .toList());
    List<Next> told = new ArrayList<>(next.stream().filter(step -> step.news() == null).toList());
    for (int i = 0; i < news.size(); i++) {
      told.add(taken.get(i) ? news.get(i) : Next.same(news.get(i).of(), now.plus(LEDGER_PAUSE)));
    }
    return told;
  }
}
