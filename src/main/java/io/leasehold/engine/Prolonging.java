package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A later end of a lease that draws on a reservation: as long as its occurrence lasts, and its
 * devices are nobody else's until they are withdrawn; where somebody comes right after the
 * occurrence, until that is over. Nothing is charged, since the occurrence is.
 */
final class Prolonging {

  private final Turn turn;
  private final Book book;

  Prolonging(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
  }

  Decision extend(Lease lease, Terms terms, long newEnd) {
    Occurrence in = book.reserved().under(lease);
    if (in == null || newEnd > in.window().end()) {
      Answer.Reason reason =
          Reasons.plain("reservation-ends", "what is set aside ends before that");
      return refused(
          reason, List.of(), in == null ? List.of() : until(lease, in, in.window().end()));
    }
    Booking booking = Objects.requireNonNull(lease.booking());
    long holdEnd = terms.holdEnd(newEnd);
    List<UUID> inTheWay = others(lease, in, holdEnd);
    if (!inTheWay.isEmpty() && holdEnd > in.window().end()) {
      holdEnd = in.window().end();
      inTheWay = others(lease, in, holdEnd);
    }
    if (!inTheWay.isEmpty()) {
      return refused(
          Reasons.plain(
              "capacity", "its devices are booked after its end; it is never moved silently"),
          inTheWay,
          List.of());
    }
    Span window = Objects.requireNonNull(lease.window());
    Booking longer = booking.over(new Span(booking.hold().start(), holdEnd));
    Draft draft =
        Draft.of(lease)
            .window(new Span(window.start(), newEnd))
            .booking(longer)
            .notice(DrainNotice.of(book, lease, longer));
    return new Decision.Done(turn.move(lease, draft.lease(), "extended"));
  }

  /** Who has its devices after its own hold, up to an end. */
  private List<UUID> others(Lease lease, Occurrence in, long end) {
    Booking booking = Objects.requireNonNull(lease.booking());
    long held = booking.hold().end();
    return end <= held
        ? List.of()
        : book.capacity().inTheWay(lease.id(), booking, new Span(held, end)).stream()
            .filter(id -> !id.equals(in.id()))
            .toList();
  }

  private List<Answer.Alternative> until(Lease lease, Occurrence in, long end) {
    Span window = Objects.requireNonNull(lease.window());
    Ask.When when = new Ask.When.At(new Span(window.start(), end));
    return end > window.end() && others(lease, in, end).isEmpty()
        ? List.of(new Answer.Alternative("shorter", window.start(), lease.ask().with(when)))
        : List.of();
  }

  private Decision refused(
      Answer.Reason reason, List<UUID> inTheWay, List<Answer.Alternative> instead) {
    List<Answer.Blocker> blockers = new ArrayList<>();
    inTheWay.stream()
        .map(book::lease)
        .filter(Objects::nonNull)
        .forEach(holder -> blockers.add(Reasons.blocker(holder)));
    Attempt.Short missing = new Attempt.Short(List.of(reason), blockers, false, 0);
    return Refusals.shortage(missing, instead, turn.now());
  }
}
