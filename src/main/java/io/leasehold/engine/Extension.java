package io.leasehold.engine;

import io.leasehold.engine.Answer.Alternative;
import io.leasehold.engine.Decision.Declined.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A later end: a new request for the time that is added, on the same devices, at the lease's own
 * precedence. Nothing is charged before everything is granted, and nothing is ever moved for it.
 */
final class Extension {

  private final Turn turn;
  private final Book book;
  private final Yielding yielding;

  Extension(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.yielding = new Yielding(turn);
  }

  Decision extend(Lease lease, long newEnd) {
    if (!lease.state().hasPromise()) {
      return Refusals.illegal(lease, "is not running: ask for a new lease");
    }
    Span window = Objects.requireNonNull(lease.window());
    if (newEnd == window.end()) {
      return new Decision.Done(lease);
    }
    if (newEnd < window.end()) {
      return Refusals.illegal(lease, "ends after that: shorten it instead");
    }
    Terms terms = book.terms(lease);
    long length = newEnd == Span.FOREVER ? Span.FOREVER : newEnd - window.start();
    Answer.Reason tooLong = Gate.duration(terms.serviceClass(), length);
    if (tooLong != null) {
      return Refusals.over(Why.LIMIT, tooLong, turn.now());
    }
    return extendInRoom(lease, terms, newEnd);
  }

  private Decision extendInRoom(Lease lease, Terms terms, long newEnd) {
    if (lease.ask().reservation() != null) {
      return new Prolonging(turn).extend(lease, terms, newEnd);
    }
    Limits.Standing.Over over = over(lease, newEnd);
    List<UUID> inTheWay = inTheWay(lease, terms, newEnd);
    if (over != null || !allYield(inTheWay, terms)) {
      return Refusals.shortage(
          missing(lease, over, inTheWay), instead(lease, terms, newEnd), turn.now());
    }
    inTheWay.forEach(yielding::displace);
    return new Decision.Done(turn.move(lease, until(book, lease, newEnd), "extended"));
  }

  private Limits.Standing.@Nullable Over over(Lease lease, long newEnd) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span more = new Span(Objects.requireNonNull(lease.window()).end(), newEnd);
    Ask ask = lease.ask();
    return book.limits()
                .check(ask.tenant(), booking.model(), booking.gpuMilli(), more, ask.preemptible())
            instanceof Limits.Standing.Over over
        ? over
        : null;
  }

  private List<UUID> inTheWay(Lease lease, Terms terms, long newEnd) {
    Booking booking = Objects.requireNonNull(lease.booking());
    long held = booking.hold().end();
    long end = terms.holdEnd(newEnd);
    return end <= held
        ? List.of()
        : book.capacity().inTheWay(lease.id(), booking, new Span(held, end));
  }

  private boolean allYield(List<UUID> inTheWay, Terms terms) {
    int priority = terms.serviceClass().priority();
    return inTheWay.stream().allMatch(id -> yielding.yields(id, priority));
  }

  private Attempt.Short missing(
      Lease lease, Limits.Standing.@Nullable Over over, List<UUID> inTheWay) {
    if (over != null) {
      String model = Objects.requireNonNull(lease.booking()).model();
      return new Attempt.Short(List.of(Reasons.over(over, model)), List.of(), false, 0);
    }
    List<Answer.Blocker> blockers = new ArrayList<>();
    for (UUID id : inTheWay) {
      Lease holder = book.lease(id);
      if (holder != null && holder.taken() != null) {
        blockers.add(Reasons.blocker(holder));
      }
    }
    Answer.Reason reason =
        Reasons.plain(
            "capacity", "its devices are booked after its end; it is never moved silently");
    return new Attempt.Short(List.of(reason), blockers, false, 0);
  }

  /** An end before that, and another lease for the time after its own end. */
  private List<Alternative> instead(Lease lease, Terms terms, long newEnd) {
    List<Alternative> instead = new ArrayList<>();
    Span window = Objects.requireNonNull(lease.window());
    long latest =
        newEnd == Span.FOREVER
            ? Time.plus(window.end(), terms.serviceClass().longestDuration())
            : newEnd;
    long end = latestEnd(lease, terms, latest);
    if (end > window.end()) {
      Ask.When until = new Ask.When.At(new Span(window.start(), end));
      instead.add(new Alternative("shorter", window.start(), lease.ask().with(until)));
    }
    if (newEnd != Span.FOREVER) {
      Ask after = lease.ask().with(new Ask.When.At(new Span(window.end(), newEnd)));
      Terms other = new Terms(after, terms.serviceClass(), turn.now());
      if (new Search(book, turn.now()).whole(other, Search.STEPS, Search.Numbers.ANY)
          instanceof Attempt.Fits fits) {
        instead.add(new Alternative("another-lease", fits.window().start(), after));
      }
    }
    return instead;
  }

  /** In whole seconds: what is too long stays so for every longer time. */
  private long latestEnd(Lease lease, Terms terms, long newEnd) {
    long end = Objects.requireNonNull(lease.window()).end();
    long fits = 0;
    long fails = (newEnd - end) / Time.SECOND + 1;
    long first = end - Math.floorMod(end, Time.SECOND);
    while (fails - fits > 1) {
      long middle = (fits + fails) >>> 1;
      long tried = first + middle * Time.SECOND;
      if (tried <= end
          || over(lease, tried) == null && allYield(inTheWay(lease, terms, tried), terms)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    return first + fits * Time.SECOND;
  }

  /** The same lease with another end; with an earlier one it holds its devices no longer. */
  static Lease until(Book book, Lease lease, long newEnd) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    long due = book.terms(lease).holdEnd(newEnd);
    long end = newEnd < window.end() ? Math.min(due, booking.hold().end()) : due;
    Booking other = booking.over(new Span(booking.hold().start(), end));
    return Draft.of(lease)
        .window(new Span(window.start(), newEnd))
        .booking(other)
        .notice(DrainNotice.of(book, lease, other))
        .lease();
  }
}
