package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts the GPUs of a model over time by what holds them. Leaves the book as it was. */
final class Calendars {

  /** For each model; more are merged. */
  static final int MOST_STEPS = 336;

  private final Book book;
  private final Span span;
  private final List<Counts> counts = new ArrayList<>();
  private final Map<Counts, Integer> numbers = new HashMap<>();

  /** What there is at an instant; lent GPUs are leased ones that are set aside for others. */
  private record Counts(long free, long reserved, long earmarked, long lent) {}

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
        free.with(unreserved, (less, more) -> number(new Counts(less, more - less, 0, 0)))
            .with(unleased, (some, most) -> number(earmarked(counts(some), most)))
            .with(new LentSteps(book, span).of(stocks), (some, lent) -> number(lent(some, lent)))
            .inAtMost(MOST_STEPS, Math::min);
    return new PoolCalendar(model, gpus, steps(all, usable, gpus - usable));
  }

  /** A number for counts, in the order of what is free. */
  private long number(Counts of) {
    Integer known = numbers.putIfAbsent(of, counts.size());
    if (known == null) {
      counts.add(of);
    }
    return of.free() << Integer.SIZE | numbers.get(of);
  }

  private Counts counts(long number) {
    return counts.get((int) number);
  }

  private static Counts earmarked(Counts of, long unleased) {
    return new Counts(of.free(), of.reserved(), unleased - of.free() - of.reserved(), 0);
  }

  private Counts lent(long number, long lent) {
    Counts of = counts(number);
    return new Counts(of.free(), of.reserved(), of.earmarked(), lent);
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

  private List<PoolCalendar.Step> steps(Steps packed, long usable, long unhealthy) {
    List<PoolCalendar.Step> steps = new ArrayList<>();
    for (int i = 0; i < packed.size(); i++) {
      Counts of = counts(packed.value(i));
      steps.add(
          new PoolCalendar.Step(
              packed.start(i),
              packed.end(i),
              of.free(),
              usable - of.free() - of.reserved() - of.lent() - of.earmarked(),
              of.reserved(),
              of.lent(),
              of.earmarked(),
              unhealthy));
    }
    return steps;
  }
}
