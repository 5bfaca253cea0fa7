package io.leasehold.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks for devices to set aside, as for a planned lease of the same window that may not be
 * preempted, and puts a no into words: which occurrences do not fit, why, and what would.
 */
final class SetAside {

  /** So many occurrences that do not fit are named. */
  static final int MOST_TOLD = 10;

  /** Longer series get no alternatives: each costs a search for all of them. */
  private static final int MOST_TRIED = 64;

  private static final long HORIZON = 14 * Time.DAY;

  private final Turn turn;
  private final Book book;
  private final Search search;

  SetAside(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.search = new Search(book, turn.now());
  }

  record Refused(Occurrence.Ask ask, Attempt.Short why) {}

  record Outcome(List<Occurrence> booked, List<Refused> refused) {}

  /** Books one after the other; up to so many that do not fit are looked at. */
  Outcome all(List<Occurrence.Ask> asks, int mostRefused) {
    Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
    for (Occurrence.Ask ask : asks) {
      Search.Misses misses = new Search.Misses(book);
      Booking booking = booking(ask, misses);
      if (booking != null) {
        outcome.booked().add(book(ask, booking));
      } else {
        outcome.refused().add(new Refused(ask, misses.asShort()));
        if (outcome.refused().size() == mostRefused) {
          break;
        }
      }
    }
    return outcome;
  }

  Occurrence book(Occurrence.Ask ask, Booking booking) {
    Occurrence booked = Occurrence.booked(ask, booking, turn.now());
    turn.move(new Move.OccurrenceMoved(booked, "reserved"));
    return begunIfDue(booked);
  }

  /** What is set aside from now on begins with that. */
  Occurrence begunIfDue(Occurrence booked) {
    if (booked.begun() || booked.window().start() > turn.now()) {
      return booked;
    }
    Occurrence begun = booked.started();
    turn.move(new Move.OccurrenceMoved(begun, "started"));
    return begun;
  }

  /** Devices for one occurrence, inside the guarantee; null with the reasons in {@code misses}. */
  @Nullable Booking booking(Occurrence.Ask ask, Search.Misses misses) {
    for (String model : search.models(ask.shape())) {
      if (isOver(ask, model, ask.window(), misses)) {
        continue;
      }
      switch (place(ask.shape(), model, ask.window())) {
        case Found.Room room -> {
          return room.booking().over(ask.window());
        }
        case Found.None none -> misses.none(none, model, ask.shape());
        case Found.GaveUp _ -> misses.add(Reasons.plain("budget", "the search was cut short"));
      }
    }
    return null;
  }

  /** Devices for what is left of a window that is not over. */
  Found place(Shape shape, String model, Span window) {
    Span rest = new Span(Math.max(turn.now(), window.start()), window.end());
    return book.capacity().place(shape, model, rest, turn.now(), new Budget(Search.STEPS));
  }

  /** The devices it has, for another window; the standing one counts as given back. */
  @Nullable Booking same(Occurrence.Ask ask, Occurrence standing, Search.Misses misses) {
    Booking booking = java.util.Objects.requireNonNull(standing.booking()).over(ask.window());
    if (isOver(ask, booking.model(), ask.window(), misses)) {
      return null;
    }
    List<UUID> inTheWay = new ArrayList<>();
    for (Span more : added(standing.window(), ask.window())) {
      inTheWay.addAll(book.capacity().inTheWay(ask.id(), booking, more));
    }
    if (inTheWay.isEmpty()) {
      return booking;
    }
    misses.add(Reasons.plain("capacity", "its devices are taken then; it is never moved silently"));
    misses.blockedBy(inTheWay);
    return null;
  }

  private static List<Span> added(Span before, Span after) {
    List<Span> added = new ArrayList<>();
    if (after.start() < before.start()) {
      added.add(new Span(after.start(), Math.min(before.start(), after.end())));
    }
    if (after.end() > before.end()) {
      added.add(new Span(Math.max(before.end(), after.start()), after.end()));
    }
    return added;
  }

  private boolean isOver(Occurrence.Ask ask, String model, Span window, Search.Misses misses) {
    long need = Need.milli(ask.shape(), book.model(model));
    Limits.Standing standing = book.limits().check(ask.tenant(), model, need, window, false);
    if (standing instanceof Limits.Standing.Over over) {
      misses.over(over, model);
      return true;
    }
    return false;
  }

