package io.leasehold.engine;

import io.leasehold.engine.Decision.Declined.Why;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Another size for a lease. It grows all or nothing, beside what it has, which is never moved; it
 * shrinks by what its owner does not keep, and the cluster has that in its hands until it
 * confirmed.
 */
final class Resizing {

  private static final Answer.Reason LENT =
      Reasons.plain("lent", "others have some of what is set aside: a new request takes it back");

  private final Turn turn;
  private final Book book;
  private final long now;
  private final Exchange exchange;
  private final Yielding yielding;

  Resizing(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.now = turn.now();
    this.exchange = new Exchange(turn);
    this.yielding = new Yielding(turn);
  }

  /**
   * @param size groups, or GPUs where there are none
   * @param keepNodes nothing on these is given back
   */
  Decision resize(Lease lease, int size, List<UUID> keepNodes) {
    int has = lease.ask().shape().size();
    if (!lease.state().hasPromise() && lease.state() != LeaseState.WAITING) {
      return Refusals.illegal(lease, "has no size any more that could change");
    }
    if (size < 1) {
      return Refusals.illegal(lease, "would have nothing left: release it instead");
    }
    if (size == has) {
      return new Decision.Done(lease);
    }
    if (lease.state() == LeaseState.WAITING) {
      return size > has
          ? Refusals.illegal(lease, "keeps its place with no more than it asked for: ask anew")
          : new Decision.Done(waitForLess(lease, size));
    }
    return size > has ? grow(lease, size) : shrink(lease, has - size, keepNodes);
  }

  /** It keeps its place; what was promised to the larger request is given out anew. */
  private Lease waitForLess(Lease lease, int size) {
    Ask ask = lease.ask().with(lease.ask().shape().scaled(size));
    book.memory().roomMayHaveGrown();
    return turn.move(lease, Draft.of(lease).ask(ask).earmark(null).lease(), "resized");
  }

  private Decision grow(Lease lease, int size) {
    Shape shape = lease.ask().shape();
    Attempt attempt = more(lease, size - shape.size());
    if (attempt instanceof Attempt.Fits fits) {
      return new Decision.Done(grown(lease, size, fits.booking()));
    }
    Attempt.Short missing =
        attempt instanceof Attempt.Short known
            ? known
            : new Attempt.Short(List.of(Reasons.budget(Search.STEPS, 0)), List.of(), false, 0);
    return Refusals.shortage(missing, lessMore(lease, size - shape.size()), now);
  }

  /** Inside the limits first, then devices; earmarks of lower classes are no hindrance. */
  private Attempt more(Lease lease, int items) {
    Terms terms = book.terms(lease);
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    Shape shape = lease.ask().shape().scaled(items);
    Search.Misses misses = new Search.Misses(book);
    Limits.Standing standing = standing(lease, shape);
    if (standing instanceof Limits.Standing.Over over) {
      misses.over(over, booking.model());
      return misses.asShort();
    }
    int mark = book.mark();
    yielding.lift(terms.serviceClass().priority());
    Found found = exchange.beside(lease, shape, booking);
    book.undo(mark);
    return switch (found) {
      case Found.Room room ->
          new Attempt.Fits(room.booking(), window, standing == Limits.GUARANTEED);
      case Found.None none -> {
        misses.none(none, booking.model(), shape);
        yield isLent(lease) ? misses.asShort().and(LENT) : misses.asShort();
      }
      case Found.GaveUp _ -> new Attempt.Spent();
    };
  }

  private boolean isLent(Lease lease) {
    Occurrence in = book.reserved().under(lease);
    return in != null && in.lent();
  }

  /** What draws on a reservation adds nothing: that counts already. */
  private Limits.Standing standing(Lease lease, Shape more) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    return lease.ask().reservation() != null
        ? Limits.GUARANTEED
        : book.limits()
            .check(
                lease.ask().tenant(),
                booking.model(),
                Need.milli(more, book.model(booking.model())),
                new Span(Math.max(now, window.start()), window.end()),
                lease.ask().preemptible());
  }

  private Lease grown(Lease lease, int size, Booking added) {
    Booking booking = Objects.requireNonNull(lease.booking());
    yielding.displaceAll(lease, added);
    int group = booking.slots().stream().mapToInt(Booking.Slot::group).max().orElse(-1) + 1;
    boolean grouped = lease.ask().shape().groups() > 0;
    List<Booking.Slot> slots = new ArrayList<>(booking.slots());
    for (Booking.Slot slot : added.slots()) {
      slots.add(slot.with(grouped ? group++ : 0, exchange.since(lease)));
    }
    Draft draft = Draft.of(lease).ask(lease.ask().with(lease.ask().shape().scaled(size)));
    return turn.move(
        lease,
        exchange.ordered(lease, draft, Exchange.with(lease, slots, added), List.of()),
        "resized");
  }

  /** The most that it could grow by instead. */
  private List<Answer.Alternative> lessMore(Lease lease, int items) {
    int fits = 0;
    int fails = items;
    while (fails - fits > 1) {
      int middle = (fits + fails) >>> 1;
      if (more(lease, middle) instanceof Attempt.Fits) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    if (fits == 0) {
      return List.of();
    }
    Shape shape = lease.ask().shape();
    return List.of(
        new Answer.Alternative(
            "fewer-gpus", now, lease.ask().with(shape.scaled(shape.size() + fits))));
  }

  private Decision shrink(Lease lease, int items, List<UUID> keepNodes) {
    Booking booking = Objects.requireNonNull(lease.booking());
    @Nullable String stranger = stranger(booking, keepNodes);
    if (stranger != null) {
      return Refusals.illegal(lease, stranger);
    }
    Parting parting = new Parting(book, lease.ask().shape(), booking);
    Parting.Parts parts = parting.giveBack(items, new HashSet<>(keepNodes));
    if (parts == null) {
      return new Decision.Declined(
          Why.ILLEGAL_MOVE, "the nodes to keep have more than the size that is left", null);
    }
    int left = lease.ask().shape().size() - items;
    Draft draft = Draft.of(lease).ask(lease.ask().with(lease.ask().shape().scaled(left)));
    Booking smaller = booking.of(parts.kept());
    return new Decision.Done(
        turn.move(lease, exchange.ordered(lease, draft, smaller, parts.given()), "resized"));
  }

  private @Nullable String stranger(Booking booking, List<UUID> keepNodes) {
    Set<UUID> held = new HashSet<>();
    booking.slots().forEach(slot -> held.add(slot.node()));
    for (UUID node : keepNodes) {
      if (!held.contains(node)) {
        return "has nothing on node " + node;
      }
    }
    return null;
  }
}
