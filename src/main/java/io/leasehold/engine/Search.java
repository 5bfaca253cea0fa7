package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a start and devices for one request, model by model in order of preference, inside the
 * limits of its tenant. Changes nothing.
 */
final class Search {

  static final long STEPS = 20_000;

  /** The steps of the next search after one of so many was cut short. */
  static long larger(long budget) {
    return Math.min(64 * STEPS, 2 * Math.max(STEPS, budget));
  }

  /** Whether the numbers of a failure matter: they do not where nobody is told. */
  enum Numbers {
    EXACT,
    ANY
  }

  private final Book book;
  private final long now;
  private final Map<UUID, Ask> pending = new LinkedHashMap<>();
  private final Choices choices;

  Search(Book book, long now) {
    this.book = book;
    this.now = now;
    this.choices = new Choices(book, now);
  }

  /** What the request may have at this instant: now, or planned where it asked for later. */
  Attempt attempt(Terms terms, long retryBudget, Numbers numbers) {
    List<UUID> before = terms.ask().after();
    if (!before.isEmpty()) {
      before = before.stream().filter(id -> !isOver(id)).toList();
    }
    if (!before.isEmpty()) {
      return new Attempt.Short(List.of(Reasons.after(before)), List.of(), true, 0);
    }
    if (terms.ask().reservation() != null) {
      return new Drawing(book, now).attempt(terms);
    }
    long steps = Math.max(STEPS, retryBudget);
    Attempt whole = whole(terms, steps, numbers);
    return whole instanceof Attempt.Short missing && terms.ask().least() != terms.ask()
        ? new Partial(book, this, now).attempt(terms, missing, steps, numbers)
        : whole;
  }

  /** As many as it asks for, and no fewer. */
  Attempt whole(Terms terms, long steps, Numbers numbers) {
    if (terms.ask().reservation() != null) {
      return new Drawing(book, now).attempt(terms);
    }
    if (terms.ask().when() instanceof Ask.When.Within) {
      return earliest(terms, terms.latestStart(), steps);
    }
    Attempt attempt = at(terms, terms.earliestStart(now), steps, numbers);
    return attempt instanceof Attempt.Short && borrows(terms.ask())
        ? borrowed(terms, terms.earliestStart(now), steps, attempt)
        : attempt;
  }

  /** Whole GPUs are lent: beside a fraction the rest of a GPU would be anybody's. */
  private boolean borrows(Ask ask) {
    return ask.preemptible()
        && ask.shape().slice() instanceof Shape.Slice.Whole
        && book.reserved().isAnyLent();
  }

  /** The same with what is set aside and idle now, which may be asked back: nothing for later. */
  private Attempt borrowed(Terms terms, long start, long steps, Attempt otherwise) {
    if (terms.endFrom(start) <= start || start > now) {
      return otherwise;
    }
    Span window = new Span(start, terms.endFrom(start));
    Span hold = terms.hold(window, now);
    int mark = book.mark();
    book.reserved().lend(hold);
    Attempt attempt = otherwise;
    for (String model : models(terms.ask().shape())) {
      Limits.Standing standing = standing(terms.ask(), model, window);
      if (!(standing instanceof Limits.Standing.Over)
          && book.capacity().placeUntold(terms.ask().shape(), model, hold, now, new Budget(steps))
              instanceof Found.Room room) {
        attempt = new Attempt.Fits(room.booking(), window, standing == Limits.GUARANTEED);
        break;
      }
    }
    book.undo(mark);
    return attempt;
  }

  long now() {
    return now;
  }

  /** Requests of this batch that are not decided yet are not over either. */
  void pending(Lease lease) {
    pending.put(lease.id(), lease.ask());
  }

  /** Those that are not decided yet. */
  Collection<Ask> undecided() {
    return pending.values();
  }

  void decided(UUID id) {
    pending.remove(id);
  }

  private boolean isOver(UUID id) {
    return book.lease(id) == null && !pending.containsKey(id);
  }

