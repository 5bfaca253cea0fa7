package io.leasehold.engine;

import java.util.Collection;
import java.util.NavigableSet;
import java.util.TreeSet;
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
      int weight) {
    static final Grant NONE = new Grant(false, 0, null, null, 1);
  }

  private final Table<String, Contract> contracts;

  Entitlements(Undo undo) {
    contracts = Table.sorted(undo);
  }

  void set(Contract contract) {
    contracts.put(contract.id().toString(), contract);
  }

  @Nullable Contract get(java.util.UUID id) {
    return contracts.get(id.toString());
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
    for (Contract contract : contracts.values()) {
      if (contract.tenant().equals(tenant) && contract.valid().contains(instant)) {
        for (Contract.Entitlement each : contract.entitlements()) {
          if (each.model().equals(model)) {
            sum = plus(sum, each);
          }
        }
      }
    }
    return sum;
  }

  /** Whether anybody keeps a part of a guarantee from being lent. */
  boolean anyLendingLimit(String model) {
    for (Contract contract : contracts.values()) {
      for (Contract.Entitlement each : contract.entitlements()) {
        if (each.lendingLimit() != null && each.model().equals(model)) {
          return true;
        }
      }
    }
    return false;
  }

  /** The start of a span and the instants inside it at which a contract begins or ends. */
  NavigableSet<Long> changes(Span span) {
    NavigableSet<Long> changes = new TreeSet<>();
    changes.add(span.start());
    for (Contract contract : contracts.values()) {
      for (long instant : new long[] {contract.valid().start(), contract.valid().end()}) {
        if (span.contains(instant)) {
          changes.add(instant);
        }
      }
    }
    return changes;
  }

  private static Grant plus(Grant sum, Contract.Entitlement more) {
    return new Grant(
        true,
        Math.addExact(sum.guaranteed(), milli(more.guaranteed())),
        add(sum.given(), sum.borrowing(), more.borrowingLimit()),
        add(sum.given(), sum.lending(), more.lendingLimit()),
        sum.given() ? Math.addExact(sum.weight(), more.weight()) : more.weight());
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
