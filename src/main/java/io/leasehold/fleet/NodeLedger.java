package io.leasehold.fleet;

import io.leasehold.engine.Command;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Takes changes of nodes to the ledger; the rows are written in the ledger's transaction. */
@Component
class NodeLedger {

  private final Ledger ledger;
  private final NodeRepository repository;
  private final Replies replies;
  private final Nodes nodes;

  NodeLedger(Ledger ledger, NodeRepository repository, Replies replies, Nodes nodes) {
    this.ledger = ledger;
    this.repository = repository;
    this.replies = replies;
    this.nodes = nodes;
  }

  /**
   * Whether a change is made or only judged.
   *
   * <p>A rehearsal answers what the change itself would answer at this moment.
   */
  enum Run {
    REAL,
    DRY;

    static Run of(boolean dryRun) {
      return dryRun ? DRY : REAL;
    }
  }

  /**
   * Sets nodes of one pool, all or none.
   *
   * @param subject what the audit names
   * @param reply what to keep for the idempotency key
   */
  Outcome.Committed set(
      String pool,
      List<NodeChange> changes,
      Command.Shrink shrink,
      Run run,
      String subject,
      Origin origin,
      Object reply) {
    Rider rider =
        connection -> {
          List<String> taken = repository.takenNames(connection, changes);
          if (!taken.isEmpty()) {
            throw new Rider.Refused("the name '" + taken.getFirst() + "' is taken");
          }
          if (!repository.write(connection, pool, changes)) {
            throw new Rider.Refused("a node was changed meanwhile");
          }
          replies.keep(connection, origin.key(), reply);
        };
    return submit(
        pool,
        new Command.SetNodes(changes.stream().map(NodeChange::node).toList(), shrink),
        run,
        subject,
        origin,
        rider);
  }

  /**
   * Drains nodes of one pool.
   *
   * @param deadline microseconds; null undrains
   */
  Outcome.Committed drain(
      String pool,
      List<UUID> ids,
      @Nullable Long deadline,
      @Nullable String reason,
      Run run,
      Origin origin) {
    Rider rider =
        connection -> {
          if (!repository.drain(connection, ids, deadline, reason)) {
            throw new Rider.Refused("a node was retired meanwhile");
          }
        };
    return submit(pool, new Command.Drain(ids, deadline), run, subject(ids), origin, rider);
  }

  /** The id of the node that was first answered under this key. */
  UUID firstReply(Origin origin) {
    return replies.find(origin.key(), UUID.class);
  }

  private Outcome.Committed submit(
      String pool, Command command, Run run, String subject, Origin origin, Rider rider) {
    Submission submission =
        new Submission(
            command, origin.actor(), origin.traceId(), subject, Map.of(), null, null, false, rider);
    Outcome outcome =
        switch (run) {
          case DRY -> ledger.rehearse(pool, submission);
          case REAL -> ledger.submit(pool, submission, origin.key());
        };
    nodes.forget();
    Outcome.Committed committed = Outcomes.committed(outcome);
    Outcomes.changed(committed);
    return committed;
  }

  static String subject(Collection<UUID> ids) {
    return ids.size() == 1 ? "node:" + ids.iterator().next() : "nodes:" + ids.size();
  }
}
