package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Signs what can be held: at every instant, for every model, the children's guarantees within the
 * parent's and the roots' within the healthy fleet (engine rule 4).
 */
final class Signing {

  private final Turn turn;
  private final Book book;

  Signing(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
  }

  Decision sign(Contract contract) {
    Turn.Mark mark = turn.mark();
    turn.move(new Move.ContractSet(contract));
    List<Decision.Shortfall> shortfalls = new ArrayList<>();
    TreeSet<String> models = new TreeSet<>();
    contract.entitlements().forEach(each -> models.add(each.model()));
    for (String model : models) {
      check(contract, model, shortfalls);
    }
    if (!shortfalls.isEmpty()) {
      turn.back(mark);
      return new Decision.Shortfalls(shortfalls);
    }
    return new Decision.Changed(List.of());
  }

  /**
   * The contract ends at an instant; what is booked outlives it. One that has not begun by then
   * gives nothing at all.
   */
  Decision terminate(UUID id, long at) {
    Contract contract = book.entitlements().get(id);
    if (contract == null) {
      return new Decision.Declined(
          Decision.Declined.Why.NOT_FOUND, "no signed contract " + id, null);
    }
    Span valid = contract.valid();
    if (at <= valid.start()) {
      turn.move(new Move.ContractSet(new Contract(id, contract.tenant(), valid, List.of())));
    } else if (at < valid.end()) {
      Span cut = new Span(valid.start(), at);
      turn.move(
          new Move.ContractSet(new Contract(id, contract.tenant(), cut, contract.entitlements())));
    }
    return new Decision.Changed(List.of());
  }

  private void check(Contract contract, String model, List<Decision.Shortfall> shortfalls) {
    TreeSet<Long> instants = new TreeSet<>(book.entitlements().changes(contract.valid()));
    for (long from : instants) {
      Long to = instants.higher(from);
      Span part = new Span(from, to == null ? contract.valid().end() : to);
      add(shortfalls, within(parent(contract.tenant()), model, part));
      add(shortfalls, within(contract.tenant(), model, part));
    }
  }

  /** What is missing below a level; the pool itself where the level is null. */
  private Decision.@Nullable Shortfall within(@Nullable String level, String model, Span part) {
    List<String> children = level == null ? book.tree().roots() : book.tree().children(level);
    long promised = 0;
    for (String child : children) {
      promised += guaranteed(child, model, part.start());
    }
    long available =
        level == null ? book.capacity().healthyGpus(model) : guaranteed(level, model, part.start());
    return promised <= available
        ? null
        : new Decision.Shortfall(model, level == null ? "pool" : level, part, promised, available);
  }

  private long guaranteed(String tenant, String model, long instant) {
    return book.entitlements().at(tenant, model, instant).guaranteed() / Units.PER_GPU;
  }

  private @Nullable String parent(String tenant) {
    Tenant known = book.tenant(tenant);
    return known == null ? null : known.parent();
  }

  private static void add(
      List<Decision.Shortfall> shortfalls, Decision.@Nullable Shortfall shortfall) {
    if (shortfall != null && !shortfalls.contains(shortfall)) {
      shortfalls.add(shortfall);
    }
  }
}
