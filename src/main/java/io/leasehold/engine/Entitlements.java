package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the contracts give a tenant of a model at an instant. */
final class Entitlements {

  /**
   * The sum of what is valid at one instant, in thousandths of GPUs.
   *
   * @param borrowing null = bounded only by ancestors
   * @param lending null = all of the unused guarantee
   */
  record Grant(
      boolean given,
      long guaranteed,
      @Nullable Long borrowing,
      @Nullable Long lending,
      long weight) {
    static final Grant NONE = new Grant(false, 0, null, null, 1);
  }

  private final Table<UUID, Contract> contracts;
  private final Map<String, List<Contract>> byTenant = new HashMap<>();
  private final TreeMap<Long, Integer> boundaries = new TreeMap<>();
  private final Map<String, Integer> lendingLimits = new HashMap<>();
  private final Undo undo;

  Entitlements(Undo undo) {
    this.undo = undo;
    contracts = Table.sorted(undo);
  }

  void set(Contract contract) {
    Contract old = contracts.get(contract.id());
    contracts.put(contract.id(), contract);
    index(old, contract);
    undo.record(() -> index(contract, old));
  }

  @Nullable Contract get(UUID id) {
    return contracts.get(id);
  }

  Collection<Contract> all() {
    return contracts.values();
  }

  boolean isEmpty() {
    return contracts.size() == 0;
  }

  /** Several contracts of a tenant add up. */
  Grant at(String tenant, String model, long instant) {
    Grant sum = Grant.NONE;
    for (Contract contract : byTenant.getOrDefault(tenant, List.of())) {
      if (contract.valid().contains(instant)) {
        for (Contract.Entitlement each : contract.entitlements()) {
          if (each.model().equals(model)) {
            sum = plus(sum, each);
          }
        }
      }
    }
    return sum;
  }

  /** When the last contract of a tenant ends; {@link Long#MIN_VALUE} without any. */
  long lastEnd(String tenant) {
    long last = Long.MIN_VALUE;
    for (Contract contract : byTenant.getOrDefault(tenant, List.of())) {
      last = Math.max(last, contract.valid().end());
    }
    return last;
  }

  /** Whether anybody keeps a part of a guarantee from being lent. */
  boolean anyLendingLimit(String model) {
    return lendingLimits.containsKey(model);
  }

  /** The start of a span and the instants inside it at which a contract begins or ends. */
  NavigableSet<Long> changes(Span span) {
    NavigableSet<Long> changes =
        new TreeSet<>(boundaries.subMap(span.start(), span.end()).keySet());
    changes.add(span.start());
    return changes;
  }

  private void index(@Nullable Contract out, @Nullable Contract in) {
    if (out != null) {
      count(out, -1);
      List<Contract> rest = new ArrayList<>(byTenant.getOrDefault(out.tenant(), List.of()));
      rest.removeIf(each -> each.id().equals(out.id()));
      byTenant.put(out.tenant(), rest);
    }
    if (in != null) {
      count(in, 1);
      List<Contract> more = new ArrayList<>(byTenant.getOrDefault(in.tenant(), List.of()));
      more.add(in);
      more.sort(Comparator.comparing(Contract::id));
      byTenant.put(in.tenant(), more);
    }
  }

  private void count(Contract contract, int by) {
    bump(boundaries, contract.valid().start(), by);
    bump(boundaries, contract.valid().end(), by);
    for (Contract.Entitlement each : contract.entitlements()) {
      if (each.lendingLimit() != null) {
        bump(lendingLimits, each.model(), by);
      }
    }
  }

  private static <K> void bump(Map<K, Integer> counts, K key, int by) {
    counts.merge(key, by, (a, b) -> a + b == 0 ? null : Integer.valueOf(a + b));
  }

  private static Grant plus(Grant sum, Contract.Entitlement more) {
    return new Grant(
        true,
        Math.addExact(sum.guaranteed(), milli(more.guaranteed())),
        add(sum.given(), sum.borrowing(), more.borrowingLimit()),
        add(sum.given(), sum.lending(), more.lendingLimit()),
        sum.given() ? sum.weight() + more.weight() : more.weight());
  }

  private static @Nullable Long add(boolean given, @Nullable Long sum, @Nullable Integer more) {
    if (more == null || (given && sum == null)) {
      return null;
    }
    return Math.addExact(sum == null ? 0 : sum, milli(more));
  }

  private static long milli(int gpus) {
    return Math.multiplyExact((long) gpus, Units.PER_GPU);
  }
}
