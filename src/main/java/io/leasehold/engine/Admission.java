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

/**
 * New requests and, when something came free, all that wait, served in order of precedence; again
 * where what one got changes who is next or what is free for whom.
 */
final class Admission {

  private static final int MOST_PASSES = 8;

  private final Turn turn;
  private final Book book;
  private final long now;
  private final Life life;
  private final Search search;
  private final Gate gate;
  private final Answers answers;
  private final Serving serving;
  private final Reprieve reprieve;
  private Serving.Effects effects = new Serving.Effects();

  Admission(Turn turn, Life life) {
    this.turn = turn;
    this.life = life;
    this.book = turn.book();
    this.now = turn.now();
    this.search = new Search(book, now);
    this.gate = new Gate(book, now);
    this.answers = new Answers(book, search, now);
    this.serving = new Serving(turn, life, search, gate, answers);
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
    serving.roomHasGrown(book.memory().hasRoomGrown());
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
      roomMayHaveGrown();
      startDelayed();
      replaceWhatWaits();
      again = serveInOrder(List.of(), index, decisions, Who.ALL);
    }
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
    if (effects.displaced || (effects.preempted && crowd)) {
      turn.back(mark);
      roomMayHaveGrown();
      again = serveInOrder(fresh, index, decisions, Who.ALL);
    }
    return again;
  }

  private void roomMayHaveGrown() {
    book.memory().roomMayHaveGrown();
    serving.roomHasGrown(true);
  }

  /** Whether somebody who was to end for another is spared that. */
  private boolean spares() {
    boolean elsewhere = serving.hasRoomGrown() && reprieve.startElsewhere(life);
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
    effects = serving.begin();
    boolean agedMoved = false;
    List<Lease> earmarked = List.copyOf(book.register().earmarked());
    answers.begin(earmarked);
    Line line = serving.line();
    if (who == Who.ALL) {
      line.addHopeful(serving::hunts);
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
      Decision decision = serving.serve(candidate);
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
    Register register = book.register();
    if (register.waiting().isEmpty()
        && register.delayed().isEmpty()
        && register.replacing().isEmpty()) {
      return false;
    }
    boolean orderChanged = agedMoved || (effects.moved && !book.entitlements().isEmpty());
    boolean followersFree = effects.refused && line.anyAfter();
    boolean delayedFree =
        (effects.moved || effects.displaced) && !book.register().delayed().isEmpty();
    boolean roomGrew =
        effects.tookBack
            || effects.rebound
            || effects.preempted
            || (effects.displaced && who == Who.EARMARKED);
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
                case Arrival.In in -> serving.serve(serving.line().candidate(in.lease()));
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
        : new Arrival.Out(
            serving.refuse(lease, answers.refused(Answer.Refusal.LIMIT, List.of(limit))));
  }

  private static Decision askedTwice(Ask ask) {
    return new Decision.Declined(
        Decision.Declined.Why.ID_TAKEN, "lease " + ask.lease() + " is asked twice", null);
  }
}
