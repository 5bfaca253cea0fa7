package io.leasehold.fleet;

import io.leasehold.engine.Span;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.WireTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Takes nodes out of use and back, without ending what runs before its time. */
@Service
class DrainService {

  private final NodeRepository repository;
  private final NodeLedger ledger;

  DrainService(NodeRepository repository, NodeLedger ledger) {
    this.repository = repository;
    this.ledger = ledger;
  }

  Written<DrainReport> drain(DrainRequest request, NodeLedger.Run run, Origin origin) {
    long deadline =
        request.deadlineTime() == null ? Span.FOREVER : WireTime.micros(request.deadlineTime());
    return submit(request.selection(), deadline, request.reason(), run, origin);
  }

  Written<DrainReport> undrain(UndrainRequest request, NodeLedger.Run run, Origin origin) {
    return submit(request.selection(), null, null, run, origin);
  }

  private Written<DrainReport> submit(
      NodeSelection selection,
      @Nullable Long deadline,
      @Nullable String reason,
      NodeLedger.Run run,
      Origin origin) {
    List<NodeRecord> nodes = selection.in(repository);
    List<UUID> ids = nodes.stream().map(record -> record.node().id()).distinct().toList();
    try {
      Outcome.Committed committed =
          ledger.drain(nodes.getFirst().pool(), ids, deadline, reason, run, origin);
      return new Written<>(
          new DrainReport(run == NodeLedger.Run.DRY, ids, AffectedLease.of(committed)),
          committed.replayed() ? Written.How.REPLAYED : Written.How.CHANGED);
    } catch (Outcomes.LostRace retiredMeanwhile) {
      throw retiredMeanwhile.asProblem();
    }
  }
}
