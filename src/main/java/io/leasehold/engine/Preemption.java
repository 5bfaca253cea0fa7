package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a request by ending leases of lower precedence: domain by domain the least
 * precious first, simulated before anything is done. Nobody is ended where there is room by the
 * time their devices would be free.
 */
final class Preemption {

  /** So many of those that wait have others end for them, or are told no, in one decision. */
  private static final int MOST_WAITING = 64;

  private final Turn turn;
  private final Book book;
  private final Life life;
  private final Search search;
  private final Answers answers;
  private final long now;
  private int tried;

  Preemption(Turn turn, Life life, Search search, Answers answers) {
    this.turn = turn;
    this.book = turn.book();
    this.life = life;
    this.search = search;
    this.answers = answers;
    this.now = turn.now();
  }

  /** What the request gets by the end of others, who are ended; null if it gets nothing. */
  @Nullable Toll attempt(Candidate candidate) {
    if (candidate.ask().reservation() != null || Claim.isTooLate(candidate.terms(), now)) {
      return null;
    }
    int mark = book.mark();
    boolean grown = book.memory().hasRoomGrown();
    withhold(book, now);
    Toll toll = search(candidate);
    Map<UUID, Booking> elsewhere =
        toll == null ? Map.of() : new Displaced(book, life, now).by(toll);
    book.undo(mark);
    book.memory().tell(grown);
    if (toll != null) {
      Toll paid = toll.without(elsewhere.keySet());
      paid.victims().forEach(victim -> end(victim, candidate));
      elsewhere.forEach(this::rebind);
      return paid;
    }
    return null;
  }

  /** What should be free by now and is not may stay that way: it is no room to wait for. */
  static void withhold(Book book, long now) {
    for (Lease lease : book.register().overdue(now)) {
      Booking late = lease.state() == LeaseState.ENDING ? lease.booking() : lease.leaving();
      Booking stays = Objects.requireNonNull(late).over(new Span(now, Span.FOREVER));
      book.capacity().take(lease.id(), stays);
    }
  }

  private void rebind(UUID id, Booking booking) {
    Lease lease = Objects.requireNonNull(book.lease(id));
    turn.move(lease, Draft.of(lease).booking(booking).delayedBy(null).lease(), "rebound");
  }

  private void end(VictimWalk.Victim victim, Candidate candidate) {
    Lease lease = Objects.requireNonNull(book.lease(victim.lease().id()));
    Lease after = victim.after(life, book);
    Answer answer = answers.preempted(victim, candidate, book);
    turn.move(lease, after, cause(victim));
    turn.answer(lease.id(), answer);
    Victims.Lot lot = Victims.Lot.of(lease);
    List<Long> times =
        book.disruptions()
            .withOneMore(lot, Objects.requireNonNull(book.serviceClass(lot.serviceClass())), now);
    if (times != null) {
      turn.move(new Move.DisruptionSet(lot.tenant(), lot.serviceClass(), times));
    }
  }

  private String cause(VictimWalk.Victim victim) {
    boolean noticed = victim.lease().state() != LeaseState.PLANNED && victim.effectiveAt() > now;
    return !victim.ends() ? "reduced" : noticed ? "noticed" : Life.PREEMPTED;
  }

  /** The first model, in the order asked for, that somebody can make room on. */
  private @Nullable Toll search(Candidate candidate) {
    if (!candidate.isNew() && tried >= MOST_WAITING) {
      return null;
    }
    List<Hunt> hunts = new ArrayList<>();
    for (String model : search.models(candidate.ask().shape())) {
      hunts.addAll(hunts(candidate, model));
    }
    if (hunts.isEmpty()) {
      return null;
    }
    tried += candidate.isNew() ? 0 : 1;
    if (isFreeByThen(candidate)) {
      return null;
    }
    Toll best = null;
    String of = "";
    for (Hunt hunt : hunts) {
      if (best == null || hunt.claim().model().equals(of)) {
        Toll toll = hunt.run(life);
        best = best == null || (toll != null && toll.compareTo(best) < 0) ? toll : best;
        of = hunt.claim().model();
      }
    }
    return best;
  }

  /** Whether what ends by itself, or is withdrawn already, is free as soon as victims would be. */
  private boolean isFreeByThen(Candidate candidate) {
    return search.models(candidate.ask().shape()).stream()
        .map(model -> new Claim(book, candidate.terms(), model, now))
        .anyMatch(claim -> claim.place(claim.soon()) != null);
  }

  /** Where there is somebody to take from, cluster by cluster. */
  private List<Hunt> hunts(Candidate candidate, String model) {
    Claim claim = new Claim(book, candidate.terms(), model, now);
    Mandate mandate = Mandate.of(book, claim, now);
    Demand demand = Demand.of(candidate.ask().shape(), book.model(model));
    if (mandate.isEmpty() || demand == null) {
      return List.of();
    }
    return book.capacity().open(candidate.ask().shape().where(), model).stream()
        .map(stock -> new Hunt(book, claim, mandate, demand, stock))
        .filter(Hunt::hasPrey)
        .toList();
  }
}
