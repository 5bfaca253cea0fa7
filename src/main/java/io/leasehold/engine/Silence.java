package io.leasehold.engine;

/**
 * A lease whose holder is to be heard from ends when he is silent for as long as it says. Silence
 * begins when it can be used at the earliest; what does not say so never ends for it.
 */
final class Silence {

  static final String CAUSE = "heartbeat-lost";

  private final Turn turn;
  private final Life life;

  Silence(Turn turn, Life life) {
    this.turn = turn;
    this.life = life;
  }

  /** Each sign of life is noticed here late, if at all: what is said of it is judged again. */
  Decision end(Lease lease, long heardAt) {
    Long timeout = lease.ask().heartbeatTimeout();
    Long activeAt = lease.activeAt();
    if (timeout == null || activeAt == null || lease.state() != LeaseState.ACTIVE) {
      return Refusals.illegal(lease, "nobody has to be heard from");
    }
    if (turn.now() < Time.plus(Math.max(heardAt, activeAt), timeout)) {
      return Refusals.illegal(lease, "its holder was heard from");
    }
    return new Decision.Done(life.end(lease, turn.now(), CAUSE));
  }
}
