package io.leasehold.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Serves new requests and, when something came free, all that wait, in order of precedence. Each is
 * booked, or waits, or is refused; the first of each contended set of models gets an earmark that
 * nothing after it can delay.
 */
final class Admission {

  private static final int MOST_PASSES = 8;

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
  private final Reprieve reprieve;
  private final Map<Candidate.Lane, Attempt> vain = new HashMap<>();
  private boolean grew;
  private boolean preempted;
  private boolean moved;
  private boolean refused;
  private boolean displaced;
  private boolean tookBack;
  private boolean rebound;

  Admission(Turn turn, Life life) {
    this.turn = turn;
    this.life = life;
    this.book = turn.book();
    this.now = turn.now();
    this.search = new Search(book, now);
    this.gate = new Gate(book, now);
    this.earmarks = new Earmarks(turn, search);
    this.answers = new Answers(book, search, now);
    this.moves = new RoomByMoves(book, search, now);
    this.preemption = new Preemption(turn, life, search, answers);
    this.reprieve = new Reprieve(turn);
  }

  /** What a request would be answered, without what would work instead. */
  Decision verdict(Ask ask) {
    answers.withoutAlternatives();
    return serve(List.of(ask)).getFirst();
  }

  /** A new request: in line, or answered at the gate. */
  private sealed interface Arrival {
    record In(Lease lease) implements Arrival {}

    record Out(Decision decision) implements Arrival {}
  }

  /** Decides on new requests together with what is woken; in the order of the requests. */
  List<Decision> serve(List<Ask> asks) {
    Map<UUID, Integer> index = new HashMap<>();
    Decision[] decisions = new Decision[asks.size()];
    List<Lease> fresh = new ArrayList<>();
    grew = book.memory().hasRoomGrown();
    reprieve.grant();
    startDelayed();
    replaceWhatWaits();
    startEarly();
    for (int i = 0; i < decisions.length; i++) {
      Ask ask = asks.get(i);
      if (index.putIfAbsent(ask.lease(), i) != null) {
        decisions[i] = askedTwice(ask);
        continue;
      }
      switch (arrives(ask)) {
        case Arrival.In in -> fresh.add(in.lease());
        case Arrival.Out out -> decisions[i] = out.decision();
      }
    }
    boolean again = first(fresh, index, decisions);
    for (int pass = 1; (again | spares()) && pass < MOST_PASSES; pass++) {
      book.memory().roomMayHaveGrown();
      grew = true;
      startDelayed();
      replaceWhatWaits();
      again = serveInOrder(List.of(), index, decisions, Who.ALL);
    }
    book.memory().allTried();
    return Arrays.stream(decisions).map(this::current).toList();
  }

  /** The answer and what is stored agree, also where a later request served this one again. */
  Decision current(Decision decision) {
    return switch (decision) {
      case Decision.Decided decided -> current(decided);
      case Decision.DecidedAtomic atomic when atomic.kept() ->
          new Decision.DecidedAtomic(true, atomic.each().stream().map(this::current).toList());
      default -> decision;
    };
  }

  private Decision.Decided current(Decision.Decided decided) {
    if (decided.lease().state().isFinal()) {
      return decided;
    }
    Lease lease = turn.last(decided.lease());
    return lease.revision() == decided.lease().revision()
        ? decided
        : new Decision.Decided(lease, turn.lastAnswer(lease.id(), decided.answer()));
  }

  /** Who of those that wait stands in line. */
  private enum Who {
    ALL,
    EARMARKED
  }

  /**
   * Serves new requests with those waiting that something may have changed for. Where that takes an
   * earmark away, or ends leases, it may have changed for all: then everybody is in line from the
   * start.
   */
  private boolean first(List<Lease> fresh, Map<UUID, Integer> index, Decision[] decisions) {
    if (!book.memory().isQuiet()) {
      return serveInOrder(fresh, index, decisions, Who.ALL);
    }
    Turn.Mark mark = turn.mark();
    boolean crowd = !book.register().waiting().isEmpty();
    boolean again = serveInOrder(fresh, index, decisions, Who.EARMARKED);
    if (displaced || (preempted && crowd)) {
      turn.back(mark);
      book.memory().roomMayHaveGrown();
      again = serveInOrder(fresh, index, decisions, Who.ALL);
    }
    return again;
  }

  /** Whether somebody who was to end for another is spared that. */
  private boolean spares() {
    boolean elsewhere = grew && reprieve.startElsewhere(life);
    return reprieve.grant() || elsewhere;
  }

  /** Planned leases whose devices others still had in their hands. */
  private void startDelayed() {
    List.copyOf(book.register().delayed()).forEach(life::start);
  }

  /** Active leases some of whose nodes wait for others in their place. */
  private void replaceWhatWaits() {
    if (!book.memory().isQuiet() && !book.register().replacing().isEmpty()) {
      new Replacement(turn).retry();
    }
  }

  /** Planned leases that asked for now, where the last who had their devices has let go. */
  private void startEarly() {
    Set<UUID> nodes = new LinkedHashSet<>();
    for (Move move : turn.moves()) {
      if (move instanceof Move.LeaseMoved moved) {
        Life.letGo(moved).forEach(slot -> nodes.add(slot.node()));
      }
    }
    for (UUID node : nodes) {
      List.copyOf(book.register().claims(node)).forEach(life::startEarly);
    }
  }