  /** It does not fit the empty fleet, or any guarantee known from now on. */
  boolean isNever(Occurrence.Ask ask) {
    return new Never(book, search, turn.now()).why(lease(ask)) != null;
  }

  Answer refusal(Occurrence.Ask ask, Search.Misses misses) {
    return answer(
        List.of(ask), new Outcome(List.of(), List.of(new Refused(ask, misses.asShort()))));
  }

  Answer answer(List<Occurrence.Ask> asks, Outcome outcome) {
    List<Answer.Reason> reasons = new ArrayList<>();
    List<Answer.Blocker> blockers = new ArrayList<>();
    for (Refused each : outcome.refused()) {
      each.why().reasons().forEach(reason -> reasons.add(of(each.ask(), reason)));
      each.why().blockers().stream()
          .filter(blocker -> blockers.size() < 16 && !blockers.contains(blocker))
          .forEach(blockers::add);
    }
    boolean never = isNever(asks.getFirst());
    return new Answer(
        Verdict.REFUSED,
        never ? Answer.Refusal.NEVER : Answer.Refusal.SHORTAGE,
        turn.now(),
        null,
        false,
        reasons,
        blockers,
        asks.size() > MOST_TRIED ? List.of() : alternatives(asks, outcome));
  }

  private static Answer.Reason of(Occurrence.Ask ask, Answer.Reason why) {
    return new Answer.Reason(
        why.code(),
        why.detail(),
        "occurrence",
        Instant.ofEpochSecond(ask.window().start() / Time.SECOND).toString(),
        why.need(),
        why.used(),
        why.limit(),
        why.unit());
  }

  private List<Answer.Alternative> alternatives(List<Occurrence.Ask> asks, Outcome outcome) {
    List<Answer.Alternative> found = new ArrayList<>();
    fewer(asks, found);
    otherModel(asks, found);
    later(asks, outcome.refused().getFirst().ask(), found);
    return found;
  }

  private void fewer(List<Occurrence.Ask> asks, List<Answer.Alternative> found) {
    Shape shape = asks.getFirst().shape();
    int size = shape.groups() > 0 ? shape.groups() : shape.count();
    int fits = 0;
    int fails = size;
    while (fails - fits > 1) {
      int middle = (fits + fails) / 2;
      Shape smaller = shape.resized(middle);
      if (allFit(asks.stream().map(each -> each.with(smaller)).toList())) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
    if (fits > 0) {
      add(found, "fewer-gpus", asks.getFirst().with(shape.resized(fits)));
    }
  }

  private void otherModel(List<Occurrence.Ask> asks, List<Answer.Alternative> found) {
    Shape shape = asks.getFirst().shape();
    for (String model : shape.models().isEmpty() ? List.<String>of() : book.capacity().models()) {
      Shape other = shape.ofModel(model);
      if (!shape.models().contains(model)
          && allFit(asks.stream().map(each -> each.with(other)).toList())) {
        add(found, "other-model", asks.getFirst().with(other));
        return;
      }
    }
  }

  /** All of it as much later as the first that does not fit must come. */
  private void later(
      List<Occurrence.Ask> asks, Occurrence.Ask refused, List<Answer.Alternative> found) {
    Span window = refused.window();
    for (String model : search.models(refused.shape())) {
      Found room =
          book.capacity()
              .earliest(
                  refused.shape(),
                  model,
                  window.start(),
                  window.start() + HORIZON,
                  window.end() - window.start(),
                  turn.now(),
                  new Budget(Search.STEPS));
      if (room instanceof Found.Room at) {
        long by = at.booking().hold().start() - window.start();
        if (by > 0 && allFit(asks.stream().map(each -> each.moved(by)).toList())) {
          add(found, "later-start", asks.getFirst().moved(by));
          return;
        }
      }
    }
  }

  private boolean allFit(List<Occurrence.Ask> asks) {
    Turn.Mark mark = turn.mark();
    boolean fit = all(asks, 1).refused().isEmpty();
    turn.back(mark);
    return fit;
  }

  private static void add(List<Answer.Alternative> found, String kind, Occurrence.Ask ask) {
    found.add(new Answer.Alternative(kind, ask.window().start(), lease(ask)));
  }

  /** As a lease would ask for it. */
  private static Ask lease(Occurrence.Ask ask) {
    return new Ask(
        ask.id(),
        ask.tenant(),
        "",
        ask.shape(),
        new Ask.When.At(ask.window()),
        false,
        Ask.Shortage.REFUSE,
        0,
        List.of());
  }
}
