package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Counts the GPUs of a model over time by what holds them. Leaves the book as it was. */
final class Calendars {

  /** For each model; more are merged. */
  static final int MOST_STEPS = 336;

  /** Of one number in three: two million GPUs of a model. */
  private static final int BITS = 21;

  private static final long MASK = (1L << BITS) - 1;

  private final Book book;
  private final Span span;

  Calendars(Book book, Span span) {
    this.book = book;
    this.span = span;
  }

  PoolCalendar of(String model) {
    Demand one = Demand.of(ONE_GPU, book.model(model));
    List<Stock> stocks = book.capacity().all(model);
    Steps free = free(stocks, one);
    int mark = book.mark();
    book.reserved().all().forEach(book.reserved()::lift);
    Steps unreserved = free(stocks, one);
    List.copyOf(book.register().earmarked()).forEach(book::lift);
    Steps unleased = free(stocks, one);
    book.undo(mark);
    long gpus = 0;
    long usable = 0;
    for (Stock stock : stocks) {
      for (int i = 0; i < stock.size(); i++) {
        gpus += stock.node(i).node().gpus().stream().filter(Calendars::isThere).count();
        usable += stock.node(i).usableGpus();
      }
    }
    Steps all =
        free.with(unreserved, (less, more) -> less << BITS | (more - less))
            .with(unleased, (both, most) -> both << BITS | (most - (both >> BITS) - (both & MASK)))
            .inAtMost(MOST_STEPS, Math::min);
    return new PoolCalendar(model, gpus, steps(all, usable, gpus - usable));
  }

  private static final Shape ONE_GPU =
      new Shape(List.of(), 0, 0, 1, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE);

  private static boolean isThere(Node.Gpu gpu) {
    return gpu.health() != Health.RETIRED;
  }

  /** GPUs that may be chosen and that nothing lies on. */
  private Steps free(List<Stock> stocks, Demand one) {
    TreeMap<Long, Long> changes = new TreeMap<>();
    Sweep sweep = new Sweep(one);
    for (Stock stock : stocks) {
      for (int i = 0; i < stock.size(); i++) {
        long[] last = new long[1];
        sweep.over(
            stock.node(i),
            span,
            instant -> {
              changes.merge(instant, sweep.items() - last[0], Long::sum);
              last[0] = sweep.items();
              return true;
            });
      }
    }
    Steps.Builder steps = new Steps.Builder();
    steps.add(span.start(), 0);
    long free = 0;
    for (var change : changes.entrySet()) {
      free += change.getValue();
      steps.add(change.getKey(), free);
    }
    return steps.until(span.end());
  }

  /** Three numbers in one, compared by the first: free, reserved, earmarked. */
  private static List<PoolCalendar.Step> steps(Steps packed, long usable, long unhealthy) {
    List<PoolCalendar.Step> steps = new ArrayList<>();
    for (int i = 0; i < packed.size(); i++) {
      long free = packed.value(i) >> 2 * BITS;
      long reserved = packed.value(i) >> BITS & MASK;
      long earmarked = packed.value(i) & MASK;
      steps.add(
          new PoolCalendar.Step(
              packed.start(i),
              packed.end(i),
              free,
              usable - free - reserved - earmarked,
              reserved,
              earmarked,
              unhealthy));
    }
    return steps;
  }
}