  /** Exactly at a start. */
  private Attempt at(Terms terms, long start, long steps, Numbers numbers) {
    Misses misses = new Misses(book);
    if (terms.endFrom(start) <= start) {
      return misses.asShort();
    }
    Ask ask = terms.ask();
    Span window = new Span(start, terms.endFrom(start));
    Span hold = terms.hold(window, now);
    List<String> models = models(ask.shape());
    if (ask.shape().models().isEmpty() && models.size() > 1) {
      Attempt.Fits cheapest = cheapest(ask, models, window, hold, new Budget(steps));
      if (cheapest != null) {
        return cheapest;
      }
    }
    for (String model : models) {
      if (numbers == Numbers.ANY && knownInVain(ask.shape(), model, hold)) {
        continue;
      }
      Limits.Standing standing = standing(ask, model, window);
      if (standing instanceof Limits.Standing.Over over) {
        misses.over(over, model);
        continue;
      }
      switch (place(ask.shape(), model, hold, new Budget(steps), numbers)) {
        case Found.Room room -> {
          return new Attempt.Fits(room.booking(), window, standing == Limits.GUARANTEED);
        }
        case Found.None none -> {
          if (numbers == Numbers.EXACT) {
            misses.none(none, model, ask.shape());
          }
        }
        case Found.GaveUp _ -> {
          return new Attempt.Spent();
        }
      }
    }
    return misses.asShort();
  }

  /**
   * Where no model is named: what is inside the guarantee first, then the model that costs least.
   */
  private Attempt.@Nullable Fits cheapest(
      Ask ask, List<String> models, Span window, Span hold, Budget budget) {
    List<String> guaranteed = new ArrayList<>();
    List<String> borrowed = new ArrayList<>();
    for (String model : models) {
      if (knownInVain(ask.shape(), model, hold)) {
        continue;
      }
      Limits.Standing standing = standing(ask, model, window);
      if (!(standing instanceof Limits.Standing.Over)) {
        (standing == Limits.GUARANTEED ? guaranteed : borrowed).add(model);
      }
    }
    for (List<String> some : List.of(guaranteed, borrowed)) {
      Booking booking =
          Cheapest.of(
              book.capacity(), new Cheapest.Candidates(ask.shape(), some, hold), now, budget);
      if (booking != null) {
        return new Attempt.Fits(booking, window, some == guaranteed);
      }
    }
    return null;
  }

  /** The earliest start of all models up to a latest one; the preferred model where equal. */
  Attempt earliest(Terms terms, long latest, long steps) {
    if (terms.ask().reservation() != null) {
      return new Drawing(book, now).earliest(terms, latest);
    }
    Misses misses = new Misses(book);
    Attempt.Fits best = null;
    boolean spent = false;
    for (String model : models(terms.ask().shape())) {
      long until = best == null ? latest : best.window().start() - 1;
      switch (earliestOf(terms, model, until, new Budget(steps), misses)) {
        case Attempt.Fits fits -> best = fits;
        case Attempt.Spent _ -> spent = true;
        case Attempt.Short _ -> {}
      }
    }
    return best != null ? best : spent ? new Attempt.Spent() : misses.asShort();
  }

  /** Room first, then limits at that start; where a limit is in the way, on from where it falls. */
  private Attempt earliestOf(Terms terms, String model, long latest, Budget budget, Misses misses) {
    Ask ask = terms.ask();
    long start = terms.earliestStart(now);
    while (start <= latest && start < Span.FOREVER) {
      Prepared prepared = new Prepared(terms, start, now);
      Found found = prepared.earliest(book.capacity(), model, latest, budget);
      if (found instanceof Found.None none) {
        misses.none(none, model, ask.shape());
        return misses.asShort();
      }
      if (!(found instanceof Found.Room room)) {
        return new Attempt.Spent();
      }
      start = prepared.startOf(room.booking());
      Span window = new Span(start, terms.endFrom(start));
      Booking booking = room.booking().over(terms.hold(window, now));
      Limits.Standing standing = standing(ask, model, window);
      if (!(standing instanceof Limits.Standing.Over over)) {
        return new Attempt.Fits(booking, window, standing == Limits.GUARANTEED);
      }
      misses.over(over, model);
      long next = nextChange(ask.tenant(), model, start);
      if (!budget.spend(16)) {
        return new Attempt.Spent();
      }
      start = next == Span.FOREVER ? next : Time.roundUp(next);
    }
    return misses.asShort();
  }

