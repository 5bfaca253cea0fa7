package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** The moves of one lease through its life, past the admission. */
final class Life {

  static final String PREEMPTED = "preempted";

  private final Turn turn;
  private final Book book;
  private final long now;

  Life(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.now = turn.now();
  }

  /** The window is over. */
  void expire(Lease lease) {
    if (lease.state() == LeaseState.PLANNED) {
      turn.move(
          lease,
          Draft.of(lease).to(LeaseState.ENDED).delayedBy(null).ended(now, "never-claimed").lease(),
          "never-claimed");
    } else {
      end(lease, Objects.requireNonNull(lease.window()).end(), causeOfEnd(lease));
    }
  }

  /** A window that was cut with notice does not expire. */
  private static String causeOfEnd(Lease lease) {
    Lease.Notice notice = lease.notice();
    boolean cut =
        notice != null
            && notice.cause().equals(PREEMPTED)
            && notice.effectiveAt() == Objects.requireNonNull(lease.window()).end();
    return cut ? PREEMPTED : "expired";
  }

  /**
   * A lease as it stands once it is preempted, the devices free a withdrawal after that: ended now,
   * or with notice, by which its window and its hold are cut.
   *
   * @param by who it makes room for
   */
  Lease preempted(Lease lease, long effectiveAt, UUID by) {
    if (lease.state() == LeaseState.PLANNED) {
      return Draft.of(lease).to(LeaseState.ENDED).delayedBy(null).ended(now, PREEMPTED).lease();
    }
    if (effectiveAt <= now) {
      return ending(lease, now, PREEMPTED);
    }
    Booking booking = Objects.requireNonNull(lease.booking());
    long holdEnd = Math.min(book.terms(lease).holdEnd(effectiveAt), booking.hold().end());
    Span window = Objects.requireNonNull(lease.window());
    return Draft.of(lease)
        .window(new Span(window.start(), effectiveAt))
        .booking(booking.over(new Span(booking.hold().start(), holdEnd)))
        .notice(new Lease.Notice(PREEMPTED, effectiveAt, by, window.end()))
        .lease();
  }

  /** Counts in the disruption budget of its class. */
  void disrupted(Lease lease) {
    Victims.Lot lot = Victims.Lot.of(lease);
    ServiceClass of = Objects.requireNonNull(book.serviceClass(lot.serviceClass()));
    List<Long> times = book.disruptions().withOneMore(lot, of, now);
    if (times != null) {
      turn.move(new Move.DisruptionSet(lot.tenant(), lot.serviceClass(), times));
    }
  }

  void waitIsOver(Lease lease) {
    Lease after =
        Draft.of(lease)
            .to(LeaseState.REFUSED)
            .earmark(null)
            .window(null)
            .ended(now, "wait-expired")
            .lease();
    turn.move(lease, after, "wait-expired");
    turn.answer(
        lease.id(),
        new Answer(
            Verdict.REFUSED,
            Answer.Refusal.SHORTAGE,
            now,
            null,
            false,
            List.of(Reasons.plain("wait-expired", "it did not fit while it waited")),
            List.of(),
            List.of()));
  }

  /**
   * A planned lease's hold has begun: it gets its devices, or others for the same window, or waits
   * for who still has them in its hands.
   */
  void start(Lease lease) {
    if (Objects.requireNonNull(lease.window()).end() - now <= Time.SECOND) {
      expire(lease);
      return;
    }
    Booking booking = Objects.requireNonNull(lease.booking());
    UUID inTheWay = book.capacity().possessorInTheWay(lease.id(), booking);
    if (inTheWay == null) {
      turn.move(lease, allocated(lease, booking).lease(), "started");
    } else {
      rebindOrWait(lease, inTheWay);
    }
  }