  /**
   * Serves a line once.
   *
   * @return whether what was given changes who is next or what is free for whom
   */
  private boolean serveInOrder(
      List<Lease> fresh, Map<UUID, Integer> index, Decision[] decisions, Who who) {
    moved = false;
    refused = false;
    displaced = false;
    tookBack = false;
    rebound = false;
    preempted = false;
    boolean agedMoved = false;
    vain.clear();
    earmarks.begin();
    List<Lease> earmarked = List.copyOf(book.register().earmarked());
    answers.begin(earmarked);
    moves.begin();
    Line line = new Line(book, search, now, earmarks::areGiven);
    if (who == Who.ALL) {
      line.addHopeful(() -> !preemption.isOutOfBreath());
    } else {
      line.addEarmarked();
    }
    for (Lease lease : fresh) {
      search.pending(lease);
      line.add(lease);
    }
    earmarked.forEach(book::lift);
    for (Candidate candidate = line.poll(); candidate != null; candidate = line.poll()) {
      UUID id = candidate.ask().lease();
      Decision decision = serve(candidate);
      if (candidate.isNew()) {
        search.decided(id);
        decisions[index.get(id)] = decision;
      }
      Lease lease = book.lease(id);
      if (lease != null && lease.state() != LeaseState.WAITING) {
        agedMoved |= candidate.aged();
        line.follow(candidate);
      }
    }
    if (book.register().waiting().isEmpty() && book.register().delayed().isEmpty()) {
      return false;
    }
    boolean orderChanged = agedMoved || (moved && !book.entitlements().isEmpty());
    boolean followersFree = refused && line.anyAfter();
    boolean delayedFree = (moved || displaced) && !book.register().delayed().isEmpty();
    boolean roomGrew = tookBack || rebound || preempted || (displaced && who == Who.EARMARKED);
    return orderChanged || followersFree || delayedFree || roomGrew;
  }

  /** All of them booked, or nothing happened. */
  Decision serveAtomic(List<Ask> asks) {
    Turn.Mark mark = turn.mark();
    List<Decision.Decided> each = new ArrayList<>();
    boolean kept = true;
    Set<UUID> ids = new HashSet<>();
    for (Ask ask : asks) {
      Decision decision =
          !ids.add(ask.lease())
              ? askedTwice(ask)
              : switch (arrives(ask)) {
                case Arrival.In in ->
                    serve(new Line(book, search, now, earmarks::areGiven).candidate(in.lease()));
                case Arrival.Out out -> out.decision();
              };
      if (!(decision instanceof Decision.Decided decided)) {
        turn.back(mark);
        return decision;
      }
      each.add(decided);
      kept &= decided.lease().state().hasPromise();
    }
    if (!kept) {
      turn.back(mark);
    }
    return new Decision.DecidedAtomic(kept, each);
  }

  private Arrival arrives(Ask ask) {
    Decision.Declined declined = gate.declines(ask);
    if (declined != null) {
      return new Arrival.Out(declined);
    }
    Lease lease = Draft.requested(ask, book.register().nextSequence(now), now);
    Answer.Reason limit = gate.limit(book.terms(lease));
    return limit == null
        ? new Arrival.In(lease)
        : new Arrival.Out(refuse(lease, answers.refused(Answer.Refusal.LIMIT, List.of(limit))));
  }

  private static Decision askedTwice(Ask ask) {
    return new Decision.Declined(
        Decision.Declined.Why.ID_TAKEN, "lease " + ask.lease() + " is asked twice", null);
  }

  private Decision serve(Candidate candidate) {
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
    moved = true;
    displaced |= candidate.lease().earmark() != null;
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
    tookBack = true;
    return book(candidate, back);
  }

  private Decision bookAfter(RoomByMoves.Outcome.Made made, Candidate candidate) {
    List<Answer.Alternative> instead = instead(candidate, made.fits());
    for (RoomByMoves.Moved each : made.moves()) {
      turn.move(each.lease(), Draft.of(each.lease()).booking(each.booking()).lease(), "rebound");
    }
    rebound = true;
    return book(candidate, made.fits(), instead, null);
  }

  private Decision orPreempts(Candidate candidate, Attempt.Short missing) {
    if (!missing.after() && (candidate.isNew() || grew)) {
      Toll toll = preemption.attempt(candidate);
      if (toll != null) {
        preempted = true;
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
    if (java.util.Objects.equals(before.earmark(), earmark) && before.retryBudget() == 0) {
      if (earmark != null) {
        book.putBack(before);
      }
      return new Decision.Done(before);
    }
    displaced |= before.earmark() != null;
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
    displaced |= before.earmark() != null;
    Lease lease = move(candidate, draft.earmark(null).lease(), "undecided");
    return decided(lease, answers.undecided(Math.max(Search.STEPS, before.retryBudget()), larger));
  }

  private Lease refuse(Lease requested) {
    Lease lease = Draft.of(requested).to(LeaseState.REFUSED).ended(now, "refused").lease();
    this.refused = true;
    return turn.move(null, lease, "refused");
  }

  private Decision refuse(Lease requested, Answer answer) {
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
