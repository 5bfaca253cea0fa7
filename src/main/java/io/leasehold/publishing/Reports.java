package io.leasehold.publishing;

import io.leasehold.engine.Command;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Submission;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the news of clusters to the ledger; what it could not take is told again later. */
final class Reports {

  private static final Logger LOG = LoggerFactory.getLogger(Reports.class);

  private final Desk desk;

  Reports(Desk desk) {
    this.desk = desk;
  }

  /** Where reports are handed in: the ledger's door for several commands of one pool. */
  @FunctionalInterface
  interface Desk {
    List<Outcome> submitAll(String pool, List<Submission> submissions);
  }

  /** Hands them in together and tells of each, in the order given, whether it was taken. */
  List<Boolean> submit(String pool, List<Command.Report> reports) {
    if (reports.isEmpty()) {
      return List.of();
    }
    String trace = UUID.randomUUID().toString().replace("-", "");
    List<Outcome> outcomes =
        desk.submitAll(
            pool,
            reports.stream().map(report -> Submission.of(report, Actor.CLUSTER, trace)).toList());
    List<Outcome> refused =
        outcomes.stream().filter(outcome -> !(outcome instanceof Outcome.Committed)).toList();
    if (!refused.isEmpty()) {
      LOG.warn(
          "{} of {} reports of pool {} were not taken and are told again: {} (trace {})",
          refused.size(),
          reports.size(),
          pool,
          refused.getFirst(),
          trace);
    }
    return outcomes.stream().map(Outcome.Committed.class::isInstance).toList();
  }
}
