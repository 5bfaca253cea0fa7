package io.leasehold.engine;

/**
 * The sums of a node that much lies on, kept up to date by what comes and goes. Good until time
 * alone changes them; then they are added up anew.
 */
final class Crowd {

  private final Tally present;
  private final Tally forGood;
  private final long clock;
  private int plans;
  private long firstStart = Span.FOREVER;
  private long lastStart = Long.MIN_VALUE;
  private long firstEnd = Span.FOREVER;

  Crowd(int gpus, Held[] held, Held[] possessed, long clock) {
    this.present = new Tally(gpus);
    this.forGood = new Tally(gpus);
    this.clock = clock;
    for (Held one : held) {
      count(one, 1);
    }
    for (Held one : possessed) {
      if (!Peak.isHeld(one, held, clock)) {
        present.add(one, 1);
      }
    }
  }

  boolean isGoodAt(long instant) {
    return clock <= instant && instant < turn();
  }

  /**
   * @param isPossessed it counted already, and goes on to count
   */
  void take(Held one, boolean isPossessed) {
    count(one, 1);
    countPossession(one, isPossessed && one.contains(clock), -1);
  }

  void give(Held one, boolean isPossessed) {
    count(one, -1);
    countPossession(one, isPossessed && one.contains(clock), 1);
  }

  void possess(Held one, boolean isHeld) {
    countPossession(one, !(isHeld && one.contains(clock)), 1);
  }

  void dispossess(Held one, boolean isHeld) {
    countPossession(one, !(isHeld && one.contains(clock)), -1);
  }

  private void countPossession(Held one, boolean counts, int times) {
    if (counts) {
      present.add(one, times);
    }
  }

  private void count(Held one, int times) {
    if (one.end() <= clock) {
      return;
    }
    forGood.add(one, times);
    lastStart = Math.max(lastStart, one.start());
    firstEnd = Math.min(firstEnd, one.end());
    if (one.start() > clock) {
      plans += times;
      firstStart = Math.min(firstStart, one.start());
    } else {
      present.add(one, times);
    }
  }

  private long turn() {
    return Math.min(firstStart, firstEnd);
  }

  void present(NodeState state, Node node, long usable) {
    state.of(node, usable, present);
    tellTimes(state);
  }

  void forGood(NodeState state, Node node, long usable) {
    state.of(node, usable, forGood);
    tellTimes(state);
  }

  private void tellTimes(NodeState state) {
    state.plans = plans > 0;
    state.turn = turn();
    state.firstStart = firstStart;
    state.lastStart = lastStart;
    state.firstEnd = firstEnd;
  }
}
