package io.leasehold.engine;

import io.leasehold.engine.Answer.Alternative;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would work instead, at this moment: later, fewer, another model, shorter. Each is tried before
 * it is offered, and its ask can be sent as it is. Searched once, for the first few of a batch; for
 * others on demand, when the lease is explained.
 */
final class Alternatives {

  private static final long STEPS = 4_000;
  private static final int OTHER_MODELS = 8;
  private static final int PER_BATCH = 4;

  private final Book book;
  private final Search search;
  private final long now;
  private int searched;

  Alternatives(Book book, Search search, long now) {
    this.book = book;
    this.search = search;
    this.now = now;
  }

  /** A new line is served: the same requests in it get theirs again. */
  void begin() {
    searched = 0;
  }

  List<Alternative> to(Candidate candidate, Attempt.Short missing) {
    List<Alternative> found = new ArrayList<>();
    if (!missing.after() && searched++ < PER_BATCH) {
      add(found, later(candidate));
      add(found, fewer(candidate, missing));
      add(found, otherModel(candidate));
      add(found, shorter(candidate));
    }
    return found;
  }

  private static void add(List<Alternative> found, @Nullable Alternative alternative) {
    if (alternative != null) {
      found.add(alternative);
    }
  }

  private @Nullable Alternative later(Candidate candidate) {
    Ask ask = candidate.ask();
    if (!(ask.when() instanceof Ask.When.Now when)) {
      return null;
    }
    long latest = Time.plus(now, candidate.terms().serviceClass().horizon());
    if (!(search.earliest(candidate.terms(), latest, STEPS) instanceof Attempt.Fits fits)) {
      return null;
    }
    long start = fits.window().start();
    Span window = new Span(start, Time.plus(start, when.length()));
    return start - now > candidate.terms().serviceClass().horizon()
        ? null
        : new Alternative("later-start", start, with(ask, new Ask.When.At(window)));
  }

  private @Nullable Alternative fewer(Candidate candidate, Attempt.Short missing) {
    Ask ask = candidate.ask();
    Shape shape = ask.shape();
    int wanted = shape.groups() > 0 ? shape.groups() : shape.count();
    long most = shape.groups() > 0 ? missing.most() / Math.max(1, shape.count()) : missing.most();
    for (long count = Math.min(most, wanted - 1L); count > 0; count /= 2) {
      Ask smaller = with(ask, resized(shape, (int) count));
      Alternative found = tried("fewer-gpus", smaller, candidate);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable Alternative otherModel(Candidate candidate) {
    Ask ask = candidate.ask();
    Shape shape = ask.shape();
    if (shape.models().isEmpty()) {
      return null;
    }
    return book.capacity().models().stream()
        .filter(model -> !shape.models().contains(model))
        .limit(OTHER_MODELS)
        .map(model -> tried("other-model", with(ask, of(shape, model)), candidate))
        .filter(java.util.Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** The longest that fits from now, to a sixty-fourth of what was asked for. */
  private @Nullable Alternative shorter(Candidate candidate) {
    Ask ask = candidate.ask();
    if (!(ask.when() instanceof Ask.When.Now when) || when.length() == Span.FOREVER) {
      return null;
    }
    Alternative best = tried("shorter", lasting(ask, when, 1), candidate);
    long fits = 1;
    long fails = best == null ? 2 : 64;
    while (fails - fits > 1) {
      long middle = (fits + fails) / 2;
      Alternative found = tried("shorter", lasting(ask, when, middle), candidate);
      if (found == null) {
        fails = middle;
      } else {
        fits = middle;
        best = found;
      }
    }
    return best;
  }

  /** At least a minute, in whole seconds. */
  private static Ask lasting(Ask ask, Ask.When.Now when, long parts) {
    long length = Math.max(Time.MINUTE, when.length() / 64 * parts);
    return with(
        ask, new Ask.When.Now(Math.min(when.length(), length / Time.SECOND * Time.SECOND)));
  }

  private @Nullable Alternative tried(String kind, Ask ask, Candidate candidate) {
    Terms terms = new Terms(ask, candidate.terms().serviceClass(), candidate.terms().createdAt());
    return search.attempt(terms, 0, Search.Numbers.ANY) instanceof Attempt.Fits fits
        ? new Alternative(kind, fits.window().start(), ask)
        : null;
  }

  private static Ask with(Ask ask, Ask.When when) {
    return new Ask(
        ask.lease(), ask.tenant(), ask.serviceClass(), ask.shape(), when, ask.preemptible(),
        ask.onShortage(), ask.waitUntil(), ask.after());
  }

  private static Ask with(Ask ask, Shape shape) {
    return new Ask(
        ask.lease(), ask.tenant(), ask.serviceClass(), shape, ask.when(), ask.preemptible(),
        ask.onShortage(), ask.waitUntil(), ask.after());
  }

  private static Shape resized(Shape shape, int size) {
    boolean grouped = shape.groups() > 0;
    return new Shape(
        shape.models(), shape.minMemoryMiB(), grouped ? size : 0, grouped ? shape.count() : size,
        shape.slice(), shape.cpuMilli(), shape.memoryMiB(), shape.topology(), shape.where());
  }

  private static Shape of(Shape shape, String model) {
    return new Shape(
        List.of(model), shape.minMemoryMiB(), shape.groups(), shape.count(), shape.slice(),
        shape.cpuMilli(), shape.memoryMiB(), shape.topology(), shape.where());
  }
}
