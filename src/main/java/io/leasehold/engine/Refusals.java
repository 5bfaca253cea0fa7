package io.leasehold.engine;

import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Decision.Declined.Why;
import java.util.List;

/** The ways in which a verb says no: nothing has changed. */
final class Refusals {

  private Refusals() {}

  static Declined illegal(Lease lease, String why) {
    return new Declined(Why.ILLEGAL_MOVE, "the lease is " + lease.state() + " and " + why, null);
  }

  /** Over a limit: of its class, or of its tenant or a level above. */
  static Declined over(Why why, Answer.Reason reason, long now) {
    Answer.Refusal refusal = why == Why.LIMIT ? Answer.Refusal.LIMIT : Answer.Refusal.SHORTAGE;
    return new Declined(
        why,
        reason.detail(),
        new Answer(
            Verdict.REFUSED, refusal, now, null, false, List.of(reason), List.of(), List.of()));
  }

  /** There is no room, and this is what would work instead. */
  static Declined shortage(Attempt.Short missing, List<Answer.Alternative> instead, long now) {
    String detail =
        missing.reasons().isEmpty() ? "it does not fit" : missing.reasons().getFirst().detail();
    return new Declined(
        Why.SHORTAGE,
        detail,
        new Answer(
            Verdict.REFUSED,
            Answer.Refusal.SHORTAGE,
            now,
            null,
            false,
            missing.reasons(),
            missing.blockers(),
            instead));
  }
}
