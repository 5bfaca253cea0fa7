package io.leasehold.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The search for victims in one cluster: from the least precious on, until some domain has room;
 * then a little further, for one where fewer or cheaper ones do.
 */
final class Hunt {

  private static final long STEPS = 20_000;
  private static final int MOST_DOMAINS = 8;
  private static final int LOOKS_PAST_THE_FIRST = 64;

  private final Book book;
  private final Claim claim;
  private final Mandate mandate;
  private final Demand demand;
  private final Stock stock;
  private final @Nullable String limited;
  private final Budget budget = new Budget(STEPS);
  private final VictimWalk all;
  private final VictimWalk walk;
  private VictimWalk.@Nullable Victim next;

  Hunt(Book book, Claim claim, Mandate mandate, Demand demand, Stock stock) {
    this.book = book;
    this.claim = claim;
    this.mandate = mandate;
    this.demand = demand;
    this.stock = stock;
    this.limited =
        claim.standing(claim.soon()) instanceof Limits.Standing.Over over ? over.tenant() : null;
    this.all = new VictimWalk(book, claim, mandate, stock.cluster(), limited);
    this.walk = all.again();
    this.next = walk.next(budget);
  }

  Claim claim() {
    return claim;
  }

  boolean hasPrey() {
    return next != null;
  }

  /** The cheapest of the first domains found; null if no victims make room. */
  @Nullable Toll run(Life life) {
    Shape shape = claim.terms().ask().shape();
    Span hold = claim.holdInAnyCase(all.latest());
    Clearing clearing = new Clearing(book, stock, demand, shape, hold);
    if (limited != null) {
      Toll limitsOnly = tried(List.of(), clearing.anywhere(), life);
      if (limitsOnly != null) {
        return limitsOnly;
      }
    }
    Toll best = null;
    int domains = 0;
    int looks = 0;
    while (next != null && domains < MOST_DOMAINS && looks < LOOKS_PAST_THE_FIRST) {
      if (best != null && (best.isCheaperThanAny(next) || best.isExact(claim.need()))) {
        return best;
      }
      for (int domain : clearing.add(next)) {
        if (clearing.isWorthATry(domain)) {
          Toll toll = toll(clearing, domain, life);
          domains += toll == null ? 0 : 1;
          best = best == null || (toll != null && toll.compareTo(best) < 0) ? toll : best;
        }
      }
      looks += best == null ? 0 : 1;
      next = walk.next(budget);
    }
    return best;
  }

  /**
   * The first that make room; else all; else all from the last on, where the first use up what may
   * be taken of a tenant and are too small.
   */
  private @Nullable Toll toll(Clearing clearing, int domain, Life life) {
    Toll toll = tried(clearing, domain, clearing.enough(domain), life);
    List<VictimWalk.Victim> all = toll == null ? clearing.all(domain) : List.of();
    if (toll == null) {
      toll = tried(clearing, domain, all, life);
    }
    if (toll == null) {
      toll = tried(clearing, domain, all.reversed(), life);
    }
    if (toll != null) {
      clearing.found(domain);
    }
    return toll;
  }

  private @Nullable Toll tried(
      Clearing clearing, int domain, List<VictimWalk.Victim> victims, Life life) {
    Clearing.Sum sum = clearing.sum(domain, victims);
    if (limited != null) {
      sum.spill();
    }
    return tried(victims, sum, life);
  }

  private @Nullable Toll tried(List<VictimWalk.Victim> victims, Clearing.Sum sum, Life life) {
    return new Toll.Trial(book, life, claim, mandate, budget).of(victims, all.again(), sum);
  }
}
