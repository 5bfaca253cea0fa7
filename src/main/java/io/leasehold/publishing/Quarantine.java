package io.leasehold.publishing;

import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Health;
import io.leasehold.engine.Node;
import io.leasehold.engine.Node.Gpu;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.Ledger.NotAble;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Rider;
import io.leasehold.ledger.Submission;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Takes a node out on which the cluster finds no room again and again: its GPUs become suspect, so
 * that they keep what they have and get nothing new until an operator says they are well. At most
 * one node in twenty of a cluster, since a cluster that finds room nowhere has another fault.
 */
final class Quarantine {

  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);
  private static final int ONE_IN = 20;

  private final JdbcClient database;
  private final Inventory inventory;
  private final Reports.Desk desk;
  private final DeliveryMetrics metrics;

  Quarantine(JdbcClient database, Inventory inventory, Reports.Desk desk, DeliveryMetrics metrics) {
    this.database = database;
    this.inventory = inventory;
    this.desk = desk;
    this.metrics = metrics;
  }

  /** The engine's view of a node. */
  @FunctionalInterface
  interface Inventory {
    Optional<Node> node(String pool, UUID id);
  }

  private record Row(long revision, int nodes, int suspect) {}

  /**
   * Does nothing where the node changes meanwhile: the next order that finds no room asks again.
   */
  void take(String pool, UUID id) {
    Optional<Row> row = row(id);
    Optional<Node> known = row.isEmpty() ? Optional.empty() : known(pool, id);
    if (known.isEmpty() || known.get().gpus().stream().noneMatch(Quarantine::works)) {
      return;
    }
    Node node = known.get();
    if (row.get().suspect() >= Math.max(1, row.get().nodes() / ONE_IN)) {
      LOG.error(
          "Cluster {} has no room on node {} ({}); it is not taken out, since {} of {} nodes are"
              + " suspect already",
          node.cluster(),
          node.name(),
          id,
          row.get().suspect(),
          row.get().nodes());
    } else if (suspect(pool, node, row.get().revision())) {
      metrics.quarantined(node.cluster());
      LOG.error(
          "Cluster {} has no room on node {} ({}) again and again; its GPUs are suspect now and get"
              + " nothing new",
          node.cluster(),
          node.name(),
          id);
    }
  }

  private Optional<Row> row(UUID id) {
    return database
        .sql(
            """
            select n.revision, count(*) as nodes,
              count(*) filter (where each.gpus @> '[{"health": "SUSPECT"}]') as suspect
            from node n join node each on each.cluster = n.cluster and not each.retired
            where n.id = :id group by n.id
            """)
        .param("id", id)
        .query(Row.class)
        .optional();
  }

  private Optional<Node> known(String pool, UUID id) {
    try {
      return inventory.node(pool, id);
    } catch (NotAble away) {
      return Optional.empty();
    }
  }

  private static boolean works(Gpu gpu) {
    return gpu.health() == Health.OK;
  }

  private boolean suspect(String pool, Node node, long seen) {
    Rider rider =
        connection -> {
          if (!write(connection, node.id(), seen)) {
            throw new Rider.Refused("node " + node.name() + " was changed meanwhile");
          }
        };
    Submission submission =
        new Submission(
            new Command.SetNodes(List.of(suspect(node)), Command.Shrink.DEGRADE),
            Actor.CLUSTER,
            UUID.randomUUID().toString().replace("-", ""),
            "node:" + node.id(),
            Map.of(),
            null,
            null,
            false,
            rider);
    return desk.submitAll(pool, List.of(submission)).getFirst() instanceof Outcome.Committed done
        && done.decision() instanceof Decision.Changed;
  }

  private static Node suspect(Node node) {
    return node.withGpus(
        node.gpus().stream()
            .map(gpu -> works(gpu) ? new Gpu(gpu.uuid(), Health.SUSPECT) : gpu)
            .toList());
  }

  /** The fleet's row as the engine has the node; only at the revision that was seen. */
  private static boolean write(Connection ledgers, UUID id, long seen) {
    return JdbcClient.create(new SingleConnectionDataSource(ledgers, true))
            .sql(
                """
                update node set revision = revision + 1, update_time = clock_timestamp(),
                  gpus = (
                    select jsonb_agg(
                      case when gpu->>'health' = 'OK' then gpu || '{"health": "SUSPECT"}' else gpu end
                      order by place)
                    from jsonb_array_elements(gpus) with ordinality as each (gpu, place))
                where id = :id and revision = :seen
                """)
            .param("id", id)
            .param("seen", seen)
            .update()
        == 1;
  }
}
