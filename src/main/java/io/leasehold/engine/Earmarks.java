package io.leasehold.engine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives the first of each contended set of models a start and devices that nothing of lower
 * precedence may delay. Called in order of precedence, so all that is in the fleet by then goes
 * before. What ends at a fixed instant gets none: every later start is another, shorter lease.
 */
final class Earmarks {

  private static final int PER_SET = 1;
  private static final String HEAD = "head-of-queue";

  /** What a waiting request gets. */
  sealed interface Outcome permits Now, Given, None {}

  record Now(Attempt.Fits fits) implements Outcome {}

  record Given(Lease.Earmark earmark) implements Outcome {}

  record None() implements Outcome {}

  private final Turn turn;
  private final Search search;
  private final Map<List<String>, Integer> given = new HashMap<>();
  private int lastRank;

  Earmarks(Turn turn, Search search) {
    this.turn = turn;
    this.search = search;
  }

  /** A new line is served: everything is given out anew. */
  void begin() {
    given.clear();
    lastRank = -1;
  }

  /** Whether a set of models has given all the earmarks it has. */
  boolean areGiven(List<String> set) {
    return given.getOrDefault(set, 0) >= PER_SET;
  }

  Outcome forCandidate(Candidate candidate, Attempt.Short missing) {
    List<String> set = candidate.ask().shape().modelSet();
    if (missing.after()
        || candidate.ask().reservation() != null
        || candidate.ask().when() instanceof Ask.When.NowUntil
        || (!candidate.aged() && areGiven(set))
        || !search.choice(candidate.ask()).allowed()) {
      return new None();
    }
    Outcome outcome = find(candidate);
    if (outcome instanceof Given && !candidate.aged()) {
      given.merge(set, 1, Integer::sum);
    }
    return outcome;
  }

  private Outcome find(Candidate candidate) {
    Lease.Earmark old = candidate.lease().earmark();
    String fallen = old == null ? null : whyFallen(candidate.lease(), old);
    boolean stands = old != null && fallen == null;
    if (stands && (turn.book().memory().isQuiet() || old.start() <= turn.now())) {
      return keep(old);
    }
    long latest = stands ? old.start() - Time.SECOND : latest(candidate);
    Attempt found =
        latest < turn.now()
            ? new Attempt.Spent()
            : search.earliest(candidate.terms().least(), latest, Search.STEPS);
    if (found instanceof Attempt.Fits fits) {
      long start = fits.booking().hold().start();
      return start <= turn.now()
          ? new Now(fits)
          : new Given(
              new Lease.Earmark(start, fits.booking(), rank(old), cause(candidate, old, fallen)));
    }
    return stands ? keep(old) : new None();
  }

  private Given keep(Lease.Earmark old) {
    int rank = rank(old);
    return new Given(
        rank == old.rank()
            ? old
            : new Lease.Earmark(old.start(), old.booking(), rank, old.cause()));
  }

  /** Ranks rise in the order of precedence; one that still does is kept. */
  private int rank(Lease.@Nullable Earmark old) {
    lastRank = old != null && old.rank() > lastRank ? old.rank() : lastRank + 1;
    return lastRank;
  }

  /** Why an earmark can not be kept: the only reasons for it to move later. Null if it stands. */
  private @Nullable String whyFallen(Lease lease, Lease.Earmark earmark) {
    Booking booking = earmark.booking();
    if (booking.hold().end() <= turn.now()) {
      return "overrun";
    }
    if (!Soundness.isSound(turn.book(), booking)) {
      return "hardware-lost";
    }
    return turn.book().capacity().inTheWay(lease.id(), booking, booking.hold()).isEmpty()
        ? null
        : "displaced";
  }

  private long latest(Candidate candidate) {
    return candidate.terms().waitsUntil();
  }

  /** One that comes earlier keeps its cause. */
  private static String cause(
      Candidate candidate, Lease.@Nullable Earmark old, @Nullable String fallen) {
    if (old == null) {
      return candidate.aged() ? "aged" : HEAD;
    }
    return fallen == null ? old.cause() : fallen;
  }
}
