package io.leasehold.engine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Says why nobody is ended for a request that waits, with what each rule spares. */
final class Spared {

  /** So many lots and leases are looked at. */
  private static final int MOST = 256;

  /** The rule that spares a lease. */
  private enum Rule {
    CLASS("are not of a lower class"),
    GUARANTEE("are inside guarantees"),
    STRADDLE("are of leases that reach into guarantees"),
    RUN("have not run for as long as their class lets them"),
    DISRUPTION("are spared by the disruption budget of their class"),
    TIME("end too late"),
    ROOM("could be taken, which would make no room");

    private final String text;

    Rule(String text) {
      this.text = text;
    }
  }

  private final Book book;
  private final Claim claim;
  private final Mandate mandate;
  private final Map<Rule, Long> milli = new EnumMap<>(Rule.class);
  private int looked;

  private Spared(Book book, Claim claim, long now) {
    this.book = book;
    this.claim = claim;
    this.mandate = Mandate.of(book, claim, now);
  }

  /** The reasons with one more, where there is anything to say. */
  static Attempt.Short told(Book book, Search search, Candidate candidate, Attempt.Short missing) {
    if (missing.after() || Claim.isTooLate(candidate.terms(), search.now())) {
      return missing;
    }
    List<Answer.Reason> reasons = new ArrayList<>(missing.reasons());
    for (String model : search.models(candidate.ask().shape())) {
      Claim claim = new Claim(book, candidate.terms(), model, search.now());
      Spared spared = new Spared(book, claim, search.now());
      Answer.Reason reason = spared.mandate.isEmpty() ? spared.outside(missing) : spared.byRules();
      if (reason != null) {
        reasons.add(reason);
      }
    }
    return new Attempt.Short(reasons, missing.blockers(), false, missing.most());
  }

  /** It is not room alone that others would have to give. */
  private Answer.@Nullable Reason outside(Attempt.Short missing) {
    boolean overLimits = missing.reasons().stream().anyMatch(each -> each.scope().equals("tenant"));
    return book.entitlements().isEmpty() || overLimits
        ? null
        : reason("it would borrow, and its class takes from nobody");
  }

  private Answer.@Nullable Reason byRules() {
    for (Stock stock : book.capacity().open(claim.terms().ask().shape().where(), claim.model())) {
      Victims.Ground ground = new Victims.Ground(stock.cluster(), claim.model());
      for (Victims.Lot lot : book.victims().lots(ground)) {
        count(ground, lot);
      }
    }
    StringJoiner parts = new StringJoiner(", ", "nobody is ended for it: of GPUs ", "");
    milli.forEach((rule, sum) -> parts.add(Math.ceilDiv(sum, Units.PER_GPU) + " " + rule.text));
    if (looked > MOST) {
      parts.add("and others that were not looked at");
    }
    return milli.isEmpty() ? null : reason(parts.toString());
  }

  private Answer.Reason reason(String detail) {
    return new Answer.Reason(
        "no-preemption",
        claim.model() + ": " + detail,
        "pool",
        "",
        (long) claim.terms().ask().shape().pieces(),
        null,
        milli.getOrDefault(Rule.ROOM, 0L) / Units.PER_GPU,
        "gpu");
  }

  /** What one rule spares as a whole is not looked at lease by lease. */
  private void count(Victims.Ground ground, Victims.Lot lot) {
    if (looked++ >= MOST) {
      return;
    }
    Rule ofAll = ruleOfAll(lot);
    if (ofAll != null) {
      milli.merge(ofAll, book.victims().milli(ground, lot), Long::sum);
      return;
    }
    Victims.Entry entry = book.victims().next(ground, lot, null);
    while (entry != null && looked++ < MOST) {
      Lease lease = Objects.requireNonNull(book.lease(entry.lease()));
      if (entry.whole()) {
        milli.merge(rule(lot, lease), lease.booking().gpuMilli(), Long::sum);
      }
      entry = book.victims().next(ground, lot, entry);
    }
  }

  private @Nullable Rule ruleOfAll(Victims.Lot lot) {
    if (mandate.over(lot) == Mandate.Right.NONE) {
      return Rule.CLASS;
    }
    boolean own = lot.tenant().equals(claim.terms().ask().tenant());
    return own || mandate.borrows(lot.tenant()) ? null : Rule.GUARANTEE;
  }

  private Rule rule(Victims.Lot lot, Lease lease) {
    ServiceClass of = Objects.requireNonNull(book.serviceClass(lot.serviceClass()));
    long effectiveAt = claim.endOf(lease, of);
    Disruption disruption = of.disruption();
    long spare = mandate.spare(lease, effectiveAt);
    if (spare < Objects.requireNonNull(lease.booking()).gpuMilli()) {
      return spare > 0 ? Rule.STRADDLE : Rule.GUARANTEE;
    }
    if (!claim.isRipe(lease, of)) {
      return Rule.RUN;
    }
    if (mandate.left(lot) <= 0 || (disruption != null && disruption.isQuiet(effectiveAt))) {
      return Rule.DISRUPTION;
    }
    return effectiveAt < Objects.requireNonNull(lease.window()).end()
            && claim.isInTheWay(lease, claim.freeAfter(lease, of))
        ? Rule.ROOM
        : Rule.TIME;
  }
}
