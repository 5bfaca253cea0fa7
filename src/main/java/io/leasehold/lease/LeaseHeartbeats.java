package io.leasehold.lease;

import io.leasehold.engine.LeaseState;
import io.leasehold.ledger.LeaseRecord;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Hears from holders of leases. Never revives what is ending: then it says so. */
@Service
class LeaseHeartbeats {

  private final LeaseReading reading;
  private final Heartbeats heartbeats;
  private final Presentation presentation;

  LeaseHeartbeats(LeaseReading reading, Heartbeats heartbeats, Presentation presentation) {
    this.reading = reading;
    this.heartbeats = heartbeats;
    this.presentation = presentation;
  }

  LeaseAnswer beat(UUID id, Call call) {
    LeaseRecord seen = reading.visible(id);
    LeaseState state = seen.lease().state();
    if (call.ifRevision() != null && call.ifRevision() != seen.lease().revision()) {
      throw Outcomes.stale(seen);
    }
    if (state == LeaseState.ENDING || state.isFinal()) {
      throw Outcomes.illegalMove("The lease is " + state + ".");
    }
    if (seen.lease().ask().heartbeatTimeout() == null) {
      throw Outcomes.illegalMove("The lease has no heartbeatTimeout: nobody has to be heard from.");
    }
    if (!call.dryRun() && !heartbeats.beat(id)) {
      throw Outcomes.illegalMove("The lease is ending: nobody was heard from for too long.");
    }
    return presentation.answer(200, seen);
  }
}
