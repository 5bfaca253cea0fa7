package io.leasehold.engine;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Nobody ends for a request that no longer needs it: a lease that was told to end gets its end back
 * once who it should end for is gone, lies elsewhere, or can start elsewhere sooner. Not where
 * others were promised its devices since.
 */
final class Reprieve {

  static final String CAUSE = "reprieved";

  private final Turn turn;
  private final Book book;
  private final long now;
  private final Yielding yielding;

  Reprieve(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.now = turn.now();
    this.yielding = new Yielding(turn);
  }

  /** Whether anybody got its end back. */
  boolean grant() {
    boolean granted = false;
    for (Lease lease : List.copyOf(book.register().noticed())) {
      granted |= grant(lease);
    }
    return granted;
  }

  /** Those for whom others are to end, and who may start elsewhere before that, do. */
  boolean startElsewhere(Life life) {
    Set<UUID> takers = new LinkedHashSet<>();
    book.register().noticed().forEach(lease -> takers.add(notice(lease).by()));
    boolean started = false;
    for (UUID id : takers) {
      Lease taker = book.lease(id);
      started |= taker != null && taker.state() == LeaseState.PLANNED && life.startElsewhere(taker);
    }
    return started;
  }

  private boolean grant(Lease lease) {
    Lease before = asBefore(lease);
    if (before == null || isOver(lease, before)) {
      return false;
    }
    List<UUID> inTheWay = inTheWay(lease, before);
    int below = book.terms(lease).serviceClass().priority();
    if (!inTheWay.stream().allMatch(id -> yielding.yields(id, below)) || isMissed(before)) {
      return false;
    }
    inTheWay.forEach(yielding::displace);
    turn.move(lease, before, CAUSE);
    turn.answer(lease.id(), Answers.reprieved(before, now));
    return true;
  }

  /** How it would go on; null where its window is no longer the one that was cut. */
  private @Nullable Lease asBefore(Lease lease) {
    Lease.Notice notice = notice(lease);
    Span window = Objects.requireNonNull(lease.window());
    Long until = notice.until();
    if (until == null || window.end() != notice.effectiveAt() || window.end() <= now) {
      return null;
    }
    Lease bare = Draft.of(lease).notice(null).lease();
    Booking booking = Objects.requireNonNull(lease.booking());
    Span hold = new Span(booking.hold().start(), book.terms(lease).holdEnd(until));
    Booking longer = booking.over(hold);
    return Draft.of(lease)
        .window(new Span(window.start(), until))
        .booking(longer)
        .notice(DrainNotice.of(book, bare, longer))
        .lease();
  }

  private static Lease.Notice notice(Lease lease) {
    return Objects.requireNonNull(lease.notice());
  }

  /** Above its own limits, for the time that it gets back. */
  private boolean isOver(Lease lease, Lease before) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span more = new Span(lease.window().end(), before.window().end());
    Ask ask = lease.ask();
    return book.limits()
            .check(ask.tenant(), booking.model(), booking.gpuMilli(), more, ask.preemptible())
        instanceof Limits.Standing.Over;
  }

  /** Who has its devices in the time that it gets back; what is idle and lent has nobody. */
  private List<UUID> inTheWay(Lease lease, Lease before) {
    Booking booking = Objects.requireNonNull(lease.booking());
    long end = Objects.requireNonNull(before.booking()).hold().end();
    if (end <= booking.hold().end()) {
      return List.of();
    }
    Span more = new Span(booking.hold().end(), end);
    if (!lease.ask().preemptible() || !book.reserved().isAnyLent()) {
      return book.capacity().inTheWay(lease.id(), booking, more);
    }
    int mark = book.mark();
    book.reserved().lend(more);
    List<UUID> inTheWay = book.capacity().inTheWay(lease.id(), booking, more);
    book.undo(mark);
    return inTheWay;
  }

  /** Whether who it ends for would be above a limit if it went on. */
  private boolean isMissed(Lease before) {
    Lease taker = book.lease(notice(Objects.requireNonNull(book.lease(before.id()))).by());
    if (taker == null || !taker.state().hasPromise()) {
      return false;
    }
    int mark = book.mark();
    book.suppose(before);
    Ask ask = taker.ask();
    String model = Objects.requireNonNull(taker.booking()).model();
    boolean missed =
        book.limits().check(ask.tenant(), model, 0, taker.window(), ask.preemptible())
            instanceof Limits.Standing.Over;
    book.undo(mark);
    return missed;
  }
}
