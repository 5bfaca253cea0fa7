package io.leasehold.publishing;

import io.leasehold.publishing.Cluster.Presence;
import io.leasehold.publishing.Cluster.Receipt;
import io.leasehold.publishing.Cluster.Sighting;
import io.leasehold.publishing.ClusterOrder.Kind;
import java.time.Duration;
import java.time.Instant;

/**
 * What a receipt or a sighting means for an order. "Gone" is done, "unknown" is not failed; too
 * many failures park the order.
 *
 * @param resend an order that was accepted and of which nothing is seen so long is delivered again
 * @param park failures after which an order is parked
 */
record Rules(Backoff backoff, Duration resend, int park) {

  private static final Duration FIRST_LOOK = Duration.ofMillis(200);
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(10);

  /** For every receipt but {@code ACCEPTED}, after which a look decides. */
  Next afterReceipt(Delivery delivery, Receipt receipt, Instant now) {
    return switch (receipt) {
      case ACCEPTED -> Next.accepted(delivery, now, now.plus(FIRST_LOOK));
      case LATER -> failed(delivery, now, "The cluster asks to try again later");
      case NO_ROOM -> noRoom(failed(delivery, now, "The cluster finds no room on its nodes"));
      case OVERTAKEN -> failed(delivery, now, "The cluster has seen a newer fence for this lease");
      case REJECTED -> Next.parked(delivery, now, "The cluster rejects this order");
    };
  }

  private static Next noRoom(Next failed) {
    return failed.step() == Next.Step.PARKED
        ? Next.noRoom(failed.of(), failed.due(), String.valueOf(failed.fault()))
        : failed;
  }

  private Next failed(Delivery delivery, Instant now, String fault) {
    return delivery.failures() + 1 >= park
        ? Next.parked(delivery, now, fault)
        : Next.failed(delivery, now.plus(backoff.after(delivery.failures())), fault);
  }

  /** For an order that was accepted, now or before. */
  Next afterSighting(Delivery delivery, Sighting seen, Instant now) {
    if (isTrue(delivery.order(), seen)) {
      return Next.confirmed(delivery, now);
    }
    Instant sent = delivery.sentTime();
    if (sent == null) {
      return Next.accepted(delivery, now, now.plus(FIRST_LOOK));
    }
    Duration waited = Duration.between(sent, now);
    if (!isUnderWay(delivery.order(), seen) && waited.compareTo(resend) >= 0) {
      return failed(delivery, now, "Accepted, but the cluster shows nothing of it");
    }
    return Next.same(delivery, now.plus(pause(waited)));
  }

  private static boolean isTrue(ClusterOrder order, Sighting seen) {
    return switch (order.kind()) {
      case PUBLISH -> seen.presence() == Presence.USABLE && seen.generation() == order.generation();
      case WITHDRAW -> seen.presence() == Presence.ABSENT;
    };
  }

  private static boolean isUnderWay(ClusterOrder order, Sighting seen) {
    return seen.generation() == order.generation()
        && seen.presence() == (order.kind() == Kind.PUBLISH ? Presence.PENDING : Presence.LEAVING);
  }

  /** A fifth of the time already waited. */
  private static Duration pause(Duration waited) {
    Duration pause = waited.dividedBy(5);
    if (pause.compareTo(FIRST_LOOK) < 0) {
      return FIRST_LOOK;
    }
    return pause.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : pause;
  }
}
