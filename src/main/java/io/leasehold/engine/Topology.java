package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a shape about the topology, brought together.
 *
 * @param required all in one domain of this level; the deepest one asked for
 * @param named the levels required: each must have a name where anything lies
 * @param preferred in one domain of this level if that can be; the deepest one asked for
 * @param fills how domains inside the required one are chosen, the widest level first: each
 *     preferred level in as few domains as possible, each spread one over as many
 * @param limits GPUs per domain of a level
 */
record Topology(
    @Nullable Level required,
    List<Level> named,
    @Nullable Level preferred,
    List<Fill> fills,
    List<Limit> limits) {

  /** How the domains of a level are chosen: as many as possible, or as few. */
  record Fill(Level level, boolean spread) {}

  /** At most so many pieces in one domain of a level. */
  record Limit(Level level, int pieces) {}

  static Topology of(List<Shape.Spread> rules) {
    Level required = null;
    Level preferred = null;
    List<Level> named = new ArrayList<>();
    List<Fill> fills = new ArrayList<>();
    List<Limit> limits = new ArrayList<>();
    for (Shape.Spread rule : rules) {
      Level level = rule.level();
      switch (rule.rule()) {
        case REQUIRED -> {
          required = deeper(required, level);
          named.add(level);
        }
        case PREFERRED -> {
          preferred = deeper(preferred, level);
          fills.add(new Fill(level, false));
        }
        case SPREAD -> fills.add(new Fill(level, true));
      }
      if (rule.atMost() != null) {
        limits.add(new Limit(level, rule.atMost()));
      }
    }
    if (preferred != null && required != null && preferred.compareTo(required) <= 0) {
      preferred = null;
    }
    Level within = required;
    fills.removeIf(fill -> within != null && fill.level().compareTo(within) <= 0);
    fills.sort(Comparator.comparing(Fill::level));
    return new Topology(
        required, List.copyOf(named), preferred, List.copyOf(fills), List.copyOf(limits));
  }

  /** Whether so many pieces may lie in one domain of any level. */
  boolean allowsInOneDomain(int pieces) {
    for (Limit limit : limits) {
      if (limit.pieces() < pieces) {
        return false;
      }
    }
    return true;
  }

  /** Whether anything may lie on a node: what is required to be one domain must be one at all. */
  boolean allows(Stock stock, int node) {
    for (Level level : named) {
      if (stock.domain(node, level) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether it asks for nothing. */
  boolean isFree() {
    return required == null && fills.isEmpty() && limits.isEmpty();
  }

  private static Level deeper(@Nullable Level one, Level other) {
    return one == null || other.compareTo(one) > 0 ? other : one;
  }

  /**
   * The levels to try to stay within, the best first; null is the whole cluster. From the preferred
   * one up to the required one, or to the cluster where none is required.
   */
  List<@Nullable Level> tries() {
    List<@Nullable Level> tries = new ArrayList<>();
    if (preferred != null) {
      int last = required == null ? 0 : required.ordinal() + 1;
      for (int i = preferred.ordinal(); i >= last; i--) {
        tries.add(Level.values()[i]);
      }
    }
    tries.add(required);
    return tries;
  }
}
