package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** What waits, in order, and what is known of when it starts. Changes nothing. */
final class Queue {

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
    Line line = line();
    line.addWaiting();
    List<Place> places = new ArrayList<>();
    while (!line.isEmpty()) {
      Candidate candidate = line.poll();
      places.add(place(candidate, places.size() + 1));
      line.follow(candidate);
    }
    return places;
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
      return answers.booked(lease, true);
    }
    Candidate candidate = line().candidate(lease);
    Attempt attempt = search.attempt(candidate.terms(), lease.retryBudget(), Search.Numbers.EXACT);
    return attempt instanceof Attempt.Short missing
        ? answers.explained(candidate, missing)
        : answers.undecided();
  }

  /** As if it were not planned. */
  private List<Answer.Alternative> insteadOf(Lease planned, Answers answers) {
    Attempt.Fits fits =
        new Attempt.Fits(
            Objects.requireNonNull(planned.booking()),
            Objects.requireNonNull(planned.window()),
            false);
    Lease waiting =
        Draft.of(planned).to(LeaseState.WAITING).booking(null).window(null).lease();
    int mark = book.mark();
    book.lift(waiting);
    List<Answer.Alternative> instead =
        answers.alternatives(line().candidate(waiting), fits);
    book.undo(mark);
    return instead;
  }

  private Line line() {
    return new Line(book, search, now, given::contains);
  }

  private Place place(Candidate candidate, int position) {
    Lease lease = candidate.lease();
    Lease.Earmark earmark = lease.earmark();
    return new Place(
        lease.id(),
        lease.ask().tenant(),
        candidate.need(),
        position,
        earmark == null ? null : earmark.start(),
        earmark != null,
        List.of());
  }
}