  /** The models to try, in order. */
  List<String> models(Shape shape) {
    return choices.models(shape);
  }

  /** The model that a request is tried with first, as things stand at this very instant. */
  Choice choice(Ask ask) {
    return choices.of(ask);
  }

  /** Whether others may have to give back what they borrow of what its tenant is guaranteed. */
  boolean mayReclaim(Ask ask) {
    return choices.mayReclaim(ask);
  }

  Ladders ladders() {
    return choices.ladders();
  }

  /**
   * Whether it is known by now that a request for now finds no devices, as far as room alone says:
   * where its shape finds none for the shortest time, nobody of that shape does until room grows.
   */
  boolean isInVainNow(Shape whole) {
    if (book.reserved().isAnyLent()) {
      return false;
    }
    Shape shape = whole.least();
    Span blink = new Span(now, now + 1);
    for (String model : models(shape)) {
      if (!(place(shape, model, blink, new Budget(STEPS), Numbers.ANY) instanceof Found.None)) {
        return false;
      }
    }
    return true;
  }

  /** Whether somebody of a shape found no devices, with any of its models. */
  boolean hasFailed(Shape whole) {
    Shape shape = whole.least();
    return models(shape).stream().allMatch(model -> book.memory().hasFailed(shape, model));
  }

  Limits.Standing standing(Ask ask, String model, Span window) {
    return choices.standing(ask, model, window);
  }

  private boolean knownInVain(Shape shape, String model, Span hold) {
    return hold.start() <= now && book.memory().inVain(shape, model, hold) != null;
  }

  private Found place(Shape shape, String model, Span hold, Budget budget, Numbers numbers) {
    boolean startsNow = hold.start() <= now;
    if (startsNow) {
      Memory memory = book.memory();
      Found.None known =
          numbers == Numbers.EXACT
              ? memory.same(shape, model, hold)
              : memory.inVain(shape, model, hold);
      if (known != null) {
        return known;
      }
    }
    Found found =
        numbers == Numbers.EXACT
            ? book.capacity().place(shape, model, hold, now, budget)
            : book.capacity().placeUntold(shape, model, hold, now, budget);
    if (startsNow && found instanceof Found.None none) {
      book.memory().failed(shape, model, hold, none);
    }
    return found;
  }

  /** The next instant at which more may be within the limits: usage falls or a contract begins. */
  private long nextChange(String tenant, String model, long after) {
    long next = Span.FOREVER;
    List<String> levels =
        book.entitlements().anyLendingLimit(model)
            ? book.tree().all().stream().map(Tenant::slug).toList()
            : book.tree().path(tenant);
    for (String level : levels) {
      next = Math.min(next, book.usage().of(level, model).nextFall(after));
    }
    Long contract = book.entitlements().changes(new Span(after, Span.FOREVER)).higher(after);
    return contract == null ? next : Math.min(next, contract);
  }

  /** Reasons gathered model by model. */
  static final class Misses {
    private final Book book;
    private final List<Answer.Reason> reasons = new ArrayList<>();
    private final List<Answer.Blocker> blockers = new ArrayList<>();
    private long most;

    Misses(Book book) {
      this.book = book;
    }

    void over(Limits.Standing.Over over, String model) {
      add(Reasons.over(over, model));
    }

    void none(Found.None none, String model, Shape shape) {
      most = Math.max(most, none.most());
      add(Reasons.noRoom(none, model, shape));
      blockedBy(none.blockers());
    }

    void blockedBy(List<UUID> ids) {
      for (UUID id : ids) {
        Lease holder = book.lease(id);
        if (holder != null && blockers.size() < 16) {
          Answer.Blocker blocker = Reasons.blocker(holder);
          if (!blockers.contains(blocker)) {
            blockers.add(blocker);
          }
        }
      }
    }

    Attempt.Short asShort() {
      return new Attempt.Short(reasons, blockers, false, most);
    }

    void add(Answer.Reason reason) {
      if (!reasons.contains(reason)) {
        reasons.add(reason);
      }
    }
  }
}
