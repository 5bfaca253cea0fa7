package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A later end of a lease that draws on a reservation: as long as its occurrence lasts, and its
 * devices are nobody else's. Nothing is charged, since the occurrence is.
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
    long most = in == null ? 0 : in.window().end();
    if (newEnd > most) {
      Answer.Reason reason =
          Reasons.plain("reservation-ends", "what is set aside ends before that");
      return refused(reason, List.of(), in == null ? List.of() : until(lease, in, most));
    }
    Booking booking = Objects.requireNonNull(lease.booking());
    long end = booking.hold().end();
    List<UUID> inTheWay = newEnd > end ? others(lease, in, new Span(end, newEnd)) : List.of();
    if (!inTheWay.isEmpty()) {
      return refused(
          Reasons.plain(
              "capacity", "its devices are booked after its end; it is never moved silently"),
          inTheWay,
          List.of());
    }
    long wanted = terms.holdEnd(newEnd);
    boolean free = wanted <= end || others(lease, in, new Span(end, wanted)).isEmpty();
    long holdEnd = Math.max(newEnd, free ? wanted : Math.min(most, wanted));
    Span window = Objects.requireNonNull(lease.window());
    Booking longer = booking.over(new Span(booking.hold().start(), holdEnd));
    Draft draft =
        Draft.of(lease)
            .window(new Span(window.start(), newEnd))
            .booking(longer)
            .notice(DrainNotice.of(book, lease, longer));
    return new Decision.Done(turn.move(lease, draft.lease(), "extended"));
  }

  private List<UUID> others(Lease lease, @Nullable Occurrence in, Span more) {
    Booking booking = Objects.requireNonNull(lease.booking());
    return book.capacity().inTheWay(lease.id(), booking, more).stream()
        .filter(id -> in == null || !id.equals(in.id()))
        .toList();
  }

  private List<Answer.Alternative> until(Lease lease, Occurrence in, long end) {
    Span window = Objects.requireNonNull(lease.window());
    long held = Objects.requireNonNull(lease.booking()).hold().end();
    boolean free = end <= held || others(lease, in, new Span(held, end)).isEmpty();
    Ask.When when = new Ask.When.At(new Span(window.start(), end));
    return end > window.end() && free
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
