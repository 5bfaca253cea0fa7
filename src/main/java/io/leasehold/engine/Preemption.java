package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for a request by ending leases of lower precedence: domain by domain the least
 * precious first, simulated before anything is done. Nobody is ended where there is room by the
 * time their devices would be free.
 */
final class Preemption {

  private final Turn turn;
  private final Book book;
  private final Life life;
  private final Search search;
  private final long now;

  Preemption(Turn turn, Life life, Search search) {
    this.turn = turn;
    this.book = turn.book();
    this.life = life;
    this.search = search;
    this.now = turn.now();
  }

  /** What the request gets by the end of others, who are ended; null if it gets nothing. */
  @Nullable Toll attempt(Candidate candidate) {
    int mark = book.mark();
    Toll toll = search(candidate);
    book.undo(mark);
    if (toll != null) {
      toll.victims().forEach(this::end);
    }
    return toll;
  }

  private void end(VictimWalk.Victim victim) {
    Lease lease = victim.lease();
    Lease after = life.preempted(lease, victim.effectiveAt());
    turn.move(lease, after, after.notice() == null ? Life.PREEMPTED : "notice");
  }

  /** The first model, in the order asked for, that somebody can make room on. */
  private @Nullable Toll search(Candidate candidate) {
    List<Hunt> hunts = new ArrayList<>();
    for (String model : search.models(candidate.ask().shape())) {
      hunts.addAll(hunts(candidate, model));
    }
    if (hunts.isEmpty() || isFreeByThen(candidate)) {
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
    Mandate mandate = mandate(candidate, claim);
    Demand demand = Demand.of(candidate.ask().shape(), book.model(model));
    if (mandate.isEmpty() || demand == null) {
      return List.of();
    }
    return book.capacity().open(candidate.ask().shape().where(), model).stream()
        .map(stock -> new Hunt(book, claim, mandate, demand, stock))
        .filter(Hunt::hasPrey)
        .toList();
  }

  /** What may not be preempted has to fit its guarantee in the end, so it reclaims it. */
  private Mandate mandate(Candidate candidate, Claim claim) {
    Ask ask = candidate.ask();
    boolean reclaims =
        !book.entitlements().isEmpty()
            && (!ask.preemptible() || search.isCarried(ask, claim.model()));
    return new Mandate(book, candidate.terms(), claim.model(), reclaims, now);
  }
}
