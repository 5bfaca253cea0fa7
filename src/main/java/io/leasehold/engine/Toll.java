package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which leases would end, or give of their surplus, so that a claim fits, tried on the book and
 * taken back: none that is not needed, and nobody below a guarantee.
 *
 * @param claimant whose claim it is
 * @param victims the least precious first
 * @param fits what the claim then has
 */
record Toll(UUID claimant, List<VictimWalk.Victim> victims, Attempt.Fits fits)
    implements Comparable<Toll> {

  /**
   * The least precious, then the fewest that end, then the fewest GPUs lost, then the fewest leases
   * that lose any, then the cheapest.
   */
  private static final Comparator<Toll> ORDER =
      Comparator.comparing(Toll::mostPrecious, VictimWalk.Rank.BY_KIND)
          .thenComparingLong(Toll::ended)
          .thenComparingLong(Toll::milli)
          .thenComparingInt(toll -> toll.victims.size())
          .thenComparingLong(Toll::cost);

  @Override
  public int compareTo(Toll other) {
    return ORDER.compare(this, other);
  }

  /** Whether whatever this one is needed for ends somebody more precious. */
  boolean isCheaperThanAny(VictimWalk.Victim victim) {
    return VictimWalk.Rank.BY_KIND.compare(mostPrecious(), victim.rank()) < 0;
  }

  /** Whether it is one lease, no larger than what is needed: of its kind none is better. */
  boolean isExact(long need) {
    return victims.size() == 1 && milli() <= need;
  }

  /** Without those for whom there is another place. */
  Toll without(Set<UUID> others) {
    return new Toll(
        claimant,
        victims.stream().filter(victim -> !others.contains(victim.lease().id())).toList(),
        fits);
  }

  private VictimWalk.Rank mostPrecious() {
    return victims.getLast().rank();
  }

  /** How many leases end; the others give of their surplus. */
  long ended() {
    return victims.stream().filter(VictimWalk.Victim::ends).count();
  }

  /** What the victims lose, in thousandths of GPUs. */
  long milli() {
    return victims.stream().mapToLong(VictimWalk.Victim::milli).sum();
  }

  private long cost() {
    return victims.stream().mapToLong(each -> each.lease().ask().preemptionCost()).sum();
  }

  /**
   * Ends victims tentatively until a claim fits, then puts back who is not needed, and what of
   * surplus is not.
   */
  static final class Trial {

    private static final List<VictimWalk.Victim> NOBODY = List.of();

    private static final List<Booking.Slot> NOTHING = List.of();

    /** So many parts of what a gang gives are put back one by one. */
    private static final int MOST_PARTS = 32;

    private final Book book;
    private final Life life;
    private final Claim claim;
    private final Mandate mandate;
    private final Budget budget;
    private final List<VictimWalk.Victim> taken = new ArrayList<>();

    Trial(Book book, Life life, Claim claim, Mandate mandate, Budget budget) {
      this.book = book;
      this.life = life;
      this.claim = claim;
      this.mandate = mandate;
      this.budget = budget;
    }

    /**
     * Null if that is not enough. Leaves the book as it was.
     *
     * @param more where a limit is in the way: who else is under it
     */
    @Nullable Toll of(List<VictimWalk.Victim> victims, VictimWalk more, Clearing.Sum sum) {
      int mark = book.mark();
      victims.stream().filter(victim -> !take(victim)).forEach(sum::mayDoWithout);
      Attempt.Fits fits = underLimits(more, sum) ? place() : null;
      Toll toll = fits == null || !isByRight(fits) ? null : leastOf(fits, sum);
      book.undo(mark);
      return toll;
    }

    /** Who reclaims is inside its guarantee in the end. */
    private boolean isByRight(Attempt.Fits fits) {
      return fits.guaranteed()
          || taken.stream().noneMatch(each -> each.right() == Mandate.Right.GUARANTEE);
    }

    private boolean take(VictimWalk.Victim victim) {
      VictimWalk.Victim has = takenOf(victim.lease());
      if (has != null) {
        return has.most() > 0 && victim.ends() && takeAll(has);
      }
      boolean may = isInBudget(victim) && isAllowed(victim) && budget.spend();
      if (may) {
        suppose(victim);
        taken.add(victim);
      }
      return may;
    }

    /** Nobody falls below a guarantee, where others end after it not then either. */
    private boolean isAllowed(VictimWalk.Victim victim) {
      long end = Objects.requireNonNull(victim.lease().window()).end();
      return mandate.allows(victim)
          && taken.stream()
              .mapToLong(VictimWalk.Victim::effectiveAt)
              .filter(at -> at > victim.effectiveAt() && at < end)
              .distinct()
              .allMatch(at -> mandate.spare(victim.lease(), at) >= victim.milli());
    }

    private VictimWalk.@Nullable Victim takenOf(Lease lease) {
      return taken.stream()
          .filter(each -> each.lease().id().equals(lease.id()))
          .findAny()
          .orElse(null);
    }

    /** Its surplus was not enough. */
    private boolean takeAll(VictimWalk.Victim has) {
      book.suppose(has.lease());
      VictimWalk.Victim all = isAllowed(has.ended()) && budget.spend() ? has.ended() : has;
      taken.set(taken.indexOf(has), all);
      suppose(all);
      return all != has;
    }

    private void suppose(VictimWalk.Victim victim) {
      book.suppose(victim.after(life, book, claim.terms().ask().lease()));
    }

    private boolean isInBudget(VictimWalk.Victim victim) {
      Victims.Lot lot = Victims.Lot.of(victim.lease());
      int left = mandate.left(lot);
      return left == Disruption.ANY
          || taken.stream().filter(each -> Victims.Lot.of(each.lease()).equals(lot)).count() < left;
    }

    private boolean underLimits(VictimWalk more, Clearing.Sum sum) {
      while (start() <= claim.lastHoldStart()
          && claim.standing(start()) instanceof Limits.Standing.Over over) {
        VictimWalk.Victim victim = more.next(budget);
        if (victim == null) {
          return false;
        }
        boolean helps = book.tree().path(victim.lease().ask().tenant()).contains(over.tenant());
        if (helps && take(victim)) {
          sum.spill();
        }
      }
      return true;
    }

    /**
     * As soon as all of them are gone. What others withdraw may be free a little later, by when
     * those who run would be gone: nobody else ends to wait for that.
     */
    private Attempt.@Nullable Fits place() {
      Attempt.Fits fits = claim.place(start());
      return fits != null || start() >= claim.soon() ? fits : claim.place(claim.soon());
    }

    private long start() {
      long start = claim.holdStart();
      for (VictimWalk.Victim victim : taken) {
        start = Math.max(start, victim.freeAt());
      }
      return start <= claim.holdStart() ? start : Time.roundUp(start);
    }

    /** The most precious are put back first. */
    private @Nullable Toll leastOf(Attempt.Fits all, Clearing.Sum sum) {
      Attempt.Fits fits = all;
      taken.sort(Comparator.comparing(VictimWalk.Victim::rank));
      boolean single = taken.size() == 1;
      for (VictimWalk.Victim victim : single ? NOBODY : List.copyOf(taken).reversed()) {
        Attempt.Fits without = sum.mayDoWithout(victim) ? without(victim) : null;
        if (without == null) {
          sum.restore(victim);
        } else {
          fits = without;
        }
      }
      for (VictimWalk.Victim victim : List.copyOf(taken).reversed()) {
        fits = withLess(victim, fits);
      }
      UUID claimant = claim.terms().ask().lease();
      return taken.isEmpty() ? null : new Toll(claimant, List.copyOf(taken), fits);
    }

    /** What the claim has if a victim stays; null if that is nothing, and it does not stay. */
    private Attempt.@Nullable Fits without(VictimWalk.Victim victim) {
      int at = taken.indexOf(victim);
      taken.remove(at);
      book.suppose(victim.lease());
      Attempt.Fits fits = fits();
      if (fits == null) {
        suppose(victim);
        taken.add(at, victim);
      }
      return fits;
    }

    private Attempt.@Nullable Fits fits() {
      Attempt.Fits fits = budget.spend() ? place() : null;
      return fits != null && isByRight(fits) ? fits : null;
    }

    /**
     * A gang gives what lies under the claim, where it can do without that; then less, part by
     * part.
     */
    private Attempt.Fits withLess(VictimWalk.Victim victim, Attempt.Fits all) {
      int most = victim.ends() ? mandate.surplusOf(victim) : victim.given().size();
      if (most == 0) {
        return all;
      }
      List<Booking.Slot> under = new Surplus(book, victim.lease()).under(all.booking());
      Attempt.Fits fits = all;
      if (!under.isEmpty() && under.size() <= most) {
        fits = instead(victim, victim.giving(most, under), fits);
      }
      List<Booking.Slot> given = takenOf(victim.lease()).given();
      for (Booking.Slot part : given.size() > MOST_PARTS ? NOTHING : given) {
        VictimWalk.Victim now = takenOf(victim.lease());
        List<Booking.Slot> rest = now.given().stream().filter(each -> each != part).toList();
        fits = rest.isEmpty() ? fits : instead(now, now.giving(most, rest), fits);
      }
      return fits;
    }

    /** A gang gives something else, where the claim has room then. */
    private Attempt.Fits instead(
        VictimWalk.Victim was, VictimWalk.Victim is, Attempt.Fits otherwise) {
      taken.set(taken.indexOf(was), is);
      suppose(is);
      Attempt.Fits fits = fits();
      if (fits == null) {
        taken.set(taken.indexOf(is), was);
        suppose(was);
      }
      return fits == null ? otherwise : fits;
    }
  }
}
