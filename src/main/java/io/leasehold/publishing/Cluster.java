package io.leasehold.publishing;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The adapter port: one cluster, made to agree with orders. Every call has a deadline and may be
 * repeated; the same order again is done again without harm. Only what is marked as ours is
 * touched. An order of an older fence than the cluster has seen for the lease is refused, never
 * applied. A cluster that can not be reached throws {@link ClusterAway}; that tells nothing about
 * any lease.
 */
public interface Cluster {

  /**
   * Makes the orders true, or begins to.
   *
   * @param orders in the order in which they take effect
   * @return one receipt for each order, in the same order
   */
  List<Receipt> deliver(List<ClusterOrder> orders);

  /** What the cluster has of these leases; those it knows nothing of are {@code ABSENT}. */
  List<Sighting> look(Collection<UUID> leases);

  /** Every lease that is marked as ours here. */
  List<Sighting> lookAtAll();

  /** What an adapter answers to an order. */
  enum Receipt {
    /** Taken; it will be true. */
    ACCEPTED,
    /** A newer fence was seen: this order is history. */
    OVERTAKEN,
    /** Not now: try again later. */
    LATER,
    /** Not now, since there is no room where it shall be: try again later. */
    NO_ROOM,
    /** Never as it stands: needs an operator. */
    REJECTED
  }

  /** What a cluster has of a lease. */
  record Sighting(UUID lease, int epoch, int generation, Presence presence) {

    /** The cluster knows nothing of the lease. */
    public static Sighting absent(UUID lease) {
      return new Sighting(lease, 0, 0, Presence.ABSENT);
    }
  }

  /** How far something of ours has come in a cluster. */
  enum Presence {
    ABSENT,
    PENDING,
    USABLE,
    LEAVING
  }
}
