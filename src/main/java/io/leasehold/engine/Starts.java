package io.leasehold.engine;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The instants at which a demand that does not fit now may fit first. Room only ever comes where a
 * hold ends; and of these, only where enough is free at that very instant in one domain, counted in
 * thousandths of GPUs. What is planned for later, CPU and layouts are left to the search itself.
 */
final class Starts {

  private static final long SECOND = 1_000_000;

  /** Bits for the number of an event, below its second. */
  private static final int NUMBER = 24;

  private final Stock stock;
  private final Demand demand;
  private final Level required;
  private final long[] free;
  private final long[] items;
  private final long first;
  private long[] keys = new long[64];
  private int[] nodes = new int[64];
  private int[] milli = new int[64];
  private int events;

  private Starts(Stock stock, Demand demand, Topology topology, long from) {
    this.stock = stock;
    this.demand = demand;
    this.required = topology.required();
    this.free = new long[stock.size()];
    this.items = new long[stock.size() + 1];
    this.first = second(from);
  }

  /** Adds those after {@code from} up to {@code latest}, in whole seconds. */
  static void add(
      Stock stock, Demand demand, Topology topology, long from, long latest, TreeSet<Long> starts) {
    Starts search = new Starts(stock, demand, topology, from);
    for (int i = 0; i < stock.size(); i++) {
      search.read(i, from, latest);
    }
    search.sweep(latest, starts);
  }

  /** The first whole second that is not before an instant. */
  static long second(long instant) {
    return Math.ceilDiv(instant, SECOND);
  }

  static long roundUp(long instant) {
    return second(instant) * SECOND;
  }

  private void read(int node, long from, long latest) {
    NodeTimeline at = stock.node(node);
    free[node] = (long) Units.PER_GPU * at.usableGpus();
    at.forEachHeld(
        one -> {
          int units = one.milli();
          if (one.start() <= from && one.end() > from) {
            free[node] -= units;
          } else if (one.start() > from && one.start() <= latest) {
            event(one.start(), node, -units);
          }
          if (one.end() > from && one.end() <= latest) {
            event(one.end(), node, units);
          }
        });
    items[domain(node)] += itemsOn(node);
  }

  private void event(long instant, int node, int units) {
    if (events == keys.length) {
      keys = Arrays.copyOf(keys, 2 * events);
      nodes = Arrays.copyOf(nodes, 2 * events);
      milli = Arrays.copyOf(milli, 2 * events);
    }
    keys[events] = (second(instant) - first) << NUMBER | events;
    nodes[events] = node;
    milli[events++] = units;
  }

  private void sweep(long latest, TreeSet<Long> starts) {
    Arrays.sort(keys, 0, events);
    for (int i = 0; i < events; ) {
      long second = keys[i] >> NUMBER;
      int next = i;
      while (next < events && keys[next] >> NUMBER == second) {
        apply(number(next++));
      }
      long start = (second + first) * SECOND;
      if (start <= latest && isEnough(i, next)) {
        starts.add(start);
      }
      i = next;
    }
  }

  private int number(int at) {
    return (int) (keys[at] & ((1 << NUMBER) - 1));
  }

  private void apply(int event) {
    int node = nodes[event];
    items[domain(node)] -= itemsOn(node);
    free[node] += milli[event];
    items[domain(node)] += itemsOn(node);
  }

  private boolean isEnough(int from, int to) {
    for (int i = from; i < to; i++) {
      int domain = domain(nodes[number(i)]);
      boolean counts = required == null || domain > 0;
      if (milli[number(i)] > 0 && counts && items[domain] >= demand.items()) {
        return true;
      }
    }
    return false;
  }

  /** The cluster is one domain where nothing is required; 0 for nodes without one. */
  private int domain(int node) {
    return required == null ? 0 : stock.domain(node, required) + 1;
  }

  private long itemsOn(int node) {
    int each = demand.each() * demand.pieceMilli();
    return each == 0 ? demand.items() : Math.max(0, free[node]) / each;
  }
}
