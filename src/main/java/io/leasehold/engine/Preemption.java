package io.leasehold.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
  private final Map<Room, Boolean> freeByThen = new HashMap<>();
  private long asOf;
  private int tried;
  private int hunted;

  /** What equal requests look for. */
  private record Room(Shape shape, String model, Span hold) {}

  /** Whose end makes room, and where those of them that have not begun go instead. */
  private record Prey(Toll toll, Map<UUID, Booking> elsewhere) {}

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
    if (candidate.ask().reservation() != null
        || (!candidate.isNew() && isOutOfBreath())
        || Claim.isTooLate(candidate.terms(), now)) {
      return null;
    }
    int before = hunted;
    Terms whole = candidate.terms();
    Prey prey = prey(whole);
    if (prey == null && whole.least() != whole) {
      prey = ofLess(whole);
    }
    tried += !candidate.isNew() && hunted > before ? 1 : 0;
    return prey == null ? null : taken(candidate, prey);
  }

  private @Nullable Prey prey(Terms terms) {
    List<Aim> aims = aims(terms);
    if (aims.isEmpty() || isFreeByThen(terms)) {
      return null;
    }
    List<Hunt> hunts = aims.stream().flatMap(this::hunts).toList();
    hunted += hunts.size();
    return hunts.isEmpty() ? null : supposing(() -> best(hunts));
  }

  /** A gang that may start smaller gets the most that others can make room for. */
  private @Nullable Prey ofLess(Terms terms) {
    Prey most = prey(terms.least());
    int fits = terms.least().ask().shape().size();
    int fails = terms.ask().shape().size();
    while (most != null && fails - fits > 1) {
      int middle = (fits + fails) >>> 1;
      Prey more = prey(terms.with(terms.ask().shape().scaled(middle)));
      most = more == null ? most : more;
      fits = more == null ? fits : middle;
      fails = more == null ? middle : fails;
    }
    return most;
  }

  private Toll taken(Candidate candidate, Prey prey) {
    Toll paid = prey.toll().without(prey.elsewhere().keySet());
    paid.victims().forEach(victim -> end(victim, candidate));
    prey.elsewhere().forEach(this::rebind);
    return paid;
  }

  /** What should be free by now and is not may stay that way: it is no room to wait for. */
  static void withhold(Book book, long now) {
    for (Lease lease : book.register().overdue(now)) {
      Booking late = lease.state() == LeaseState.ENDING ? lease.booking() : lease.leaving();
      Booking stays = Objects.requireNonNull(late).over(new Span(now, Span.FOREVER));
      book.capacity().take(lease.id(), stays);
    }
  }

  private <T> T supposing(Supplier<T> search) {
    int mark = book.mark();
    Memory.Kept kept = book.memory().keep();
    withhold(book, now);
    T found = search.get();
    book.undo(mark);
    book.memory().back(kept);
    return found;
  }

  private void rebind(UUID id, Booking booking) {
    Lease lease = Objects.requireNonNull(book.lease(id));
    turn.move(lease, Rebinding.to(booking, lease, book).lease(), "rebound");
  }

  private void end(VictimWalk.Victim victim, Candidate candidate) {
    Lease lease = Objects.requireNonNull(book.lease(victim.lease().id()));
    Lease after = victim.after(life, book, candidate.ask().lease());
    Answer answer = answers.preempted(victim, candidate, book);
    turn.move(lease, after, cause(victim));
    turn.answer(lease.id(), answer);
    life.disrupted(lease);
  }

  private String cause(VictimWalk.Victim victim) {
    boolean noticed = victim.lease().state() != LeaseState.PLANNED && victim.effectiveAt() > now;
    return !victim.ends() ? "reduced" : noticed ? "noticed" : Life.PREEMPTED;
  }

  /** Whether so many of those that wait were tried that no other of them is in this decision. */
  boolean isOutOfBreath() {
    return tried >= MOST_WAITING;
  }

  /** A model on which others might make room, and by what right. */
  private record Aim(Claim claim, Mandate mandate, Demand demand) {}

  private List<Aim> aims(Terms terms) {
    List<Aim> aims = new ArrayList<>();
    for (String model : search.models(terms.ask().shape())) {
      Claim claim = new Claim(book, terms, model, now);
      Mandate mandate = Mandate.of(book, claim, now);
      Demand demand = Demand.of(terms.ask().shape(), book.model(model));
      if (!mandate.isEmpty() && demand != null) {
        aims.add(new Aim(claim, mandate, demand));
      }
    }
    return aims;
  }

  /** The first model, in the order asked for, that somebody can make room on. */
  private @Nullable Prey best(List<Hunt> hunts) {
    Toll best = null;
    Claim of = hunts.getFirst().claim();
    for (Hunt hunt : hunts) {
      if (best == null || hunt.claim().model().equals(of.model())) {
        Toll toll = hunt.run(life);
        best = best == null || (toll != null && toll.compareTo(best) < 0) ? toll : best;
        of = hunt.claim();
      }
    }
    return best == null ? null : new Prey(best, new Displaced(book, life, now).by(best, of));
  }

  /** Whether what ends by itself, or is withdrawn already, is free as soon as victims would be. */
  private boolean isFreeByThen(Terms terms) {
    return search.models(terms.ask().shape()).stream()
        .map(model -> new Claim(book, terms, model, now))
        .anyMatch(claim -> claim.isAllowed(claim.soon()) && isFreeByThen(claim));
  }

  private boolean isInTime() {
    return book.register().overdue(now).isEmpty();
  }

  private static boolean isFree(Claim claim) {
    return claim.devices(claim.soon()) != null;
  }

  private boolean isFreeByThen(Claim claim) {
    if (asOf != book.memory().changes()) {
      asOf = book.memory().changes();
      freeByThen.clear();
    }
    Room room = new Room(claim.terms().ask().shape(), claim.model(), claim.holdFrom(claim.soon()));
    Boolean known = freeByThen.get(room);
    if (known == null) {
      known = isFree(claim) && (isInTime() || supposing(() -> isFree(claim)));
      freeByThen.put(room, known);
    }
    return known;
  }

  /** Where there is somebody to take from, cluster by cluster. */
  private Stream<Hunt> hunts(Aim aim) {
    Shape.Where where = aim.claim().terms().ask().shape().where();
    return book.capacity().open(where, aim.claim().model()).stream()
        .map(stock -> new Hunt(book, aim.claim(), aim.mandate(), aim.demand(), stock))
        .filter(Hunt::hasPrey);
  }
}
