package io.leasehold.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves one request after the other: it is booked, with others moved or ended for it where it has
 * the right, or waits, with an earmark where it is first, or is refused.
 */
final class Serving {

  private final Turn turn;
  private final Book book;
  private final long now;
  private final Life life;
  private final Search search;
  private final Gate gate;
  private final Earmarks earmarks;
  private final Answers answers;
  private final RoomByMoves moves;
  private final Preemption preemption;
  private final Map<Candidate.Lane, Attempt> vain = new HashMap<>();
  private Effects effects = new Effects();
  private boolean grew;

  /** What serving a line has changed for others. */
  static final class Effects {
    /** Something was booked. */
    boolean moved;

    boolean refused;

    /** An earmark is gone or is another. */
    boolean displaced;

    /** A borrower was ended for who reserved. */
    boolean tookBack;

    /** Planned leases lie elsewhere. */
    boolean rebound;

    /** Others were ended. */
    boolean preempted;
  }

  Serving(Turn turn, Life life, Search search, Gate gate, Answers answers) {
    this.turn = turn;
    this.book = turn.book();
    this.now = turn.now();
    this.life = life;
    this.search = search;
    this.gate = gate;
    this.earmarks = new Earmarks(turn, search);
    this.answers = answers;
    this.moves = new RoomByMoves(book, search, now);
    this.preemption = new Preemption(turn, life, search, answers);
  }

  /** Another line begins; what comes of it. */
  Effects begin() {
    effects = new Effects();
    vain.clear();
    earmarks.begin();
    moves.begin();
    return effects;
  }

  /** Whether room has grown, so that others may end for who waits. */
  void roomHasGrown(boolean hasGrown) {
    grew = hasGrown;
  }

  boolean hasRoomGrown() {
    return grew;
  }

  Line line() {
    return new Line(book, search, now, earmarks::areGiven);
  }

  /** Whether others may still end for those that wait. */
  boolean hunts() {
    return !preemption.isOutOfBreath();
  }

  Decision serve(Candidate candidate) {
    Candidate.Lane lane = Candidate.Lane.of(candidate.ask());
    Attempt attempt = candidate.isNew() ? null : vain.get(lane);
    if (attempt == null || candidate.lease().retryBudget() > 0) {
      Search.Numbers numbers = candidate.isNew() ? Search.Numbers.EXACT : Search.Numbers.ANY;
      attempt = search.attempt(candidate.terms(), candidate.lease().retryBudget(), numbers);
      if (attempt instanceof Attempt.Short) {
        vain.put(lane, attempt);
      }
    }
    return switch (attempt) {
      case Attempt.Fits fits -> book(candidate, fits);
      case Attempt.Short missing -> missing(candidate, missing);
      case Attempt.Spent _ -> undecided(candidate);
    };
  }

  private Decision book(Candidate candidate, Attempt.Fits fits) {
    return book(candidate, fits, instead(candidate, fits), null);
  }

  private List<Answer.Alternative> instead(Candidate candidate, Attempt.Fits fits) {
    boolean starts = fits.booking().hold().start() <= now;
    return starts || !candidate.isNew() ? List.of() : answers.alternatives(candidate, fits);
  }

  /**
   * @param toll who ended for it; null if nobody had to
   */
  private Decision book(
      Candidate candidate,
      Attempt.Fits fits,
      List<Answer.Alternative> instead,
      @Nullable Toll toll) {
    boolean starts = fits.booking().hold().start() <= now;
    Ask granted = Partial.granted(candidate.ask(), fits.booking(), book);
    Draft draft =
        Draft.of(candidate.lease())
            .ask(granted)
            .to(starts ? LeaseState.ALLOCATED : LeaseState.PLANNED)
            .window(fits.window())
            .booking(fits.booking())
            .earmark(null)
            .retryBudget(0);
    if (starts) {
      draft.raiseGeneration();
    }
    effects.moved = true;
    effects.displaced |= candidate.lease().earmark() != null;
    Lease lease = move(candidate, draft.lease(), starts ? "admitted" : "planned");
    Answer answer =
        toll == null
            ? answers.booked(lease, starts, instead)
            : answers.preempting(lease, starts, toll);
    return decided(lease, Partial.told(answer, candidate.ask(), granted));
  }

  /**
   * A new request gets a look at what would be if planned leases lay elsewhere; then at whom it may
   * have ended.
   */
  private Decision missing(Candidate candidate, Attempt.Short missing) {
    if (candidate.ask().reservation() != null) {
      return missingOfReservation(candidate, missing);
    }
    RoomByMoves.Outcome room =
        candidate.isNew() && !missing.after()
            ? moves.forRequest(candidate.terms())
            : new RoomByMoves.Outcome.NoUse();
    return switch (room) {
      case RoomByMoves.Outcome.Made made -> bookAfter(made, candidate);
      case RoomByMoves.Outcome.NotFound _ -> orPreempts(candidate, missing.withoutMoves());
      case RoomByMoves.Outcome.NoUse _ -> orPreempts(candidate, missing);
    };
  }

