package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The instants at which a demand that does not fit may fit first, one after the other. Room only
 * ever comes where a hold ends, or where what a cluster still possesses counts no longer: from the
 * next second on. Of what lies on one node the start is exact; of what nodes share it is the first
 * at which enough is free in one domain at each instant, and the search looks closer.
 */
final class Starts {

  /** So many promising starts are looked at one by one. */
  private static final int LOOKS = 4;

  private final List<Stock> stocks;
  private final Demand demand;
  private final Topology topology;
  private final Shape shape;
  private final When when;
  private final Budget budget;
  private final PriorityQueue<Domain> domains =
      new PriorityQueue<>(
          Comparator.comparingLong(Domain::start)
              .thenComparingInt(Domain::stock)
              .thenComparingInt(Domain::number));

  private int looks;
  private @Nullable Steps exact;

  /** When a domain may have enough next. */
  private record Domain(int stock, int number, long start) {}

  private Starts(List<Stock> stocks, Demand demand, Shape shape, When when, Budget budget) {
    this.stocks = stocks;
    this.demand = demand;
    this.shape = shape;
    this.topology = Topology.of(shape.topology());
    this.when = when;
    this.budget = budget;
  }

  /**
   * @param from the first start; asked for next is what comes after it
   * @param latest the last start of interest
   * @param length of the hold; FOREVER if it has no end
   */
  record When(long from, long latest, long length, long now) {
    Span hold(long start) {
      return new Span(start, length >= Span.FOREVER - start ? Span.FOREVER : start + length);
    }
  }

  /** Where all of it lies on one node, or in one domain of the deepest level required. */
  static Starts of(List<Stock> stocks, Demand demand, Shape shape, When when, Budget budget) {
    Starts starts = new Starts(stocks, demand, shape, when, budget);
    if (!starts.isOnOneNode()) {
      starts.enter(when.from());
    }
    return starts;
  }

  /** The first start after another; FOREVER if there is none. */
  long after(long start) {
    long next = isOnOneNode() ? onOneNode(start) : together(start);
    return Math.min(next, dispossessed(start));
  }

  private boolean isOnOneNode() {
    return demand.items() == 1 || topology.required() == Level.NODE;
  }

  /** What is possessed is in the way of what starts now, and of nothing later. */
  private long dispossessed(long start) {
    long next = Time.roundUp(when.now() + 1);
    boolean comes =
        start <= when.now()
            && next <= when.latest()
            && stocks.stream().anyMatch(Stock::isPossessed);
    return comes ? next : Span.FOREVER;
  }

  private long onOneNode(long after) {
    if (!topology.allowsInOneDomain(demand.pieces())) {
      return Span.FOREVER;
    }
    long best = Span.FOREVER;
    for (Stock stock : stocks) {
      long until = best == Span.FOREVER ? when.latest() : best - 1;
      long start =
          stock
              .ahead()
              .alone(demand, demand.items())
              .earliest(after, until, when.length(), (node, from, to) -> on(stock, node, from, to));
      best = Math.min(best, start);
    }
    return best;
  }

  /** The first start at which a node is free for the whole length; FOREVER if none. */
  private long on(Stock stock, int node, long after, long until) {
    NodeTimeline at = stock.node(node);
    Level level = topology.required();
    if (!at.isAllowed(shape.where()) || (level != null && stock.domain(node, level) < 0)) {
      return Span.FOREVER;
    }
    for (long start : ends(at, after, until)) {
      if (!budget.spend()) {
        return Span.FOREVER;
      }
      Gap gap = at.gap(demand, Over.of(when.hold(start), when.now()));
      if (gap != null && gap.items(demand) >= demand.items()) {
        return start;
      }
    }
    return Span.FOREVER;
  }

  private static long[] ends(NodeTimeline at, long after, long until) {
    List<Long> ends = new ArrayList<>();
    at.forEachHeld(
        one -> {
          long second = Time.roundUp(one.end());
          if (second > after && second <= until) {
            ends.add(second);
          }
        });
    return ends.stream().mapToLong(end -> end).sorted().distinct().toArray();
  }

  private void enter(long from) {
    for (int i = 0; i < stocks.size(); i++) {
      int count = together(stocks.get(i)).domains();
      for (int domain = 0; domain < count; domain++) {
        enter(i, domain, from);
      }
    }
  }

  private void enter(int stock, int domain, long after) {
    long start =
        together(stocks.get(stock))
            .next(domain, after, when.latest(), demand.items(), when.length());
    if (start != Span.FOREVER) {
      domains.add(new Domain(stock, domain, start));
    }
  }

  private FreeTogether together(Stock stock) {
    return stock.ahead().together(demand, topology.required());
  }

  private long together(long after) {
    long next = nextTogether(after);
    if (looks++ < LOOKS || when.length() == Span.FOREVER) {
      return next;
    }
    while (next != Span.FOREVER) {
      long enough = exact(next).firstAtLeast(next, demand.items());
      if (enough == next || enough == Span.FOREVER) {
        return enough;
      }
      next = nextTogether(enough - 1);
    }
    return next;
  }

  /** Too many that promised enough held too little: a look at every start, once. */
  private Steps exact(long first) {
    if (exact == null) {
      Span span = new Span(first, when.latest() == Span.FOREVER ? Span.FOREVER : when.latest() + 1);
      exact = Supply.ofStarts(stocks, demand, shape, span, when.length());
    }
    return exact;
  }

  private long nextTogether(long after) {
    while (!domains.isEmpty() && domains.element().start() <= after) {
      Domain first = domains.remove();
      enter(first.stock(), first.number(), after);
    }
    return domains.isEmpty() ? Span.FOREVER : domains.element().start();
  }
}
