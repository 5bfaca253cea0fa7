package io.leasehold.engine;

import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Decision.Declined.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/** What tenants and operators do to a lease that exists. A refused change leaves all as it was. */
final class Verbs {

  private final Turn turn;
  private final Book book;
  private final Life life;

  Verbs(Turn turn, Life life) {
    this.turn = turn;
    this.book = turn.book();
    this.life = life;
  }

  Decision release(UUID id) {
    return with(id, lease -> ended(lease, "released"));
  }

  Decision cancel(UUID id) {
    return with(
        id,
        lease ->
            lease.everActive()
                ? illegal(lease, "has been active: release it instead")
                : ended(lease, "cancelled"));
  }

  Decision revoke(UUID id) {
    return with(id, lease -> ended(lease, "revoked"));
  }

  Decision annotate(UUID id) {
    return with(
        id, lease -> new Decision.Done(turn.move(lease, Draft.of(lease).lease(), "changed")));
  }

  /** An earlier end, on the same devices. */
  Decision shorten(UUID id, long newEnd) {
    return with(id, lease -> shorten(lease, newEnd));
  }

  /** A later end: a new request for the time added, on the same devices. */
  Decision extend(UUID id, long newEnd) {
    return with(id, lease -> extend(lease, newEnd));
  }

  private Decision ended(Lease lease, String cause) {
    return new Decision.Done(life.end(lease, turn.now(), cause));
  }

  private Decision shorten(Lease lease, long newEnd) {
    if (!lease.state().hasPromise()) {
      return illegal(lease, "has no end that could be shortened");
    }
    Span window = Objects.requireNonNull(lease.window());
    if (newEnd == window.end()) {
      return new Decision.Done(lease);
    }
    if (newEnd > window.end()) {
      return illegal(lease, "ends before that: extend it instead");
    }
    if (newEnd <= turn.now() || newEnd <= window.start()) {
      return illegal(lease, "would end before it starts, or in the past: release it instead");
    }
    return new Decision.Done(turn.move(lease, until(lease, newEnd), "shortened"));
  }

  private Decision extend(Lease lease, long newEnd) {
    if (!lease.state().hasPromise()) {
      return illegal(lease, "is not running: ask for a new lease");
    }
    Span window = Objects.requireNonNull(lease.window());
    if (newEnd == window.end()) {
      return new Decision.Done(lease);
    }
    if (newEnd < window.end()) {
      return illegal(lease, "ends after that: shorten it instead");
    }
    Terms terms = book.terms(lease);
    long length = newEnd == Span.FOREVER ? Span.FOREVER : newEnd - window.start();
    Answer.Reason tooLong = Gate.duration(terms.serviceClass(), length);
    if (tooLong != null) {
      return declined(Why.LIMIT, tooLong.detail(), List.of(tooLong), List.of(), List.of());
    }
    return extendInRoom(lease, terms, newEnd);
  }

  private Decision extendInRoom(Lease lease, Terms terms, long newEnd) {
    Span window = Objects.requireNonNull(lease.window());
    Booking booking = Objects.requireNonNull(lease.booking());
    Limits.Standing standing =
        book.limits()
            .check(
                lease.ask().tenant(),
                booking.model(),
                booking.gpuMilli(),
                new Span(window.end(), newEnd),
                lease.ask().preemptible());
    if (standing instanceof Limits.Standing.Over over) {
      Answer.Reason reason = Reasons.over(over, booking.model());
      return declined(Why.SHORTAGE, reason.detail(), List.of(reason), List.of(), List.of());
    }
    Span more = new Span(booking.hold().end(), terms.holdEnd(newEnd));
    List<UUID> inTheWay = book.capacity().inTheWay(lease.id(), booking, more);
    if (!inTheWay.stream().allMatch(id -> yields(id, terms))) {
      return taken(lease, terms, inTheWay);
    }
    inTheWay.forEach(this::displace);
    return new Decision.Done(turn.move(lease, until(lease, newEnd), "extended"));
  }

  /** An earmark of a lower class is no promise to this one; it is given out anew afterwards. */
  private boolean yields(UUID id, Terms terms) {
    Lease holder = book.lease(id);
    return holder != null
        && holder.state() == LeaseState.WAITING
        && book.terms(holder).serviceClass().priority() < terms.serviceClass().priority();
  }

  private void displace(UUID id) {
    Lease holder = Objects.requireNonNull(book.lease(id));
    turn.move(holder, Draft.of(holder).earmark(null).lease(), "displaced");
  }

  private Decision taken(Lease lease, Terms terms, List<UUID> inTheWay) {
    List<Answer.Blocker> blockers = new ArrayList<>();
    long free = Span.FOREVER;
    for (UUID id : inTheWay) {
      Lease holder = book.lease(id);
      Booking taken = holder == null ? null : holder.taken();
      if (taken != null) {
        blockers.add(Reasons.blocker(holder));
        free = Math.min(free, taken.hold().start());
      }
    }
    List<Answer.Alternative> alternatives = longest(lease, terms, free);
    String detail = "its devices are booked after its end; it is never moved silently";
    return declined(
        Why.SHORTAGE, detail, List.of(Reasons.plain("capacity", detail)), blockers, alternatives);
  }

  /** The latest end that its devices allow, if that is later than the one it has. */
  private List<Answer.Alternative> longest(Lease lease, Terms terms, long free) {
    Span window = Objects.requireNonNull(lease.window());
    long end = free - (terms.holdEnd(window.end()) - window.end());
    end -= Math.floorMod(end, Time.SECOND);
    if (free == Span.FOREVER || end <= window.end()) {
      return List.of();
    }
    Ask ask = lease.ask();
    Ask.When when = new Ask.When.At(new Span(window.start(), end));
    return List.of(new Answer.Alternative("shorter", window.start(), ask.with(when)));
  }

  private Lease until(Lease lease, long newEnd) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    Span hold = new Span(booking.hold().start(), book.terms(lease).holdEnd(newEnd));
    Booking longer = booking.over(hold);
    return Draft.of(lease)
        .window(new Span(window.start(), newEnd))
        .booking(longer)
        .notice(DrainNotice.of(book, lease, longer))
        .lease();
  }

  private Decision with(UUID id, Function<Lease, Decision> verb) {
    Lease lease = book.lease(id);
    if (lease != null && isOver(lease)) {
      life.expire(lease);
      lease = book.lease(id);
    }
    return lease == null
        ? new Declined(Why.NOT_FOUND, "no live lease " + id, null)
        : verb.apply(lease);
  }

  /** Its end was due before this, even if its turn among many that are due has not come. */
  private boolean isOver(Lease lease) {
    return lease.state().hasPromise() && Objects.requireNonNull(lease.window()).end() <= turn.now();
  }

  private static Decision illegal(Lease lease, String why) {
    return new Declined(Why.ILLEGAL_MOVE, "the lease is " + lease.state() + " and " + why, null);
  }

  private Decision declined(
      Why why,
      String detail,
      List<Answer.Reason> reasons,
      List<Answer.Blocker> blockers,
      List<Answer.Alternative> alternatives) {
    Answer.Refusal refusal = why == Why.LIMIT ? Answer.Refusal.LIMIT : Answer.Refusal.SHORTAGE;
    return new Declined(
        why,
        detail,
        new Answer(
            Verdict.REFUSED, refusal, turn.now(), null, false, reasons, blockers, alternatives));
  }
}
