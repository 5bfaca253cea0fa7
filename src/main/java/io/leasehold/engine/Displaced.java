package io.leasehold.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Planned leases that would have to go, bound elsewhere where that lets them keep their windows
 * (engine rules 11 and 14): the most precious first, and no more of them than a decision may move.
 */
final class Displaced {

  private static final int MOST = 8;

  private final Book book;
  private final Life life;
  private final long now;

  Displaced(Book book, Life life, long now) {
    this.book = book;
    this.life = life;
    this.now = now;
  }

  /** Their new bookings. Leaves in the book what then would be taken: to be undone. */
  Map<UUID, Booking> by(Toll toll, Claim claim) {
    List<VictimWalk.Victim> planned =
        toll.victims().reversed().stream()
            .filter(victim -> victim.lease().state() == LeaseState.PLANNED)
            .limit(MOST)
            .toList();
    Map<UUID, Booking> elsewhere = new LinkedHashMap<>();
    if (planned.isEmpty()) {
      return elsewhere;
    }
    toll.victims().forEach(victim -> book.suppose(victim.after(life, book, toll.claimant())));
    book.capacity().take(toll.claimant(), toll.fits().booking());
    for (VictimWalk.Victim victim : planned) {
      Lease lease = victim.lease();
      book.suppose(life.preempted(lease, now, toll.claimant()));
      if (elsewhere(lease) instanceof Found.Room room && keeps(lease, room, toll, claim)) {
        elsewhere.put(lease.id(), room.booking());
      } else {
        book.suppose(victim.after(life, book, toll.claimant()));
      }
    }
    return elsewhere;
  }

  /** Unless the limits let the claim in only without it. */
  private boolean keeps(Lease lease, Found.Room room, Toll toll, Claim claim) {
    book.suppose(Draft.of(lease).booking(room.booking()).lease());
    Limits.Standing standing = claim.standing(toll.fits().booking().hold().start());
    return toll.fits().guaranteed()
        ? standing == Limits.GUARANTEED
        : !(standing instanceof Limits.Standing.Over);
  }

  private Found elsewhere(Lease lease) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span hold = booking.hold();
    return hold.start() <= now
        ? new Found.GaveUp()
        : book.capacity()
            .place(lease.ask().shape(), booking.model(), hold, now, new Budget(Search.STEPS));
  }
}