  /**
   * A planned lease that asked for now: if its devices are free before its hold begins, it starts,
   * and ends sooner by as much. It keeps an end that was asked for.
   */
  void startEarly(Lease lease) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    long sooner = booking.hold().start() - now;
    if (sooner <= 0
        || book.capacity().possessorInTheWay(lease.id(), booking) != null
        || !book.capacity()
            .inTheWay(lease.id(), booking, new Span(now, booking.hold().start()))
            .isEmpty()
        || !Soundness.isSound(book, booking)
        || isOverLimits(lease, new Span(window.start() - sooner, window.start()))) {
      return;
    }
    long end =
        lease.ask().when() instanceof Ask.When.Now ? earlier(window.end(), sooner) : window.end();
    Span earlier = new Span(window.start() - sooner, end);
    Booking moved = booking.over(book.terms(lease).hold(earlier, now));
    turn.move(lease, allocated(lease, moved).window(earlier).lease(), "started");
  }

  /** The same on other devices, if that is sooner; whether it did. */
  boolean startElsewhere(Lease lease) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    Ask.When when = lease.ask().when();
    long sooner = booking.hold().start() - now;
    boolean asSoonAsPossible = when instanceof Ask.When.Now || when instanceof Ask.When.NowUntil;
    if (sooner <= 0 || !asSoonAsPossible || lease.ask().reservation() != null) {
      return false;
    }
    long end = when instanceof Ask.When.Now ? earlier(window.end(), sooner) : window.end();
    Span earlier = new Span(window.start() - sooner, end);
    Span hold = book.terms(lease).hold(earlier, now);
    boolean may = !isOverLimits(lease, new Span(earlier.start(), window.start()));
    Budget budget = new Budget(Search.STEPS);
    if (may
        && book.capacity().placeUntold(lease.ask().shape(), booking.model(), hold, now, budget)
            instanceof Found.Room room) {
      turn.move(lease, allocated(lease, room.booking()).window(earlier).lease(), "started");
      return true;
    }
    return false;
  }

  /** What a cluster had in its hands until a move. */
  static List<Booking.Slot> letGo(Move.LeaseMoved moved) {
    Lease before = moved.before();
    List<Booking.Slot> slots = new ArrayList<>();
    if (before == null) {
      return slots;
    }
    if (before.possessed() != null && moved.after().possessed() == null) {
      slots.addAll(before.possessed().slots());
    }
    if (before.leaving() != null && moved.after().leaving() == null) {
      slots.addAll(before.leaving().slots());
    }
    return slots;
  }

  private static long earlier(long end, long by) {
    return end == Span.FOREVER ? end : end - by;
  }

  private boolean isOverLimits(Lease lease, Span span) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Ask ask = lease.ask();
    return book.limits()
            .check(ask.tenant(), booking.model(), booking.gpuMilli(), span, ask.preemptible())
        instanceof Limits.Standing.Over;
  }

  private void rebindOrWait(Lease lease, UUID inTheWay) {
    Found found = new Rebinding(turn).elsewhere(lease);
    if (found instanceof Found.Room room) {
      turn.move(lease, allocated(lease, room.booking()).lease(), "rebound");
    } else if (!inTheWay.equals(lease.delayedBy())) {
      turn.move(lease, Draft.of(lease).delayedBy(inTheWay).lease(), "delayed");
    }
  }

  private Draft allocated(Lease lease, Booking booking) {
    return Rebinding.to(booking, lease, book).to(LeaseState.ALLOCATED).raiseGeneration();
  }

  /** Ends a lease in whatever live state, as of an instant; back comes how it stands. */
  Lease end(Lease lease, long at, String cause) {
    return switch (lease.state()) {
      case WAITING, PLANNED -> {
        Draft draft = Draft.of(lease).to(LeaseState.CANCELLED).earmark(null).delayedBy(null);
        yield turn.move(lease, draft.ended(now, cause).lease(), cause);
      }
      case ALLOCATED, PUBLISHING, ACTIVE -> turn.move(lease, ending(lease, at, cause), cause);
      default -> lease;
    };
  }

  /** The promise is over; until the withdrawal is due its devices still count as taken. */
  private Lease ending(Lease lease, long at, String cause) {
    Terms terms = book.terms(lease);
    Booking booking = Objects.requireNonNull(lease.booking());
    long due = Math.min(terms.holdEnd(at), booking.hold().end());
    Span hold = new Span(booking.hold().start(), Math.max(due, booking.hold().start() + 1));
    Span window = Objects.requireNonNull(lease.window());
    Span used = new Span(window.start(), Math.max(Math.min(at, window.end()), window.start() + 1));
    Lease.Change change = lease.change();
    boolean leaves = change != null && change.leaving() != null;
    return Draft.of(lease)
        .change(leaves ? new Lease.Change(false, change.leaving(), List.of()) : null)
        .to(LeaseState.ENDING)
        .booking(booking.over(hold))
        .window(used)
        .withdrawDue(hold.end())
        .ended(at, cause)
        .raiseGeneration()
        .lease();
  }
}
