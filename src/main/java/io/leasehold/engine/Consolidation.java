package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Moves leases that allow it so that a request fits: the fewest, then the cheapest, that a bounded
 * search finds, each re-placed on its model in its cluster in the same plan. What has not begun may
 * always be bound elsewhere; what runs only where its owner said so, and its old devices count as
 * taken until the cluster must have let go of them.
 */
final class Consolidation {

  /** Leases in one plan. */
  static final int MOST_MOVES = 32;

  private static final long STEPS = 20 * Search.STEPS;

  private final Turn turn;
  private final Book book;
  private final long now;
  private final Search search;

  /** What a look came to: the plan as told, and what would be done. */
  private record Plan(ConsolidationPlan told, List<Resettling.Moved> moves) {

    static Plan none(List<Answer.Reason> reasons) {
      return new Plan(new ConsolidationPlan(null, List.of(), reasons), List.of());
    }
  }

  Consolidation(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.now = turn.now();
    this.search = new Search(book, now);
  }

  /** Changes nothing. */
  ConsolidationPlan plan(Ask ask) {
    return look(ask).told();
  }

  /** Does what was approved if that is still what would be planned; else the fresh plan. */
  Decision apply(Ask ask, List<Relocation> approved) {
    Plan plan = look(ask);
    if (!same(plan.told().moves(), approved)) {
      return new Decision.Consolidated(plan.told(), false);
    }
    Exchange exchange = new Exchange(turn);
    for (Resettling.Moved each : plan.moves()) {
      Draft draft = Draft.of(each.lease());
      turn.move(
          each.lease(),
          exchange.ordered(each.lease(), draft, each.after(), each.parts().given()),
          "consolidated");
    }
    return new Decision.Consolidated(plan.told(), true);
  }

  private static boolean same(List<Relocation> due, List<Relocation> approved) {
    boolean same = due.size() == approved.size();
    for (int i = 0; i < due.size() && same; i++) {
      same = due.get(i).isAs(approved.get(i));
    }
    return same;
  }

  private Plan look(Ask ask) {
    List<Answer.Reason> against = against(ask);
    if (against != null) {
      return Plan.none(against);
    }
    Terms terms = book.terms(ask, now);
    Attempt attempt = search.whole(terms, Search.STEPS, Search.Numbers.EXACT);
    if (attempt instanceof Attempt.Fits fits && fits.window().start() <= terms.earliestStart(now)) {
      return told(fits.window(), new Resettling.Cleared(fits.booking(), List.of(), List.of()));
    }
    List<Movable> movable = ask.reservation() == null ? Movable.all(book, now) : List.of();
    Plan before = at(terms, terms.earliestStart(now), Movable.begun(movable, false));
    return before != null ? before : afterWithdrawal(terms, movable, attempt);
  }

  /** Once the clusters must have let go: unless it fits by then without any move. */
  private Plan afterWithdrawal(Terms terms, List<Movable> movable, Attempt attempt) {
    long start = Math.max(terms.earliestStart(now), Movable.released(book, movable, now));
    start = Time.roundUp(Time.plus(start, terms.serviceClass().prepare()));
    if (search.earliest(terms, Math.min(start, terms.latestStart()), Search.STEPS)
        instanceof Attempt.Fits fits) {
      return told(fits.window(), new Resettling.Cleared(fits.booking(), List.of(), List.of()));
    }
    boolean mayHelp = start <= terms.latestStart() && !Movable.begun(movable, true).isEmpty();
    Plan plan = mayHelp ? at(terms, start, movable) : null;
    return plan != null ? plan : Plan.none(why(attempt));
  }

  /** From one start on: the first model that can be had. */
  private @Nullable Plan at(Terms terms, long start, List<Movable> movable) {
    Span window = new Span(start, terms.endFrom(start));
    if (movable.isEmpty() || window.end() <= start) {
      return null;
    }
    Span hold = terms.hold(window, now);
    for (String model : search.models(terms.ask().shape())) {
      if (search.standing(terms.ask(), model, window) instanceof Limits.Standing.Over) {
        continue;
      }
      List<Resettling.Part> parts = Movable.parts(movable, model, hold);
      Resettling resettling = new Resettling(turn, terms.ask(), model, hold, new Budget(STEPS));
      Resettling.Cleared cleared =
          new Vacating(book, resettling, terms.ask().shape(), model, hold).fewest(parts);
      if (cleared != null) {
        return told(window, cleared);
      }
    }
    return null;
  }

  /** What no move of a lease would change. */
  private @Nullable List<Answer.Reason> against(Ask ask) {
    Gate gate = new Gate(book, now);
    Decision.Declined declined = gate.declines(ask);
    if (declined != null) {
      return List.of(Reasons.plain(Reasons.code(declined), declined.detail()));
    }
    Answer.Reason limit = gate.limit(book.terms(ask, now));
    return limit != null ? List.of(limit) : new Never(book, search, now).why(ask);
  }

  private static List<Answer.Reason> why(Attempt attempt) {
    List<Answer.Reason> reasons = new ArrayList<>();
    if (attempt instanceof Attempt.Short missing) {
      reasons.addAll(missing.reasons());
    }
    reasons.add(
        Reasons.plain("no-moves", "no moves of leases that allow it were found to make it fit"));
    return reasons;
  }

  private Plan told(Span window, Resettling.Cleared cleared) {
    List<Relocation> moves =
        cleared.moves().stream()
            .sorted(Comparator.comparing(each -> each.lease().sequence()))
            .map(this::relocation)
            .toList();
    return new Plan(
        new ConsolidationPlan(
            new ConsolidationPlan.Fits(window, cleared.booking()), moves, List.of()),
        cleared.moves());
  }

  private Relocation relocation(Resettling.Moved moved) {
    return new Relocation(
        moved.lease().id(),
        moved.lease().ask().tenant(),
        nodes(moved.parts().given()),
        nodes(moved.others().slots()),
        moved.milli());
  }

  private List<UUID> nodes(List<Booking.Slot> slots) {
    return slots.stream()
        .map(Booking.Slot::node)
        .distinct()
        .sorted(Comparator.comparing(id -> Objects.requireNonNull(book.node(id)).ordinal()))
        .toList();
  }
}
