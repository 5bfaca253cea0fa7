package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a shape about the topology, brought together.
 *
 * @param required all in one domain of this level; the deepest one asked for
 * @param preferred in one domain of this level if that can be; the deepest one asked for
 * @param spread over as many domains of this level as possible; the widest one asked for
 * @param limits GPUs per domain of a level
 */
record Topology(
    @Nullable Level required,
    @Nullable Level preferred,
    @Nullable Level spread,
    List<Limit> limits) {

  /** At most so many pieces in one domain of a level. */
  record Limit(Level level, int pieces) {}

  static Topology of(List<Shape.Spread> rules) {
    Level required = null;
    Level preferred = null;
    Level spread = null;
    List<Limit> limits = new ArrayList<>();
    for (Shape.Spread rule : rules) {
      Level level = rule.level();
      switch (rule.rule()) {
        case REQUIRED -> required = deeper(required, level);
        case PREFERRED -> preferred = deeper(preferred, level);
        case SPREAD -> spread = spread == null || level.compareTo(spread) < 0 ? level : spread;
      }
      if (rule.atMost() != null) {
        limits.add(new Limit(level, rule.atMost()));
      }
    }
    if (preferred != null && required != null && preferred.compareTo(required) <= 0) {
      preferred = null;
    }
    return new Topology(required, preferred, spread, List.copyOf(limits));
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

  /** Whether it asks for nothing. */
  boolean isFree() {
    return required == null && preferred == null && spread == null && limits.isEmpty();
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
