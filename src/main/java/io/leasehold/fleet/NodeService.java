package io.leasehold.fleet;

import io.leasehold.engine.Command.Shrink;
import io.leasehold.engine.GpuModel;
import io.leasehold.engine.Health;
import io.leasehold.engine.Node;
import io.leasehold.engine.Node.Gpu;
import io.leasehold.ledger.Outcome;
import io.leasehold.web.JsonMergePatch;
import io.leasehold.web.Page;
import io.leasehold.web.PageRequest;
import io.leasehold.web.Problem;
import io.leasehold.web.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;

/** Single nodes: adds, changes, retires them, and keeps the health of their GPUs. */
@Service
public class NodeService {

  private final NodeRepository repository;
  private final InventoryRules rules;
  private final NodeLedger ledger;
  private final GpuModels models;
  private final JsonMergePatch patches;

  NodeService(
      NodeRepository repository,
      InventoryRules rules,
      NodeLedger ledger,
      GpuModels models,
      JsonMergePatch patches) {
    this.repository = repository;
    this.rules = rules;
    this.ledger = ledger;
    this.models = models;
    this.patches = patches;
  }

  NodeResponse get(UUID id, Scope scope) {
    NodeRecord record = find(id);
    if (!repository.isSeen(id, scope)) {
      throw Problem.notFound();
    }
    return response(record);
  }

  Page<NodeResponse> page(String cluster, NodeFilter filter, Scope scope, PageRequest page) {
    Page<NodeRecord> records =
        page.page(repository.page(cluster, filter, scope, page), NodeRepository::position);
    return new Page<>(
        records.items().stream().map(this::response).toList(), records.nextPageToken());
  }

  /** Adds a node; 409 where the cluster has a live one of this name. */
  Written<NodeResponse> create(String cluster, NodeRequest request, Origin origin) {
    Inventory inventory =
        rules.check(
            new Inventory.Unchecked(List.of(request.entry("", cluster)), List.of()), cluster);
    InventoryDiff diff = InventoryDiff.of(inventory, List.of(), null);
    List<NodeChange> changes = diff.changes(repository.ordinals(1));
    UUID id = changes.getFirst().node().id();
    try {
      Outcome.Committed committed =
          ledger.set(
              inventory.pool(),
              changes,
              Shrink.REFUSE,
              NodeLedger.Run.REAL,
              NodeLedger.subject(List.of(id)),
              origin,
              id);
      return committed.replayed()
          ? new Written<>(response(find(ledger.firstReply(origin))), Written.How.REPLAYED)
          : new Written<>(response(find(id)), Written.How.CREATED);
    } catch (Outcomes.LostRace taken) {
      throw Problem.of(
          409,
          "id-taken",
          "Taken",
          "Cluster '" + cluster + "' has a node '" + request.name() + "'; retire it first.");
    }
  }

  NodeResponse patch(UUID id, JsonNode patch, @Nullable Long seen, Shrink shrink, Origin origin) {
    return change(
        id,
        seen,
        shrink,
        origin,
        node -> {
          PatchNodeRequest after =
              patches.apply(PatchNodeRequest.of(node), patch, PatchNodeRequest.class);
          rules.check(
              new Inventory.Unchecked(List.of(after.entry(node)), List.of()), node.cluster());
          return after.appliedTo(node);
        });
  }

  /** Takes the node out for good; its name may be used again, its id never. */
  NodeResponse retire(UUID id, @Nullable Long seen, Shrink shrink, Origin origin) {
    NodeRecord record = find(id);
    if (record.node().retired()) {
      return response(record);
    }
    return change(id, seen, shrink, origin, Node::gone);
  }

  /**
   * Keeps what is known of a GPU's condition. That a device is doubtful or broken is a fact and
   * never refused; taking one away that is leased is.
   */
  NodeResponse setHealth(
      UUID id, int index, Health health, @Nullable Long seen, Shrink shrink, Origin origin) {
    Shrink how = health == Health.RETIRED ? shrink : Shrink.DEGRADE;
    return change(id, seen, how, origin, node -> withHealth(node, index, health));
  }

  private NodeResponse change(
      UUID id, @Nullable Long seen, Shrink shrink, Origin origin, UnaryOperator<Node> change) {
    try {
      return attempt(id, seen, shrink, origin, change);
    } catch (Outcomes.LostRace first) {
      try {
        return attempt(id, seen, shrink, origin, change);
      } catch (Outcomes.LostRace again) {
        throw again.asProblem();
      }
    }
  }

  private NodeResponse attempt(
      UUID id, @Nullable Long seen, Shrink shrink, Origin origin, UnaryOperator<Node> change) {
    NodeRecord record = find(id);
    Revisions.allow(record.revision(), seen);
    requireLive(record);
    Node after = change.apply(record.node());
    if (after.equals(record.node())) {
      return response(record);
    }
    ledger.set(
        record.pool(),
        List.of(new NodeChange(after, record.revision())),
        shrink,
        NodeLedger.Run.REAL,
        NodeLedger.subject(List.of(id)),
        origin.withoutKey(),
        id);
    return response(find(id));
  }

  private NodeRecord find(UUID id) {
    return repository.find(id).orElseThrow(Problem::notFound);
  }

  private NodeResponse response(NodeRecord record) {
    String slug = record.node().model();
    return NodeResponse.of(record, models.find(slug).map(GpuModel::canonical).orElse(slug));
  }

  private static void requireLive(NodeRecord record) {
    if (record.node().retired()) {
      throw Problem.of(
          409,
          "illegal-move",
          "Illegal move",
          "Node '" + record.node().name() + "' is retired; add it anew.");
    }
  }

  private static Node withHealth(Node node, int index, Health health) {
    if (index < 0 || index >= node.gpus().size()) {
      throw Problem.notFound();
    }
    List<Gpu> gpus = new ArrayList<>(node.gpus());
    gpus.set(index, new Gpu(gpus.get(index).uuid(), health));
    return node.withGpus(gpus);
  }
}
