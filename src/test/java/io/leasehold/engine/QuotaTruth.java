package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who may use how much: sums over all leases and all that is set aside, at every instant. */
final class QuotaTruth {

  private final PoolTruth truth;

  QuotaTruth(PoolTruth truth) {
    this.truth = truth;
  }

  /** Something that counts for a tenant over a time. */
  private record Charged(String tenant, String model, long from, long to, long milli) {}

  /** I8, at every instant at which the sum changes. */
  void usage(Book book, long now) {
    Map<String, TreeMap<Long, Long>> changes = new TreeMap<>();
    for (Charged each : charged(true)) {
      for (String level : truth.path(each.tenant())) {
        TreeMap<Long, Long> sums =
            changes.computeIfAbsent(level + " " + each.model(), _ -> new TreeMap<>());
        sums.merge(Math.max(now, each.from()), each.milli(), Long::sum);
        sums.merge(each.to(), -each.milli(), Long::sum);
      }
    }
    for (String tenant : truth.tenants.keySet()) {
      for (String model : book.capacity().models()) {
        Profile theirs = book.usage().of(tenant, model);
        long ours = 0;
        TreeMap<Long, Long> sums = changes.getOrDefault(tenant + " " + model, new TreeMap<>());
        for (Map.Entry<Long, Long> change : sums.entrySet()) {
          ours += change.getValue();
          if (change.getKey() < Span.FOREVER && theirs.at(change.getKey()) != ours) {
            truth.fault("I8: usage of %s of %s is not %d".formatted(tenant, model, ours));
          }
        }
        if (sums.isEmpty() && theirs.at(now) != 0) {
          truth.fault("I8: %s of %s is used and nobody has it".formatted(tenant, model));
        }
      }
    }
  }

  /** All that counts, or only what may not be preempted. */
  private List<Charged> charged(boolean preemptible) {
    List<Charged> all = new ArrayList<>();
    for (Lease lease : truth.leases.values()) {
      if (lease.state().hasPromise()
          && lease.ask().reservation() == null
          && (preemptible || !lease.ask().preemptible())) {
        Span window = lease.window();
        for (Booking.Slot slot : lease.booking().slots()) {
          long from = Math.max(window.start(), slot.since());
          if (from < window.end()) {
            String model = lease.booking().model();
            all.add(
                new Charged(lease.ask().tenant(), model, from, window.end(), slot.units().size()));
          }
        }
      }
    }
    for (Occurrence each : truth.occurrences.values()) {
      Span window = each.window();
      Booking booking = each.booking();
      all.add(
          new Charged(
              each.tenant(), booking.model(), window.start(), window.end(), booking.gpuMilli()));
    }
    return all;
  }

  long used(String tenant, String model, long instant, boolean preemptible) {
    return sum(charged(preemptible), tenant, model, instant);
  }

  private long sum(List<Charged> all, String tenant, String model, long instant) {
    long sum = 0;
    for (Charged each : all) {
      if (each.model().equals(model)
          && each.from() <= instant
          && instant < each.to()
          && truth.path(each.tenant()).contains(tenant)) {
        sum += each.milli();
      }
    }
    return sum;
  }

  /** Who gets something new lies under every hard limit, at every instant of what is new. */
  void promised(Lease was, Lease is, long now) {
    Span added = added(was, is, now);
    if (added == null || truth.contracts.isEmpty() || is.ask().reservation() != null) {
      return;
    }
    String model = is.booking().model();
    List<Charged> all = charged(true);
    List<Charged> sure = charged(false);
    String tenant = is.ask().tenant();
    for (long instant : instants(added, all)) {
      for (String level : truth.path(tenant)) {
        Long limit = limit(level, model, instant, true);
        long used = sum(all, level, model, instant);
        if (limit != null && used > limit) {
          truth.fault(
              "%d is let in over the limit of %s: %d of %d at %.6f"
                  .formatted(
                      is.id().getLeastSignificantBits(),
                      level,
                      used,
                      limit,
                      (instant - Story.T) / 1e6));
        }
      }
      truth.check(
          is.ask().preemptible()
              || sum(sure, tenant, model, instant) <= guaranteed(tenant, model, instant),
          "%s may not be preempted and is let in above its guarantee",
          is);
    }
  }

  /** What is set aside lies inside the guarantee of who owns it. */
  void setAside(Occurrence is) {
    String model = is.booking().model();
    List<Charged> sure = charged(false);
    for (long instant : instants(is.window(), sure)) {
      if (!truth.contracts.isEmpty()
          && sum(sure, is.tenant(), model, instant) > guaranteed(is.tenant(), model, instant)) {
        truth.fault("occurrence " + is.id() + " is set aside above the guarantee");
      }
    }
  }

  /** The time over which a lease counts for more than it did. */
  private static Span added(Lease was, Lease is, long now) {
    Span window = is.window();
    if (was == null || !was.state().hasPromise()) {
      return window;
    }
    boolean more =
        !was.ask().tenant().equals(is.ask().tenant())
            || !was.booking().model().equals(is.booking().model())
            || was.booking().gpuMilli() < is.booking().gpuMilli();
    if (more) {
      return new Span(Math.max(now, window.start()), window.end());
    }
    if (was.window().end() < window.end()) {
      return new Span(Math.max(was.window().end(), window.start()), window.end());
    }
    return window.start() < was.window().start()
        ? new Span(window.start(), Math.min(window.end(), was.window().start()))
        : null;
  }

  private Set<Long> instants(Span span, List<Charged> all) {
    Set<Long> instants = new TreeSet<>(Set.of(span.start()));
    for (Charged each : all) {
      if (span.contains(each.from())) {
        instants.add(each.from());
      }
    }
    for (Contract contract : truth.contracts.values()) {
      if (span.contains(contract.valid().start())) {
        instants.add(contract.valid().start());
      }
      if (span.contains(contract.valid().end()) && span.end() != Span.FOREVER) {
        instants.add(contract.valid().end());
      }
    }
    if (span.end() == Span.FOREVER) {
      long known =
          truth.contracts.values().stream().mapToLong(each -> each.valid().end()).min().orElse(0);
      instants.removeIf(instant -> instant >= known);
    }
    return instants;
  }

  long guaranteed(String tenant, String model, long instant) {
    Long guaranteed = limit(tenant, model, instant, false);
    return guaranteed == null ? 0 : guaranteed;
  }

  /** In thousandths; null = none at this level. */
  private Long limit(String tenant, String model, long instant, boolean mayBorrow) {
    boolean given = false;
    boolean bounded = true;
    long limit = 0;
    for (Contract contract : truth.contracts.values()) {
      if (contract.tenant().equals(tenant) && contract.valid().contains(instant)) {
        for (Contract.Entitlement each : contract.entitlements()) {
          if (each.model().equals(model)) {
            given = true;
            limit += 1_000L * each.guaranteed();
            if (mayBorrow) {
              bounded &= each.borrowingLimit() != null;
              limit += each.borrowingLimit() == null ? 0 : 1_000L * each.borrowingLimit();
            }
          }
        }
      }
    }
    return given && bounded ? Long.valueOf(limit) : null;
  }
}
