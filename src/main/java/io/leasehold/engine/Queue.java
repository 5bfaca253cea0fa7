package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What waits, in order, and what is known of when it starts: an earmark, or for the first few an
 * estimate. Changes nothing.
 */
final class Queue {

  /** So many get an estimate, where they have no earmark. */
  static final int ESTIMATED = 50;

  private static final long STEPS = Search.STEPS / 5;

  private final Book book;
  private final long now;
  private final Search search;
  private final Set<List<String>> given = new HashSet<>();

  Queue(Book book, long now) {
    this.book = book;
    this.now = Math.max(now, book.now());
    this.search = new Search(book, this.now);
    book.register().earmarked().stream()
        .filter(lease -> !lease.earmark().cause().equals("aged"))
        .forEach(lease -> given.add(Candidate.Kind.of(lease.ask()).models()));
  }

  List<Place> places() {
    List<Place> places = new ArrayList<>();
    walk(
        place -> {
          places.add(place);
          return true;
        });
    return places;
  }

  private @Nullable Place placeOf(UUID id) {
    Place[] found = new Place[1];
    walk(
        place -> {
          found[0] = place.lease().equals(id) ? place : null;
          return found[0] == null;
        });
    return found[0];
  }

  /** In order, each after what those before it will have got by then; for as long as one looks. */
  private void walk(Predicate<Place> looksOn) {
    int mark = book.mark();
    Line line = line();
    line.addWaiting();
    boolean more = true;
    Candidate candidate = line.poll();
    for (int position = 1; more && candidate != null; position++) {
      more = looksOn.test(place(candidate, position));
      line.follow(candidate);
      candidate = line.poll();
    }
    book.undo(mark);
  }

  Answer explain(UUID id) {
    Lease lease = book.lease(id);
    if (lease == null) {
      throw new IllegalArgumentException("no live lease " + id);
    }
    Answers answers = new Answers(book, search, now);
    if (lease.state() == LeaseState.PLANNED) {
      return answers.booked(lease, false, insteadOf(lease, answers));
    }
    if (lease.state() != LeaseState.WAITING) {
      return book.register().replacing().contains(lease)
          ? waitForSpare(lease)
          : answers.booked(lease, true);
    }
    Candidate candidate = line().candidate(lease);
    Attempt attempt = search.attempt(candidate.terms(), lease.retryBudget(), Search.Numbers.EXACT);
    return attempt instanceof Attempt.Short missing
        ? answers.explained(
            candidate, Spared.told(book, search, candidate, missing), expectedStart(id))
        : answers.undecided(
            Math.max(Search.STEPS, lease.retryBudget()), Search.larger(lease.retryBudget()));
  }

  private Answer waitForSpare(Lease lease) {
    int mark = book.mark();
    Answer answer = new Replacement(new Turn(book, now)).answer(lease);
    book.undo(mark);
    return answer;
  }

  /** As if it were not planned. */
  private List<Answer.Alternative> insteadOf(Lease planned, Answers answers) {
    Attempt.Fits fits =
        new Attempt.Fits(
            Objects.requireNonNull(planned.booking()),
            Objects.requireNonNull(planned.window()),
            false);
    Lease waiting = Draft.of(planned).toLine().lease();
    int mark = book.mark();
    book.suppose(waiting);
    List<Answer.Alternative> instead = answers.alternatives(line().candidate(waiting), fits);
    book.undo(mark);
    return instead;
  }

  private Line line() {
    return new Line(book, search, now, given::contains);
  }

  private @Nullable Long expectedStart(UUID id) {
    Place place = placeOf(id);
    return place == null ? null : place.expectedStart();
  }

  private Place place(Candidate candidate, int position) {
    Lease lease = candidate.lease();
    Lease.Earmark earmark = lease.earmark();
    Long start =
        earmark != null
            ? Long.valueOf(earmark.start())
            : position <= ESTIMATED ? estimate(candidate) : null;
    return new Place(
        lease.id(),
        lease.ask().tenant(),
        candidate.need(),
        position,
        start,
        earmark != null,
        List.of());
  }

  /** When it would start if nobody came before it any more; taken for those behind it. */
  private @Nullable Long estimate(Candidate candidate) {
    if (waitsForOthers(candidate)
        || !(search.earliest(candidate.terms().least(), candidate.terms().waitsUntil(), STEPS)
            instanceof Attempt.Fits fits)) {
      return null;
    }
    Lease.Earmark taken = new Lease.Earmark(fits.window().start(), fits.booking(), 0, "estimate");
    book.suppose(Draft.of(candidate.lease()).earmark(taken).lease());
    return fits.window().start();
  }

  private boolean waitsForOthers(Candidate candidate) {
    return !candidate.ask().after().isEmpty()
        && search.attempt(candidate.terms(), 0, Search.Numbers.ANY) instanceof Attempt.Short missing
        && missing.after();
  }
}
