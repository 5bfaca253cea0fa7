package io.leasehold.engine;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Those from whom a request may take, the least precious first: what has not begun before what
 * runs, what is borrowed before what is guaranteed, then by class, cost, the last to start, id.
 */
final class VictimWalk {

  /**
   * How precious a lease is to who would lose it.
   *
   * @param spared it would not help against the limit that is in the way
   */
  record Rank(boolean begun, boolean spared, boolean guaranteed, int priority, Victims.Entry entry)
      implements Comparable<Rank> {

    /** As far as the kinds of leases go, without their own differences. */
    static final Comparator<Rank> BY_KIND = Rank::compareKinds;

    Rank with(Victims.Entry other) {
      return new Rank(other.begun(), spared, guaranteed, priority, other);
    }

    private int compareKinds(Rank other) {
      int order = Boolean.compare(begun, other.begun);
      if (order == 0) {
        order = Boolean.compare(spared, other.spared);
      }
      if (order == 0) {
        order = Boolean.compare(guaranteed, other.guaranteed);
      }
      return order != 0 ? order : Integer.compare(priority, other.priority);
    }

    @Override
    public int compareTo(Rank other) {
      int order = compareKinds(other);
      return order != 0 ? order : entry.compareTo(other.entry);
    }
  }

  /**
   * A lease that may be taken, and when that takes effect.
   *
   * @param most groups or GPUs that it may give and go on; 0 = it ends
   * @param given those that it gives
   */
  record Victim(
      Lease lease,
      long effectiveAt,
      long freeAt,
      Rank rank,
      Mandate.Right right,
      int most,
      List<Booking.Slot> given) {

    boolean ends() {
      return most == 0;
    }

    Victim giving(int atMost, List<Booking.Slot> parts) {
      return new Victim(lease, effectiveAt, freeAt, rank, right, atMost, parts);
    }

    /** The same lease, ended. */
    Victim ended() {
      return giving(0, List.of());
    }

    /** What is taken of it. */
    List<Booking.Slot> slots() {
      return ends() ? Objects.requireNonNull(lease.booking()).slots() : given;
    }

    /** What is taken of it, in thousandths of GPUs. */
    long milli() {
      return Objects.requireNonNull(lease.booking()).of(slots()).gpuMilli();
    }

    /** How the lease stands once that is taken. */
    Lease after(Life life, Book book, UUID by) {
      return ends()
          ? life.preempted(lease, effectiveAt, by)
          : new Surplus(book, lease).without(given, effectiveAt);
    }
  }

  /** A lot from one of its leases on. */
  private record Lane(Rank head, Victims.Lot lot, ServiceClass serviceClass, Mandate.Right right) {}

  private final Book book;
  private final Claim claim;
  private final Mandate mandate;
  private final Victims.Ground ground;
  private final PriorityQueue<Lane> lanes;

  /**
   * @param limited the tenant whose limit is in the way; null if none is
   */
  VictimWalk(Book book, Claim claim, Mandate mandate, String cluster, @Nullable String limited) {
    this.book = book;
    this.claim = claim;
    this.mandate = mandate;
    this.ground = new Victims.Ground(cluster, claim.model());
    this.lanes = new PriorityQueue<>(Comparator.comparing(Lane::head));
    for (Victims.Lot lot : book.victims().lots(ground)) {
      open(lot, limited);
    }
  }

  private VictimWalk(VictimWalk other) {
    this.book = other.book;
    this.claim = other.claim;
    this.mandate = other.mandate;
    this.ground = other.ground;
    this.lanes = new PriorityQueue<>(other.lanes);
  }

  /** The same walk from where this one stands. */
  VictimWalk again() {
    return new VictimWalk(this);
  }

  private void open(Victims.Lot lot, @Nullable String limited) {
    Mandate.Right right = mandate.over(lot);
    Victims.Entry first = book.victims().next(ground, lot, null);
    if (right != Mandate.Right.NONE && first != null && mandate.left(lot) > 0) {
      ServiceClass serviceClass = Objects.requireNonNull(book.serviceClass(lot.serviceClass()));
      boolean spared = limited != null && !book.tree().path(lot.tenant()).contains(limited);
      boolean guaranteed = !mandate.borrows(lot.tenant());
      Rank rank = new Rank(first.begun(), spared, guaranteed, serviceClass.priority(), first);
      lanes.add(new Lane(rank, lot, serviceClass, right));
    }
  }

  /** When the devices of whoever is still to come would be free at the latest. */
  long latest() {
    return lanes.stream().mapToLong(lane -> claim.freeBy(lane.serviceClass())).max().orElse(0);
  }

  /** The next that may be taken by the time it is needed; null if there is none. */
  @Nullable Victim next(Budget budget) {
    while (!lanes.isEmpty() && budget.spend()) {
      Lane lane = lanes.poll();
      Victims.Entry entry = lane.head().entry();
      Victims.Entry next = book.victims().next(ground, lane.lot(), entry);
      if (next != null) {
        lanes.add(new Lane(lane.head().with(next), lane.lot(), lane.serviceClass(), lane.right()));
      }
      Lease lease = book.lease(entry.lease());
      Victim victim = lease == null ? null : victim(lease, lane);
      if (victim != null) {
        return victim;
      }
    }
    return null;
  }

  private @Nullable Victim victim(Lease lease, Lane lane) {
    long effectiveAt = claim.endOf(lease, lane.serviceClass());
    long freeAt = claim.freeAfter(lease, lane.serviceClass());
    Disruption disruption = lane.serviceClass().disruption();
    Rank rank = lane.head();
    boolean may =
        claim.isRipe(lease, lane.serviceClass())
            && (disruption == null || !disruption.isQuiet(effectiveAt))
            && effectiveAt < Objects.requireNonNull(lease.window()).end()
            && claim.isInTheWay(lease, freeAt);
    if (!may) {
      return null;
    }
    Victim whole = new Victim(lease, effectiveAt, freeAt, rank, lane.right(), 0, List.of());
    if (rank.entry().whole()) {
      return mandate.allows(whole) ? whole : null;
    }
    Surplus surplus = new Surplus(book, lease);
    int most = mandate.mostOf(whole);
    return most > 0 ? whole.giving(most, surplus.any(most)) : null;
  }
}
