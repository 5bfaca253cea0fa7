package io.leasehold.engine;

import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Decision.Declined.Why;
import org.jspecify.annotations.Nullable;

/** The rules a request must keep before anybody looks for devices: nothing is charged before. */
final class Gate {

  static final int MOST_OPEN = 10_000;
  static final int MOST_WAITING = 1_000;
  static final int MOST_WAITING_IN_POOL = 50_000;
  private static final long MOST_PIECES = 10_000_000;

  private final Book book;
  private final long now;

  Gate(Book book, long now) {
    this.book = book;
    this.now = now;
  }

  /** Why the request is not even looked at; null if it is. */
  @Nullable Declined declines(Ask ask) {
    if (book.lease(ask.lease()) != null) {
      return new Declined(Why.ID_TAKEN, "lease " + ask.lease() + " exists", null);
    }
    if (book.serviceClass(ask.serviceClass()) == null) {
      return new Declined(Why.NOT_FOUND, "no service class " + ask.serviceClass(), null);
    }
    Tenant tenant = book.tenant(ask.tenant());
    if (tenant == null || tenant.retired()) {
      return new Declined(Why.NOT_FOUND, "no tenant " + ask.tenant() + " that takes leases", null);
    }
    for (String model : ask.shape().models()) {
      if (book.model(model) == null) {
        return new Declined(Why.NOT_FOUND, "no GPU model " + model, null);
      }
    }
    if (ask.reservation() != null && !mayDraw(ask)) {
      return new Declined(Why.NOT_FOUND, "no reservation " + ask.reservation(), null);
    }
    if (book.register().counts(ask.tenant()).open() >= MOST_OPEN) {
      return tooMany(ask.tenant() + " has " + MOST_OPEN + " open leases");
    }
    return null;
  }

  /** A tenant draws on what is set aside for itself or for one above it. */
  private boolean mayDraw(Ask ask) {
    return book.reserved().of(ask.reservation()).stream()
        .allMatch(each -> book.tree().path(ask.tenant()).contains(each.tenant()));
  }

  /** Whether one more may wait. */
  @Nullable Declined declinesWait(Ask ask) {
    if (book.register().counts(ask.tenant()).waiting() >= MOST_WAITING) {
      return tooMany(ask.tenant() + " has " + MOST_WAITING + " leases waiting");
    }
    if (book.register().waiting().size() >= MOST_WAITING_IN_POOL) {
      return tooMany("the pool has " + MOST_WAITING_IN_POOL + " leases waiting");
    }
    return null;
  }

  /** The limit of its class that a request breaks; null if it keeps them. */
  Answer.@Nullable Reason limit(Terms terms) {
    ServiceClass serviceClass = terms.serviceClass();
    Shape shape = terms.ask().shape();
    if (shape.count() < 0
        || shape.groups() < 0
        || (long) Math.max(1, shape.groups()) * shape.count() > MOST_PIECES) {
      return Reasons.plain("count-limit", "more GPUs than any pool has");
    }
    long start = terms.earliestStart(now);
    Answer.Reason tooLong = duration(serviceClass, terms.lengthFrom(start));
    if (tooLong != null) {
      return tooLong;
    }
    if (terms.latestStart() < start) {
      return Reasons.plain("duration-limit", "there is not time enough in the span asked for");
    }
    long ahead = start - now;
    return ahead <= serviceClass.horizon()
        ? null
        : Reasons.limit(
            "horizon",
            "a start may lie at most " + serviceClass.horizon() / Time.SECOND + " s ahead",
            serviceClass.slug(),
            ahead,
            serviceClass.horizon());
  }

  /** The limit on the whole length of a lease; null if it is kept. */
  static Answer.@Nullable Reason duration(ServiceClass serviceClass, long length) {
    if (length <= 0) {
      return Reasons.plain("duration-limit", "it would end before it starts");
    }
    if (length == Span.FOREVER && serviceClass.mayBeOpenEnded()) {
      return null;
    }
    if (length <= serviceClass.longestDuration() && length != Span.FOREVER) {
      return null;
    }
    return Reasons.limit(
        "duration-limit",
        "a lease of class "
            + serviceClass.slug()
            + " lasts at most "
            + serviceClass.longestDuration() / Time.SECOND
            + " s",
        serviceClass.slug(),
        length,
        serviceClass.longestDuration());
  }

  private static Declined tooMany(String detail) {
    return new Declined(Why.TOO_MANY, detail, null);
  }
}
