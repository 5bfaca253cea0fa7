package io.leasehold.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * From whom a request may take (engine rule 6). By its class, from lower classes: in its own
 * tenant, and from what others borrow. By contract, being inside its guarantee: from what others
 * borrow, whatever their class. Never so that a tenant beside its own falls below a guarantee.
 */
final class Mandate {

  /** By what right something is taken. */
  enum Right {
    /** A class that may preempt, from a lower one. */
    CLASS,
    /** Inside its guarantee, from what another tenant borrows. */
    GUARANTEE,
    NONE
  }

  private final Book book;
  private final Ask ask;
  private final ServiceClass serviceClass;
  private final String model;
  private final List<String> path;
  private final boolean reclaims;
  private final long now;
  private final Map<String, Boolean> borrows = new HashMap<>();

  private Mandate(Book book, Terms terms, String model, boolean reclaims, long now) {
    this.book = book;
    this.ask = terms.ask();
    this.serviceClass = terms.serviceClass();
    this.model = model;
    this.path = book.tree().path(ask.tenant());
    this.reclaims = reclaims;
    this.now = now;
  }

  /** What may not be preempted has to fit its guarantee in the end, so it reclaims it. */
  static Mandate of(Book book, Claim claim, long now) {
    Ask ask = claim.terms().ask();
    boolean reclaims = !book.entitlements().isEmpty() && (!ask.preemptible() || claim.isCarried());
    return new Mandate(book, claim.terms(), claim.model(), reclaims, now);
  }

  /** Whether there is anybody at all from whom it might take. */
  boolean isEmpty() {
    return !serviceClass.mayPreempt() && !reclaims;
  }

  /** By what right it may take from leases of a tenant and class, if they are borrowed. */
  Right over(Victims.Lot lot) {
    ServiceClass other = Objects.requireNonNull(book.serviceClass(lot.serviceClass()));
    boolean own = lot.tenant().equals(ask.tenant());
    if (reclaims && !own) {
      return Right.GUARANTEE;
    }
    return serviceClass.mayPreempt() && other.priority() < serviceClass.priority()
        ? Right.CLASS
        : Right.NONE;
  }

  /** Whether a tenant uses more than it is guaranteed, at each level that it has for itself. */
  boolean borrows(String tenant) {
    return borrows.computeIfAbsent(tenant, it -> spare(it, now) >= 1);
  }

  /** Whether nobody falls below a guarantee by what is taken of a lease. */
  boolean allows(VictimWalk.Victim victim) {
    return spare(victim.lease(), victim.effectiveAt()) >= victim.milli();
  }

  /** How many groups or GPUs a lease may give, at once, so that nobody falls below a guarantee. */
  int mostOf(VictimWalk.Victim victim) {
    int surplus = surplusOf(victim);
    if (surplus == 0) {
      return 0;
    }
    long spare = spare(victim.lease(), victim.effectiveAt());
    return (int) Math.min(surplus, spare / new Surplus(book, victim.lease()).each());
  }

  /** What a gang that is owed no notice has above the least that it needs. */
  int surplusOf(VictimWalk.Victim victim) {
    return victim.effectiveAt() <= now ? Surplus.of(victim.lease()) : 0;
  }

  /** What may go of a lease before anybody is below a guarantee, in thousandths of GPUs. */
  long spare(Lease lease, long effectiveAt) {
    long start = Objects.requireNonNull(lease.window()).start();
    return isOwn(lease)
        ? Long.MAX_VALUE
        : spare(lease.ask().tenant(), Math.max(effectiveAt, start));
  }

  /** How many of a lot the disruption budget of their class leaves to take. */
  int left(Victims.Lot lot) {
    ServiceClass of = Objects.requireNonNull(book.serviceClass(lot.serviceClass()));
    return book.disruptions().left(lot, of, now);
  }

  boolean isOwn(Lease victim) {
    return victim.ask().tenant().equals(ask.tenant());
  }

  /** What a tenant has for itself is what lies below all that it shares with the request. */
  private long spare(String tenant, long at) {
    long spare = Long.MAX_VALUE;
    for (String level : book.tree().path(tenant)) {
      boolean own = level.equals(tenant) && level.equals(ask.tenant());
      if (path.contains(level) && !own) {
        return spare;
      }
      long guaranteed = book.entitlements().at(level, model, at).guaranteed();
      spare = Math.min(spare, book.usage().of(level, model).at(at) - guaranteed);
      if (own) {
        return spare;
      }
    }
    return spare;
  }
}
