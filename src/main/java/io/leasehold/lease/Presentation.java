package io.leasehold.lease;

import io.leasehold.lease.LeaseRendering.View;
import io.leasehold.ledger.LeaseRecord;
import org.springframework.stereotype.Component;

/** Shows leases and refusals to the present caller: as much of others as he may see. */
@Component
class Presentation {

  private final LeaseRendering rendering;
  private final Viewer viewer;

  Presentation(LeaseRendering rendering, Viewer viewer) {
    this.rendering = rendering;
    this.viewer = viewer;
  }

  LeaseResponse full(LeaseRecord lease) {
    return rendering.of(lease, View.FULL, viewer.sight());
  }

  /** The whole lease with a status. */
  LeaseAnswer answer(int status, LeaseRecord lease) {
    return new LeaseAnswer(status, full(lease), false);
  }

  /** The lease as it would be. */
  LeaseAnswer dryRun(LeaseRecord lease) {
    return new LeaseAnswer(200, rendering.of(lease, View.DRY_RUN, viewer.sight()), false);
  }

  boolean sees(LeaseRecord lease) {
    return viewer.sight().sees(lease.lease().ask().tenant());
  }

  Outcomes outcomes() {
    return new Outcomes(rendering, viewer.sight());
  }
}
