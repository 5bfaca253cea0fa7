package io.leasehold.engine;

import java.util.List;

/**
 * What the limits leave a tenant of a model at each instant, at every level of the tree, in
 * thousandths of GPUs. What others do not lend is not looked at here.
 */
final class Headroom {

  private final Entitlements entitlements;
  private final Usage usage;
  private final String model;
  private final boolean preemptible;

  private Headroom(Book book, String model, boolean preemptible) {
    this.entitlements = book.entitlements();
    this.usage = book.usage();
    this.model = model;
    this.preemptible = preemptible;
  }

  static Steps of(Book book, Ask ask, String model, Span span) {
    Steps least = Steps.constant(span, Span.FOREVER);
    if (book.entitlements().isEmpty()) {
      return least;
    }
    Headroom headroom = new Headroom(book, model, ask.preemptible());
    List<String> path = book.tree().path(ask.tenant());
    for (String level : path) {
      least = least.with(headroom.at(level, span), Math::min);
    }
    return least;
  }

  private Steps at(String level, Span span) {
    Steps.Builder limits = new Steps.Builder();
    for (long instant : entitlements.changes(span)) {
      Long limit = Limits.limit(entitlements.at(level, model, instant), preemptible);
      limits.add(instant, limit == null ? Span.FOREVER : limit);
    }
    Steps used = usage.of(level, model).steps(span);
    return limits
        .until(span.end())
        .with(used, (limit, use) -> limit == Span.FOREVER ? limit : Math.max(0, limit - use));
  }
}
