package io.leasehold.fleet;

import io.leasehold.engine.Node;
import io.leasehold.web.Problem;
import io.leasehold.web.Problem.Fault;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Nodes named one by one, or everything below a domain: one of the two. */
record NodeSelection(List<UUID> nodeIds, @Nullable String domain, @Nullable String pool) {

  NodeSelection {
    nodeIds = List.copyOf(nodeIds);
    boolean byDomain = domain != null && !domain.isEmpty();
    if (byDomain != nodeIds.isEmpty()) {
      throw Problem.invalid(
          Fault.at("/nodeIds", "exactly-one-of", "give either nodeIds or domain"));
    }
  }

  /** The live nodes meant, all of one pool. */
  List<NodeRecord> in(NodeRepository repository) {
    List<NodeRecord> found =
        nodeIds.isEmpty() ? below(repository.liveInPool(pool)) : named(repository);
    if (found.isEmpty()) {
      throw Problem.invalid(
          Fault.at("/domain", "no-nodes", "there is no node below '" + domain + "'"));
    }
    List<String> pools = found.stream().map(NodeRecord::pool).distinct().toList();
    if (pools.size() > 1) {
      throw Problem.invalid(
          Fault.at("/pool", "several-pools", "these nodes are in " + pools + "; take one pool"));
    }
    return found;
  }

  private List<NodeRecord> named(NodeRepository repository) {
    List<NodeRecord> found =
        repository.findAll(nodeIds).stream()
            .filter(record -> !record.node().retired())
            .filter(record -> pool == null || pool.equals(record.pool()))
            .toList();
    List<UUID> ids = found.stream().map(record -> record.node().id()).toList();
    List<Fault> faults =
        java.util.stream.IntStream.range(0, nodeIds.size())
            .filter(i -> !ids.contains(nodeIds.get(i)))
            .mapToObj(
                i ->
                    Fault.at("/nodeIds/" + i, "unknown-node", "there is no node " + nodeIds.get(i)))
            .toList();
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
    return found;
  }

  private List<NodeRecord> below(List<NodeRecord> live) {
    return live.stream().filter(record -> isBelow(record.node())).toList();
  }

  private boolean isBelow(Node node) {
    String path = node.domain().pathOf(node.name());
    return path.equals(domain) || path.startsWith(domain + "/");
  }
}