  /** On what is set aside only borrowers are in the way. */
  private Decision missingOfReservation(Candidate candidate, Attempt.Short missing) {
    Attempt.Fits back = missing.after() ? null : new Lent(turn, life).takeBack(candidate.terms());
    if (back == null) {
      return stillMissing(candidate, missing);
    }
    effects.tookBack = true;
    return book(candidate, back);
  }

  private Decision bookAfter(RoomByMoves.Outcome.Made made, Candidate candidate) {
    List<Answer.Alternative> instead = instead(candidate, made.fits());
    for (RoomByMoves.Moved each : made.moves()) {
      turn.move(each.lease(), Rebinding.to(each.booking(), each.lease(), book).lease(), "rebound");
    }
    effects.rebound = true;
    return book(candidate, made.fits(), instead, null);
  }

  private Decision orPreempts(Candidate candidate, Attempt.Short missing) {
    if (!missing.after() && (candidate.isNew() || grew)) {
      Toll toll = preemption.attempt(candidate);
      if (toll != null) {
        effects.preempted = true;
        return book(candidate, toll.fits(), List.of(), toll);
      }
    }
    return stillMissing(candidate, missing);
  }

  private Decision stillMissing(Candidate candidate, Attempt.Short missing) {
    Attempt.Short told = missing;
    if (candidate.isNew()) {
      told = Spared.told(book, search, candidate, missing);
      Decision no = refusal(candidate, told);
      if (no != null) {
        return no;
      }
    }
    return switch (earmarks.forCandidate(candidate, missing)) {
      case Earmarks.Now now -> book(candidate, now.fits());
      case Earmarks.None _ -> waits(candidate, null, told);
      case Earmarks.Given given -> waits(candidate, given.earmark(), told);
    };
  }

  /** Never, or not now and not willing or able to wait; null = it waits. */
  private @Nullable Decision refusal(Candidate candidate, Attempt.Short missing) {
    Ask ask = candidate.ask();
    List<Answer.Reason> never = answers.never(ask);
    if (never != null) {
      return decided(refuse(candidate.lease()), answers.refusedForEver(candidate, never, missing));
    }
    if (ask.onShortage() == Ask.Shortage.REFUSE || candidate.terms().waitsUntil() <= now) {
      return decided(refuse(candidate.lease()), answers.shortage(candidate, missing));
    }
    return gate.declinesWait(ask);
  }

  private Decision waits(
      Candidate candidate, Lease.@Nullable Earmark earmark, Attempt.Short missing) {
    Lease before = candidate.lease();
    if (candidate.isNew()) {
      List<Answer.Alternative> alternatives = answers.alternatives(candidate, missing);
      Lease lease =
          move(
              candidate,
              Draft.of(before).to(LeaseState.WAITING).earmark(earmark).lease(),
              "waiting");
      return decided(lease, answers.waiting(lease, missing, alternatives));
    }
    if (Objects.equals(before.earmark(), earmark) && before.retryBudget() == 0) {
      if (earmark != null) {
        book.putBack(before);
      }
      return new Decision.Done(before);
    }
    effects.displaced |= before.earmark() != null;
    Lease lease =
        move(candidate, Draft.of(before).earmark(earmark).retryBudget(0).lease(), "earmarked");
    return new Decision.Done(lease);
  }

  /** The budget is used up: it waits and is tried again with a larger one. */
  private Decision undecided(Candidate candidate) {
    Lease before = candidate.lease();
    long larger = Search.larger(before.retryBudget());
    if (larger == before.retryBudget()) {
      if (before.earmark() != null) {
        book.putBack(before);
      }
      return new Decision.Done(before);
    }
    Draft draft = Draft.of(before).retryBudget(larger);
    if (candidate.isNew()) {
      Decision.Declined declined = gate.declinesWait(candidate.ask());
      if (declined != null) {
        return declined;
      }
      draft.to(LeaseState.WAITING);
    }
    effects.displaced |= before.earmark() != null;
    Lease lease = move(candidate, draft.earmark(null).lease(), "undecided");
    return decided(lease, answers.undecided(Math.max(Search.STEPS, before.retryBudget()), larger));
  }

  private Lease refuse(Lease requested) {
    Lease lease = Draft.of(requested).to(LeaseState.REFUSED).ended(now, "refused").lease();
    effects.refused = true;
    return turn.move(null, lease, "refused");
  }

  Decision refuse(Lease requested, Answer answer) {
    return decided(refuse(requested), answer);
  }

  private Lease move(Candidate candidate, Lease after, String cause) {
    return turn.move(candidate.isNew() ? null : candidate.lease(), after, cause);
  }

  private Decision decided(Lease lease, Answer answer) {
    turn.answer(lease.id(), answer);
    return new Decision.Decided(lease, answer);
  }
}
