package io.leasehold.publishing;

import io.leasehold.engine.Command.Report;
import io.leasehold.engine.Command.Report.News;
import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import io.leasehold.publishing.Delivery.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a cluster differs from what is wanted. Orders that are being delivered are no drift;
 * nothing that is missing ends a lease.
 *
 * @param missing live leases whose newest order the cluster shows nothing of: to be delivered again
 * @param strangers what the cluster has and no live lease wants
 * @param ahead how many objects bear a newer fence than we ever ordered: left alone
 * @param settled parked orders that came true meanwhile, with the news
 */
record Drift(List<UUID> missing, List<Sighting> strangers, int ahead, List<Report> settled) {

  /**
   * A live lease's newest order.
   *
   * @param delivery how far it is; null when it was confirmed
   * @param active the cluster has shown it usable
   */
  record Wanted(
      UUID lease, int epoch, int generation, Kind kind, @Nullable State delivery, boolean active) {

    boolean isBeingDelivered() {
      return delivery == State.DUE || delivery == State.SENT;
    }

    boolean isParked() {
      return delivery == State.PARKED;
    }
  }

  /**
   * @param epoch the pool's: nothing newer was ever ordered
   */
  static Drift between(Map<UUID, Wanted> wanted, Map<UUID, Sighting> seen, int epoch) {
    List<UUID> missing = new ArrayList<>();
    List<Report> settled = new ArrayList<>();
    int ahead = 0;
    for (Wanted want : wanted.values()) {
      Sighting sighting = seen.getOrDefault(want.lease(), Sighting.absent(want.lease()));
      if (want.isBeingDelivered()) {
        continue;
      }
      boolean agrees = agrees(want, sighting);
      if (isAhead(sighting, want)) {
        ahead++;
      } else if (agrees && want.isParked()) {
        settled.add(new Report(want.lease(), want.generation(), news(want.kind())));
      } else if (!want.isParked() && (!agrees || want.kind() == Kind.WITHDRAW)) {
        missing.add(want.lease());
      }
    }
    List<Sighting> strangers = new ArrayList<>();
    for (Sighting sighting : seen.values()) {
      if (!wanted.containsKey(sighting.lease()) && sighting.presence() != Presence.LEAVING) {
        if (sighting.epoch() > epoch) {
          ahead++;
        } else {
          strangers.add(sighting);
        }
      }
    }
    return new Drift(missing, strangers, ahead, settled);
  }

  private static boolean agrees(Wanted want, Sighting seen) {
    return switch (want.kind()) {
      case PUBLISH -> seen.generation() == want.generation() && seen.presence() != Presence.ABSENT;
      case WITHDRAW -> seen.presence() == Presence.ABSENT;
    };
  }

  private static boolean isAhead(Sighting seen, Wanted want) {
    return seen.presence() != Presence.ABSENT
        && (seen.epoch() > want.epoch()
            || seen.epoch() == want.epoch() && seen.generation() > want.generation());
  }

  private static News news(Kind kind) {
    return kind == Kind.PUBLISH ? News.USABLE : News.WITHDRAWN;
  }
}
