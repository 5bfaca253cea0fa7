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
  private final Yielding yielding;

  Verbs(Turn turn, Life life) {
    this.turn = turn;
    this.book = turn.book();
    this.life = life;
    this.yielding = new Yielding(turn);
  }

  Decision release(UUID id) {
    return with(id, lease -> ended(lease, "released"));
  }

  Decision cancel(UUID id) {
    return with(
        id,
        lease ->
            lease.everActive()
                ? Refusals.illegal(lease, "has been active: release it instead")
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

  Decision resize(Command.Resize command) {
    return with(
        command.lease(),
        lease -> new Resizing(turn).resize(lease, command.size(), command.keepNodes()));
  }

  Decision replace(Command.Replace command) {
    return with(
        command.lease(), lease -> new Replacement(turn).replace(lease, command.nodes()));
  }

  Decision transfer(Command.Transfer command) {
    return with(command.lease(), lease -> new Transfer(turn).transfer(lease, command.tenant()));
  }

  private Decision ended(Lease lease, String cause) {
    return new Decision.Done(life.end(lease, turn.now(), cause));
  }

  private Decision shorten(Lease lease, long newEnd) {
    if (!lease.state().hasPromise()) {
      return Refusals.illegal(lease, "has no end that could be shortened");
    }
    Span window = Objects.requireNonNull(lease.window());
    if (newEnd == window.end()) {
      return new Decision.Done(lease);
    }
    if (newEnd > window.end()) {
      return Refusals.illegal(lease, "ends before that: extend it instead");
    }
    if (newEnd <= turn.now() || newEnd <= window.start()) {
      return Refusals.illegal(lease, "would end before it starts, or in the past: release it instead");
    }
    return new Decision.Done(turn.move(lease, until(lease, newEnd), "shortened"));
  }

  private Decision extend(Lease lease, long newEnd) {
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
      return Refusals.over(Why.SHORTAGE, Reasons.over(over, booking.model()), turn.now());
    }
    Span more = new Span(booking.hold().end(), terms.holdEnd(newEnd));
    List<UUID> inTheWay = book.capacity().inTheWay(lease.id(), booking, more);
    if (!inTheWay.stream().allMatch(id -> yielding.yields(id, terms.serviceClass().priority()))) {
      return taken(lease, terms, inTheWay);
    }
    inTheWay.forEach(yielding::displace);
    return new Decision.Done(turn.move(lease, until(lease, newEnd), "extended"));
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
    Answer.Reason reason =
        Reasons.plain(
            "capacity", "its devices are booked after its end; it is never moved silently");
    return Refusals.shortage(
        new Attempt.Short(List.of(reason), blockers, false, 0),
        longest(lease, terms, free),
        turn.now());
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
    return List.of(
        new Answer.Alternative(
            "shorter",
            window.start(),
            ask.with(when)));
  }

  private Lease until(Lease lease, long newEnd) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    Span hold = new Span(booking.hold().start(), book.terms(lease).holdEnd(newEnd));
    return Draft.of(lease)
        .window(new Span(window.start(), newEnd))
        .booking(booking.over(hold))
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
}
