package io.leasehold.publishing;

import io.leasehold.engine.Command;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Submission;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
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
    return IntStream.range(0, reports.size())
        .mapToObj(i -> isTaken(reports.get(i), outcomes.get(i), trace))
        .toList();
  }

  private static boolean isTaken(Command.Report report, Outcome outcome, String trace) {
    if (outcome instanceof Outcome.Committed) {
      return true;
    }
    LOG.warn("Report {} was not taken: {} (trace {})", report, outcome, trace);
    return false;
  }
}
