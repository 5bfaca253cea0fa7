package io.leasehold.engine;

import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/** Counts, over time, the usable GPUs that are set aside and that others have meanwhile. */
final class LentSteps {

  private final Book book;
  private final Span span;
  private final TreeMap<Long, Long> changes = new TreeMap<>();

  LentSteps(Book book, Span span) {
    this.book = book;
    this.span = span;
  }

  Steps of(List<Stock> stocks) {
    for (Stock stock : stocks) {
      for (int i = 0; i < stock.size(); i++) {
        NodeTimeline node = stock.node(i);
        book.reserved().onNode(node.node().id()).forEach(each -> add(each, node));
      }
    }
    Steps.Builder steps = new Steps.Builder();
    steps.add(span.start(), 0);
    long lent = 0;
    for (var change : changes.entrySet()) {
      lent += change.getValue();
      steps.add(change.getKey(), lent);
    }
    return steps.until(span.end());
  }

  private void add(Occurrence occurrence, NodeTimeline node) {
    long own = 0;
    for (Booking.Slot slot : Objects.requireNonNull(occurrence.booking()).slots()) {
      own |= slot.node().equals(node.node().id()) ? slot.units().gpus() : 0;
    }
    long usable = own & node.usable();
    node.forEachHeld(held -> add(occurrence, held, Long.bitCount(held.gpus() & usable)));
  }

  private void add(Occurrence occurrence, Held held, long gpus) {
    Span window = occurrence.window();
    long start = Math.max(span.start(), Math.max(held.start(), window.start()));
    long end = Math.min(span.end(), Math.min(held.end(), window.end()));
    if (gpus > 0 && start < end && Borrowed.isOther(book, held.lease(), occurrence)) {
      changes.merge(start, gpus, Long::sum);
      if (end < span.end()) {
        changes.merge(end, -gpus, Long::sum);
      }
    }
  }
}
