package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who may lose a lease to whom: only to one that comes at once after it, of a higher class or
 * inside its guarantee; never below a guarantee, too young, untold, at quiet hours or too often.
 */
final class TakingTruth {

  private final PoolTruth truth;
  private final QuotaTruth quotas;
  private final Map<String, List<Long>> taken = new HashMap<>();
  private Batch batch;

  TakingTruth(PoolTruth truth, QuotaTruth quotas) {
    this.truth = truth;
    this.quotas = quotas;
  }

  void begin(Batch now) {
    batch = now;
  }

  /** After the move was applied. */
  void judge(int index, Move.LeaseMoved moved, Lease was) {
    Lease.Notice notice = moved.after().notice();
    if (was == null
        || isOwnEnd(was)
        || notice != null && !notice.cause().equals("preempted")
        || !Set.of("preempted", "noticed", "reduced").contains(moved.cause())) {
      return;
    }
    Lease victim = moved.after();
    Lease taker = taker(index);
    if (taker == null) {
      truth.check(false, "%s ends for nobody", victim);
      return;
    }
    truth.check(was.state().hasPromise(), "%s had nothing to take", victim);
    truth.check(was.ask().preemptible(), "%s may not be preempted", victim);
    if (taker.ask().reservation() != null) {
      return;
    }
    byRight(taker, was);
    long end = victim.notice() == null ? batch.at() : victim.notice().effectiveAt();
    keepsGuarantees(taker, was, end);
    timely(was, end);
    often(index, was);
  }

  /** Its end was announced before, and has come. */
  private boolean isOwnEnd(Lease was) {
    return was.notice() != null && was.window().end() <= batch.at();
  }

  /** Who is booked next. */
  private Lease taker(int index) {
    for (Move move : batch.moves().subList(index, batch.moves().size())) {
      if (move instanceof Move.LeaseMoved moved
          && (moved.cause().equals("admitted") || moved.cause().equals("planned"))) {
        return moved.after();
      }
    }
    return null;
  }

  private void byRight(Lease taker, Lease victim) {
    ServiceClass by = truth.classOf(taker);
    ServiceClass of = truth.classOf(victim);
    boolean byClass = by.mayPreempt() && of.priority() < by.priority();
    boolean byGuarantee =
        !truth.contracts.isEmpty()
            && !taker.ask().tenant().equals(victim.ask().tenant())
            && isGuaranteed(taker);
    truth.check(byClass || byGuarantee, "%s is taken without a right", victim);
  }

  private boolean isGuaranteed(Lease taker) {
    String tenant = taker.ask().tenant();
    String model = taker.booking().model();
    long start = taker.window().start();
    long more = taker.booking().gpuMilli();
    return quotas.used(tenant, model, start, true) + more
        <= quotas.guaranteed(tenant, model, start);
  }

  /** Of tenants beside the one that takes; it has ended already. */
  private void keepsGuarantees(Lease taker, Lease victim, long end) {
    List<String> own = truth.path(taker.ask().tenant());
    long at = Math.max(end, victim.window().start());
    String model = victim.booking().model();
    for (String level : truth.path(victim.ask().tenant())) {
      if (own.contains(level)) {
        return;
      }
      truth.check(
          quotas.used(level, model, at, true) >= quotas.guaranteed(level, model, at),
          level + " falls below its guarantee when %s is taken",
          victim);
    }
  }

  private void timely(Lease was, long end) {
    ServiceClass of = truth.classOf(was);
    if (was.state() == LeaseState.PLANNED) {
      return;
    }
    truth.check(was.window().start() + of.minimumRun() <= batch.at(), "%s is taken too young", was);
    truth.check(of.notice() == 0 || end >= batch.at() + of.notice(), "%s is taken untold", was);
    truth.check(
        of.disruption() == null || !of.disruption().isQuiet(end),
        "%s ends for another at quiet hours",
        was);
  }

  /** The budget is counted with the move. */
  private void often(int index, Lease was) {
    Disruption disruption = truth.classOf(was).disruption();
    if (disruption != null && disruption.most() != Disruption.ANY) {
      String lot = was.ask().tenant() + " " + was.ask().serviceClass();
      List<Long> times = taken.computeIfAbsent(lot, _ -> new ArrayList<>());
      times.add(batch.at());
      long counted = times.stream().filter(at -> at + disruption.within() > batch.at()).count();
      truth.check(counted <= disruption.most(), "%s is one too many to be taken", was);
    }
  }

  /** What the book says it counted. */
  void count(Move move) {
    if (move instanceof Move.DisruptionSet set) {
      String lot = set.tenant() + " " + set.serviceClass();
      ServiceClass of = truth.classes.get(set.serviceClass());
      long counted =
          taken.getOrDefault(lot, List.of()).stream()
              .filter(at -> of.disruption() == null || at + of.disruption().within() > batch.at())
              .count();
      if (set.at().size() < counted) {
        truth.fault("of " + lot + " " + counted + " were taken, and fewer are counted");
      }
    }
  }
}
