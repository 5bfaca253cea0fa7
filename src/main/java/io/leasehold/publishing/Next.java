package io.leasehold.publishing;

import io.leasehold.engine.Command.Report.News;
import io.leasehold.publishing.ClusterOrder.Kind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What comes next for a claimed order. News come first: as long as the ledger has not taken them,
 * the order stays as it was.
 *
 * @param due when it is taken up again
 * @param sent when the cluster accepted it; null unless it has
 * @param fault the last failure in words
 */
record Next(
    Delivery of,
    Step step,
    Instant due,
    int failures,
    @Nullable Instant sent,
    @Nullable String fault,
    @Nullable News news) {

  enum Step {
    /** To be delivered. */
    DUE,
    /** To be looked at. */
    SENT,
    /** Left until an operator looks. */
    PARKED,
    /** Confirmed or moot: nothing is left to do. */
    DONE
  }

  /** A newer order makes this one moot. */
  static Next moot(Delivery delivery, Instant now) {
    return new Next(delivery, Step.DONE, now, 0, null, null, null);
  }

  /** What was ordered is so. */
  static Next confirmed(Delivery delivery, Instant now) {
    News news = delivery.order().kind() == Kind.PUBLISH ? News.USABLE : News.WITHDRAWN;
    return new Next(delivery, Step.DONE, now, 0, null, null, news);
  }

  /** Just accepted by the cluster, not yet true. */
  static Next accepted(Delivery delivery, Instant now, Instant due) {
    News news = delivery.order().kind() == Kind.PUBLISH ? News.ACCEPTED : null;
    return new Next(delivery, Step.SENT, due, 0, now, null, news);
  }

  /** Accepted, and what is seen of it is not believed yet. */
  static Next doubted(Delivery delivery, Instant now, Instant due) {
    return delivery.sentTime() == null ? accepted(delivery, now, due) : same(delivery, due);
  }

  static Next failed(Delivery delivery, Instant due, String fault) {
    return new Next(delivery, Step.DUE, due, delivery.failures() + 1, null, fault, null);
  }

  static Next parked(Delivery delivery, Instant now, String fault) {
    return parked(delivery, now, fault, News.PARKED);
  }

  /** Parked, unless the ledger has another place for the lease. */
  static Next noRoom(Delivery delivery, Instant now, String fault) {
    News news = delivery.order().kind() == Kind.PUBLISH ? News.NO_ROOM : News.PARKED;
    return parked(delivery, now, fault, news);
  }

  private static Next parked(Delivery delivery, Instant now, String fault, News news) {
    return new Next(delivery, Step.PARKED, now, delivery.failures() + 1, null, fault, news);
  }

  /** Nothing was learnt: the same again when due. */
  static Next same(Delivery delivery, Instant due) {
    return new Next(
        delivery,
        Step.valueOf(delivery.state().name()),
        due,
        delivery.failures(),
        delivery.sentTime(),
        null,
        null);
  }
}
