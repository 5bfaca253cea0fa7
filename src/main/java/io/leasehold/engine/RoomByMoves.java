package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a request by binding planned leases to other devices: start, model and promised
 * topology of each stay (engine rule 14). Only what has not begun and is not published moves, at
 * most {@link #MOST_MOVES} for one request. Changes nothing itself.
 */
final class RoomByMoves {

  /** R of engine rule 14. */
  static final int MOST_MOVES = 8;

  /**
   * So many planned leases are looked at, by arrival: some moves are found, not the best of all.
   */
  private static final int MOST_SEEN = 256;

  private static final int MOST_TRIES = 16;
  private static final int MOST_TOGETHER = 64;

  /** In one line that is served; who comes later is not looked at. */
  private static final int MOST_SEARCHES = 8;

  /** What a search for moves came to. */
  sealed interface Outcome {

    /** Once these have moved the request fits. */
    record Made(Attempt.Fits fits, List<Moved> moves) implements Outcome {}

    /** There may be moves that would make room; none was found within the bounds. */
    record NotFound() implements Outcome {}

    /** Nothing that may be moved is in the way. */
    record NoUse() implements Outcome {}
  }

  /** A planned lease and where it lies from now on. */
  record Moved(Lease lease, Booking booking) {}

  private static final Outcome NOT_FOUND = new Outcome.NotFound();
  private static final Outcome NO_USE = new Outcome.NoUse();

  private final Book book;
  private final Capacity capacity;
  private final Search search;
  private final long now;
  private final Comparator<Lease> precedence;
  private int searches;

  RoomByMoves(Book book, Search search, long now) {
    this.book = book;
    this.capacity = book.capacity();
    this.search = search;
    this.now = now;
    this.precedence =
        Comparator.comparingLong((Lease each) -> -book.terms(each).serviceClass().priority())
            .thenComparingLong(Lease::sequence);
  }

  /** A new line is served. */
  void begin() {
    searches = 0;
  }

  /** For its first start, after it was not found room there. */
  Outcome forRequest(Terms terms) {
    long start = terms.earliestStart(now);
    if (book.register().planned().isEmpty()
        || terms.ask().reservation() != null
        || terms.endFrom(start) <= start) {
      return NO_USE;
    }
    Span window = new Span(start, terms.endFrom(start));
    Outcome outcome = NO_USE;
    for (String model : search.models(terms.ask().shape())) {
      Limits.Standing standing = search.standing(terms.ask(), model, window);
      if (standing instanceof Limits.Standing.Over) {
        continue;
      }
      Outcome found = new Attempts(terms, model, window, standing).run();
      if (found instanceof Outcome.Made) {
        return found;
      }
      outcome = found instanceof Outcome.NotFound ? found : outcome;
    }
    return outcome;
  }

  /** The tries for one request on one model. */
  private final class Attempts {
    private final Ask ask;
    private final String model;
    private final Span window;
    private final Span hold;
    private final boolean guaranteed;
    private final Budget budget = new Budget(Search.STEPS);
    private boolean seenAll = true;

    Attempts(Terms terms, String model, Span window, Limits.Standing standing) {
      this.ask = terms.ask();
      this.model = model;
      this.window = window;
      this.hold = terms.hold(window, now);
      this.guaranteed = standing == Limits.GUARANTEED;
    }

    Outcome run() {
      Demand demand = Demand.of(ask.shape(), book.model(model));
      if (demand == null || (startsNow() && !capacity.mayBegin(ask.shape(), model, demand, now))) {
        return NO_USE;
      }
      List<Lease> movable = movable(demand);
      if (movable.isEmpty()) {
        return NO_USE;
      }
      if (searches++ >= MOST_SEARCHES) {
        return NOT_FOUND;
      }
      Outcome outcome = seenAll ? NO_USE : NOT_FOUND;
      long missing = demand.pieces() - capacity.mostPieces(ask.shape(), model, hold, now);
      for (List<Lease> lifted : tries(movable)) {
        if (mostThatComes(demand, lifted) < missing) {
          continue;
        }
        Outcome found = without(lifted);
        if (found instanceof Outcome.Made || budget.isSpent()) {
          return found instanceof Outcome.Made ? found : NOT_FOUND;
        }
        outcome = found instanceof Outcome.NotFound ? found : outcome;
      }
      return outcome;
    }

    /** No more pieces come free than their nodes have when nothing lies there. */
    private long mostThatComes(Demand demand, List<Lease> lifted) {
      long onGpu = demand.piecesOnUntouched();
      return lifted.stream()
          .flatMap(each -> Objects.requireNonNull(each.booking()).slots().stream())
          .map(Booking.Slot::node)
          .distinct()
          .mapToLong(node -> onGpu * Objects.requireNonNull(book.node(node)).gpus().size())
          .sum();
    }

    /** What is planned has not begun by then: it is never all that is in the way at its start. */
    private boolean startsNow() {
      return hold.start() <= now;
    }

    private List<Lease> movable(Demand demand) {
      List<Lease> movable = new ArrayList<>();
      int seen = 0;
      for (Lease lease : book.register().planned()) {
        Booking booking = Objects.requireNonNull(lease.booking());
        if (booking.model().equals(model)
            && booking.hold().overlaps(hold)
            && mayMove(lease, booking)) {
          if (!startsNow() || capacity.mayBeginOn(booking.slots(), model, demand)) {
            movable.add(lease);
          }
          if (++seen == MOST_SEEN) {
            seenAll = false;
            break;
          }
        }
      }
      return movable;
    }

    /** What is in the way on one node, fewest first; then all that is in the way together. */
    private List<List<Lease>> tries(List<Lease> movable) {
      TreeMap<Integer, List<Lease>> byNode = new TreeMap<>();
      for (Lease lease : movable) {
        for (Booking.Slot slot : Objects.requireNonNull(lease.booking()).slots()) {
          int ordinal = Objects.requireNonNull(book.node(slot.node())).ordinal();
          List<Lease> here = byNode.computeIfAbsent(ordinal, _ -> new ArrayList<>());
          if (here.isEmpty() || here.getLast() != lease) {
            here.add(lease);
          }
        }
      }
      List<List<Lease>> tries =
          new ArrayList<>(
              byNode.values().stream()
                  .filter(here -> here.size() <= MOST_MOVES)
                  .sorted(Comparator.comparingInt(List::size))
                  .limit(MOST_TRIES)
                  .toList());
      if (movable.size() <= MOST_TOGETHER && byNode.size() > 1) {
        tries.add(movable);
      }
      return tries;
    }

    /** As if these were not there, and then somewhere else. */
    private Outcome without(List<Lease> lifted) {
      int mark = book.mark();
      lifted.forEach(each -> capacity.give(each.id(), Objects.requireNonNull(each.booking())));
      Found found = capacity.placeUntold(ask.shape(), model, hold, now, budget);
      List<Moved> moves = null;
      if (found instanceof Found.Room room) {
        capacity.take(ask.lease(), room.booking());
        moves = settled(lifted);
      }
      book.undo(mark);
      if (!(found instanceof Found.Room room)) {
        return NO_USE;
      }
      return moves == null
          ? NOT_FOUND
          : new Outcome.Made(new Attempt.Fits(room.booking(), window, guaranteed), moves);
    }

    /** Who can stays; the others are placed in order of precedence. Null where one is left over. */
    private @Nullable List<Moved> settled(List<Lease> lifted) {
      List<Lease> homeless = new ArrayList<>();
      for (Lease lease : lifted) {
        Booking booking = Objects.requireNonNull(lease.booking());
        if (capacity.inTheWay(lease.id(), booking, booking.hold()).isEmpty()) {
          capacity.take(lease.id(), booking);
        } else {
          homeless.add(lease);
        }
      }
      homeless.sort(precedence);
      List<Moved> moves = new ArrayList<>();
      for (Lease lease : homeless) {
        Booking elsewhere = elsewhere(lease);
        if (elsewhere == null || moves.size() == MOST_MOVES) {
          return null;
        }
        capacity.take(lease.id(), elsewhere);
        moves.add(new Moved(lease, elsewhere));
      }
      return moves;
    }

    private @Nullable Booking elsewhere(Lease lease) {
      Booking booking = Objects.requireNonNull(lease.booking());
      Found found = capacity.placeUntold(lease.ask().shape(), model, booking.hold(), now, budget);
      return found instanceof Found.Room room
              && Rebinding.keepsTopology(book, lease.ask().shape(), booking, room.booking())
          ? room.booking()
          : null;
    }
  }

  /** As it was asked for, on the open fleet, and not begun. */
  private boolean mayMove(Lease lease, Booking booking) {
    Shape shape = lease.ask().shape();
    return booking.hold().start() > now
        && lease.delayedBy() == null
        && lease.ask().reservation() == null
        && Need.milli(shape, book.model(booking.model())) == booking.gpuMilli()
        && Soundness.isSound(book, booking);
  }
}
