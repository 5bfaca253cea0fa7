package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * A whole demand laid on nodes.
 *
 * @param widened how far from the best level the search had to go; 0 = not at all
 * @param nodes ascending
 * @param items laid on each of the nodes
 */
record Fit(Window window, int widened, int[] nodes, int[] items) {

  /**
   * Stays within a better level, then on fewer nodes where there are no groups, then costs less.
   */
  boolean isBetterThan(Fit other) {
    return isBetterThan(other, 0);
  }

  /**
   * The same, where one model is dearer than the other.
   *
   * @param dearer what this one costs more
   */
  boolean isBetterThan(Fit other, long dearer) {
    if (widened != other.widened) {
      return widened < other.widened;
    }
    int fewer = window.demand().grouped() ? 0 : nodes.length - other.nodes.length;
    return fewer != 0 ? fewer < 0 : cost() + dearer < other.cost();
  }

  private long cost() {
    long cost = 0;
    for (int i = 0; i < nodes.length; i++) {
      cost += window.cost(nodes[i], items[i]);
    }
    return cost;
  }

  /** Books it, groups numbered in the order of the nodes. */
  Booking booking(String model, Span hold) {
    Demand demand = window.demand();
    List<Booking.Slot> slots = new ArrayList<>();
    for (int i = 0; i < nodes.length; i++) {
      Gap gap = window.stock().node(nodes[i]).gap(demand, window.over());
      if (!demand.grouped()) {
        slots.add(gap.slot(demand, 0, items[i]));
      }
      for (int j = 0; j < items[i] && demand.grouped(); j++) {
        slots.add(gap.slot(demand, slots.size(), 1));
      }
    }
    return new Booking(window.stock().cluster(), model, hold, slots);
  }
}
