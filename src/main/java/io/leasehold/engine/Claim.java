package io.leasehold.engine;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a request would have once others have made room, with one model: its start is the instant at
 * which the last of them has its devices withdrawn, and no sooner than asked for.
 */
record Claim(Book book, Terms terms, String model, long now) {

  private static final long STEPS = 20_000;

  /** How long a withdrawal takes at least. */
  private static final long AT_ONCE = 1;

  /** Whether it would be over before it could start. */
  static boolean isTooLate(Terms terms, long now) {
    long start = terms.earliestStart(now);
    return terms.endFrom(start) <= start || terms.latestStart() < start;
  }

  /** Thousandths of GPUs. */
  long need() {
    return Need.milli(terms.ask().shape(), book.model(model));
  }

  /** The start asked for. */
  long wanted() {
    return terms.earliestStart(now);
  }

  /** When its hold would begin if all devices were free. */
  long holdStart() {
    return terms.hold(window(wanted()), now).start();
  }

  /** When its hold would begin if those of its own class made room. */
  long soon() {
    long start = holdStart();
    return start > now
        ? start
        : Math.min(
            Time.roundUp(now + Math.max(AT_ONCE, terms.serviceClass().windDown())),
            lastHoldStart());
  }

  /** The last instant at which its hold may begin: later than now it is prepared in full. */
  long lastHoldStart() {
    long latest = terms.latestStart();
    if (terms.ask().onShortage() == Ask.Shortage.WAIT) {
      latest = Math.min(latest, terms.ask().waitUntil());
    }
    long last = latest == Span.FOREVER ? latest : latest - terms.serviceClass().prepare();
    return latest < wanted() ? last : Math.max(holdStart(), last);
  }

  private Span window(long start) {
    return new Span(start, terms.endFrom(start));
  }

  /** When a lease would end for it: as late as it can, and not without notice. */
  long endOf(Lease lease, ServiceClass serviceClass) {
    return lease.state() == LeaseState.PLANNED
        ? now
        : Math.max(now + serviceClass.notice(), holdStart() - serviceClass.windDown());
  }

  /** When its devices would be free: of what has begun never before they are withdrawn. */
  long freeAfter(Lease lease, ServiceClass serviceClass) {
    if (lease.state() == LeaseState.PLANNED) {
      return now;
    }
    long gone = endOf(lease, serviceClass) + serviceClass.windDown();
    return Math.max(
        now + AT_ONCE, Math.min(gone, Objects.requireNonNull(lease.booking()).hold().end()));
  }

  /** When devices of a class would be free at the latest. */
  long freeBy(ServiceClass serviceClass) {
    return Time.roundUp(
        Math.max(now + serviceClass.notice() + serviceClass.windDown(), holdStart()));
  }

  /** What every hold has that begins no sooner than soon and no later than then. */
  Span holdInAnyCase(long latest) {
    Span soon = holdFrom(soon());
    long start = Math.max(soon.start(), Math.min(latest, lastHoldStart()));
    return new Span(start, Math.max(start + 1, soon.end()));
  }

  /** Whether a lease has run for as long as its class says. */
  boolean isRipe(Lease lease, ServiceClass serviceClass) {
    return lease.state() == LeaseState.PLANNED
        || Time.plus(Objects.requireNonNull(lease.window()).start(), serviceClass.minimumRun())
            <= now;
  }

  /** Whether a lease holds what this would hold, and gives it back soon enough. */
  boolean isInTheWay(Lease lease, long freeAt) {
    Span hold = Objects.requireNonNull(lease.booking()).hold();
    long start = Math.max(holdStart(), freeAt);
    return start <= lastHoldStart() && hold.start() < holdFrom(start).end() && start < hold.end();
  }

  /** The hold that begins then. */
  Span holdFrom(long from) {
    return terms.hold(windowFrom(from), now);
  }

  private Span windowFrom(long from) {
    long prepare = terms.serviceClass().prepare();
    return window(from <= holdStart() ? wanted() : Math.max(wanted(), from + prepare));
  }

  /** Whether it would be inside its guarantee by then, if no limit were in the way. */
  boolean isCarried() {
    Span window = windowFrom(soon());
    Ask ask = terms.ask();
    return book.limits().isCarried(ask.tenant(), model, need(), window);
  }

  /** What the limits say of a hold that begins then. */
  Limits.Standing standing(long from) {
    Ask ask = terms.ask();
    return book.limits().check(ask.tenant(), model, need(), windowFrom(from), ask.preemptible());
  }

  /** Devices for a hold that begins then, inside the limits; null if it can not be had. */
  Attempt.@Nullable Fits place(long from) {
    if (from > lastHoldStart()) {
      return null;
    }
    Limits.Standing standing = standing(from);
    Booking booking = standing instanceof Limits.Standing.Over ? null : devices(from);
    return booking == null
        ? null
        : new Attempt.Fits(booking, windowFrom(from), standing == Limits.GUARANTEED);
  }

  /** Whether its hold may begin then, as far as its window and the limits go. */
  boolean isAllowed(long from) {
    return from <= lastHoldStart() && !(standing(from) instanceof Limits.Standing.Over);
  }

  /** Devices for a hold that begins then. */
  @Nullable Booking devices(long from) {
    Found found =
        book.capacity()
            .placeUntold(terms.ask().shape(), model, holdFrom(from), now, new Budget(STEPS));
    return found instanceof Found.Room room ? room.booking() : null;
  }
}
