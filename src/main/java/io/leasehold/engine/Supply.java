package io.leasehold.engine;

import java.util.Arrays;
import java.util.List;

/**
 * How many items of a demand the domain that has most could take at each instant, in whole seconds:
 * where room comes within a second it counts from the next on. It is a look at single instants;
 * that the same devices stay free for a whole lease is for the search to say.
 */
final class Supply {

  /** Bits for the number of an event, below its second. */
  private static final int NUMBER = 24;

  private final Demand demand;
  private final Topology topology;
  private final Span span;
  private final Sweep sweep;
  private final boolean ofStarts;
  private final long firstSecond;
  private long[] keys = new long[256];
  private int[] domains = new int[256];
  private int[] nodes = new int[256];
  private int[] changes = new int[256];
  private int events;
  private Allowed[] allowed = {};
  private long[] tops = new long[2];
  private int leaves = 1;

  private Supply(Demand demand, Topology topology, Span span, Sweep sweep, boolean ofStarts) {
    this.demand = demand;
    this.topology = topology;
    this.span = span;
    this.sweep = sweep;
    this.ofStarts = ofStarts;
    this.firstSecond = Math.floorDiv(span.start(), Time.SECOND);
  }

  /** At each instant up to as many as asked for. */
  static Steps of(
      List<Stock> stocks, Demand demand, Topology topology, Shape.Where where, Span span) {
    return new Supply(demand, topology, span, new Sweep(demand), false).over(stocks, where);
  }

  /**
   * For each start in whole seconds, up to as many as asked for that stay free from then on for so
   * long: exact, if CPU and memory are plenty.
   *
   * @param starts in all of them
   */
  static Steps ofStarts(List<Stock> stocks, Demand demand, Shape shape, Span starts, long length) {
    Sweep sweep = Sweep.ofStarts(demand, length);
    return new Supply(demand, Topology.of(shape.topology()), starts, sweep, true)
        .over(stocks, shape.where());
  }

  private Steps over(List<Stock> stocks, Shape.Where where) {
    int count = stocks.stream().mapToInt(this::domains).sum();
    allowed = new Allowed[count];
    leaves = Integer.highestOneBit(Math.max(1, 2 * count - 1));
    tops = new long[2 * leaves];
    int base = 0;
    for (Stock stock : stocks) {
      Arrays.fill(allowed, base, base + domains(stock), new Allowed(stock, demand, topology));
      read(stock, where, base);
      base += domains(stock);
    }
    for (int i = leaves - 1; i > 0; i--) {
      tops[i] = Math.max(tops[2 * i], tops[2 * i + 1]);
    }
    return steps();
  }

  private int domains(Stock stock) {
    Level level = topology.required();
    return level == null ? 1 : stock.domains(level);
  }

  private void read(Stock stock, Shape.Where where, int base) {
    Level level = topology.required();
    int[] last = new int[1];
    for (int i = 0; i < stock.size(); i++) {
      if (topology.allows(stock, i) && stock.node(i).isAllowed(where)) {
        int node = i;
        int domain = base + (level == null ? 0 : stock.domain(i, level));
        last[0] = 0;
        sweep.over(
            stock.node(i),
            span,
            instant -> {
              int items = sweep.items();
              change(instant, domain, node, items - last[0]);
              last[0] = items;
              return true;
            });
      }
    }
  }

  private void change(long instant, int domain, int node, int by) {
    if (instant == span.start()) {
      tops[leaves + domain] += allowed[domain].change(node, by);
    } else if (by != 0) {
      if (events == keys.length) {
        keys = Arrays.copyOf(keys, 2 * events);
        domains = Arrays.copyOf(domains, 2 * events);
        nodes = Arrays.copyOf(nodes, 2 * events);
        changes = Arrays.copyOf(changes, 2 * events);
      }
      boolean next = by > 0 || ofStarts;
      long second = next ? Time.roundUp(instant) / Time.SECOND : instant / Time.SECOND;
      keys[events] = (second - firstSecond) << NUMBER | events;
      domains[events] = domain;
      nodes[events] = node;
      changes[events++] = by;
    }
  }

  private Steps steps() {
    Arrays.sort(keys, 0, events);
    Steps.Builder steps = new Steps.Builder();
    steps.add(span.start(), most());
    for (int i = 0; i < events; i++) {
      int event = (int) (keys[i] & ((1 << NUMBER) - 1));
      raise(domains[event], allowed[domains[event]].change(nodes[event], changes[event]));
      long instant = ((keys[i] >> NUMBER) + firstSecond) * Time.SECOND;
      if (instant < span.end()) {
        steps.add(Math.max(span.start(), instant), most());
      }
    }
    return steps.until(span.end());
  }

  private long most() {
    return Math.min(tops[1], demand.items());
  }

  private void raise(int domain, int by) {
    int at = leaves + domain;
    tops[at] += by;
    for (at >>= 1; at > 0; at >>= 1) {
      tops[at] = Math.max(tops[2 * at], tops[2 * at + 1]);
    }
  }
}
