package io.leasehold.fleet;

import io.leasehold.engine.Decision;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.ExtensibleEnum;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** What a change of the fleet does to a lease. */
@Schema(name = "AffectedLease", description = "What a change of the fleet does to a lease")
record AffectedLease(
    UUID leaseId,
    @Schema(example = "vision") String tenant,
    @ExtensibleEnum({"ends-before", "moved", "replaced", "degraded"}) String outcome) {

  static List<AffectedLease> of(Outcome.Committed committed) {
    return Outcomes.changed(committed).affected().stream().map(AffectedLease::of).toList();
  }

  private static AffectedLease of(Decision.Affected affected) {
    return new AffectedLease(
        affected.lease(),
        affected.tenant(),
        affected.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
