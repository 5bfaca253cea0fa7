package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which leases would end so that a claim fits, tried on the book and taken back: none that is not
 * needed, and nobody below a guarantee.
 *
 * @param claimant whose claim it is
 * @param victims the least precious first
 * @param fits what the claim then has
 */
record Toll(UUID claimant, List<VictimWalk.Victim> victims, Attempt.Fits fits)
    implements Comparable<Toll> {

  /** The least precious, then the fewest, then the smallest, then the cheapest. */
  private static final Comparator<Toll> ORDER =
      Comparator.comparing(Toll::mostPrecious, VictimWalk.Rank.BY_KIND)
          .thenComparingInt(toll -> toll.victims.size())
          .thenComparingLong(Toll::milli)
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

  /** What the victims have, in thousandths of GPUs. */
  long milli() {
    return victims.stream().mapToLong(each -> each.lease().booking().gpuMilli()).sum();
  }

  private long cost() {
    return victims.stream().mapToLong(each -> each.lease().ask().preemptionCost()).sum();
  }

  /** Ends victims tentatively until a claim fits, then puts back who is not needed. */
  static final class Trial {

    private static final List<VictimWalk.Victim> NOBODY = List.of();

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
      Attempt.Fits fits = underLimits(more, sum) ? claim.place(start()) : null;
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
      boolean may =
          isInBudget(victim)
              && mandate.allows(victim.lease(), victim.effectiveAt())
              && isAllowedLater(victim)
              && budget.spend();
      if (may) {
        book.suppose(life.preempted(victim.lease(), victim.effectiveAt()));
        taken.add(victim);
      }
      return may;
    }

    /** Where others end after it, nobody falls below a guarantee then either. */
    private boolean isAllowedLater(VictimWalk.Victim victim) {
      long end = Objects.requireNonNull(victim.lease().window()).end();
      return taken.stream()
          .mapToLong(VictimWalk.Victim::effectiveAt)
          .filter(at -> at > victim.effectiveAt() && at < end)
          .distinct()
          .allMatch(at -> mandate.allows(victim.lease(), at));
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
      UUID claimant = claim.terms().ask().lease();
      return taken.isEmpty() ? null : new Toll(claimant, List.copyOf(taken), fits);
    }

    /** What the claim has if a victim stays; null if that is nothing, and it does not stay. */
    private Attempt.@Nullable Fits without(VictimWalk.Victim victim) {
      int at = taken.indexOf(victim);
      taken.remove(at);
      book.suppose(victim.lease());
      Attempt.Fits fits = budget.spend() ? claim.place(start()) : null;
      if (fits == null) {
        book.suppose(life.preempted(victim.lease(), victim.effectiveAt()));
        taken.add(at, victim);
      }
      return fits;
    }
  }
}
