package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at when a request could be had: decides on it, takes that back, and looks at the room and
 * the limits of its tenant over time. Leaves the book as it was.
 */
final class Outlook {

  /** More are merged. */
  static final int MOST_INTERVALS = 200;

  /** Bits for the number of a time between two changes of contracts. */
  private static final int PART = 20;

  private final Book book;
  private final long now;
  private final long horizon;
  private final Search search;

  Outlook(Book book, long now, long horizon) {
    this.book = book;
    this.now = now;
    this.horizon = horizon;
    this.search = new Search(book, now);
  }

  Availability of(Ask ask) {
    int mark = book.mark();
    Turn turn = new Turn(book, now);
    Decision decision = new Admission(turn, new Life(turn)).verdict(ask);
    book.undo(mark);
    return switch (decision) {
      case Decision.Decided decided -> of(ask, decided.answer());
      case Decision.Declined declined ->
          new Availability(
              Verdict.REFUSED,
              Answer.Refusal.LIMIT,
              null,
              List.of(),
              List.of(Reasons.plain(Reasons.code(declined), declined.detail())));
      default -> throw new IllegalStateException("a request was answered with " + decision);
    };
  }

  private Availability of(Ask ask, Answer answer) {
    Terms terms = book.terms(ask, now);
    if (answer.refusal() == Answer.Refusal.LIMIT) {
      return new Availability(
          answer.verdict(), answer.refusal(), null, List.of(), answer.reasons());
    }
    Long first = answer.start();
    if (first == null && answer.refusal() != Answer.Refusal.NEVER) {
      first = firstStart(terms);
    }
    return new Availability(
        answer.verdict(), answer.refusal(), first, intervals(ask, terms), answer.reasons());
  }

  /** As if nobody came before it any more; nothing that is promised moves. */
  private @Nullable Long firstStart(Terms terms) {
    boolean waitsForOthers =
        !terms.ask().after().isEmpty()
            && search.attempt(terms, 0, Search.Numbers.ANY) instanceof Attempt.Short missing
            && missing.after();
    long latest = Math.min(terms.latestStart(), Time.plus(now, horizon));
    return !waitsForOthers
            && search.earliest(terms, latest, Search.STEPS) instanceof Attempt.Fits fits
        ? fits.window().start()
        : null;
  }

  private List<Availability.Interval> intervals(Ask ask, Terms terms) {
    Span span = span(ask, terms);
    Steps most = Steps.constant(span, 0);
    for (String model : search.models(ask.shape())) {
      most = most.with(of(ask, model, span), Math::max);
    }
    Steps merged = most.inAtMost(MOST_INTERVALS, Math::min);
    List<Availability.Interval> intervals = new ArrayList<>();
    for (int i = 0; i < merged.size(); i++) {
      if (merged.value(i) > 0) {
        intervals.add(new Availability.Interval(merged.start(i), merged.end(i), merged.value(i)));
      }
    }
    return intervals;
  }

  /** The time asked for; from now up to the horizon where any start would do. */
  private Span span(Ask ask, Terms terms) {
    long start = terms.earliestStart(now);
    long end =
        switch (ask.when()) {
          case Ask.When.Now _ -> Time.plus(now, horizon);
          case Ask.When.NowUntil until -> until.end();
          case Ask.When.At at -> at.span().end();
          case Ask.When.Within within -> within.span().end();
        };
    return new Span(start, Math.max(start + 1, Math.min(end, Time.plus(start, horizon))));
  }

  /** In pieces, of one model. */
  private Steps of(Ask ask, String model, Span span) {
    Shape shape = ask.shape();
    Demand demand = Demand.of(shape, book.model(model));
    if (demand == null || demand.each() == 0) {
      return Steps.constant(span, 0);
    }
    Topology topology = Topology.of(shape.topology());
    Steps supply =
        Supply.of(
            book.capacity().open(shape.where(), model), demand, topology, shape.where(), span);
    long perItem = Need.milli(shape, book.model(model)) / demand.items();
    Steps within =
        supply.with(
            Headroom.of(book, ask, model, span), (items, room) -> Math.min(items, room / perItem));
    if (book.entitlements().anyLendingLimit(model)) {
      within = lent(within, ask, model, perItem, span);
    }
    return within.with(Steps.constant(span, demand.each()), (items, each) -> items * each);
  }

  /** Without what others do not lend, as it is where room, limits or contracts change. */
  private Steps lent(Steps within, Ask ask, String model, long perItem, Span span) {
    Steps.Builder numbered = new Steps.Builder();
    int number = 0;
    for (long change : book.entitlements().changes(span)) {
      numbered.add(change, number++);
    }
    Steps parts =
        within
            .with(numbered.until(span.end()), (items, part) -> items << PART | part)
            .inAtMost(MOST_INTERVALS, Math::min);
    Steps.Builder lent = new Steps.Builder();
    for (int i = 0; i < parts.size(); i++) {
      lent.add(parts.start(i), lent(parts.start(i), parts.value(i) >> PART, ask, model, perItem));
    }
    return lent.until(span.end());
  }

  private long lent(long instant, long most, Ask ask, String model, long perItem) {
    Span at = new Span(instant, instant + 1);
    long fits = 0;
    long fails = most + 1;
    for (long items = most; items > fits; items = (fits + fails) / 2) {
      boolean over =
          book.limits().check(ask.tenant(), model, items * perItem, at, ask.preemptible())
              instanceof Limits.Standing.Over;
      fails = over ? items : fails;
      fits = over ? fits : items;
    }
    return fits;
  }
}
