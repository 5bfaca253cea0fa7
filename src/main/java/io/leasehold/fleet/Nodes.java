package io.leasehold.fleet;

import io.leasehold.engine.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

/**
 * The nodes, for the other features. Cached; a change is seen within a second. Only what was
 * written since is read again, so that a large fleet costs no more than a small one.
 */
@Service
public class Nodes {

  private final NodeRepository repository;
  private final Map<UUID, Node> known = new ConcurrentHashMap<>();
  private final Recent<Boolean> upToDate = new Recent<>(this::follow);
  private final Map<String, Long> seen = new LinkedHashMap<>();

  Nodes(NodeRepository repository) {
    this.repository = repository;
  }

  public Optional<Node> find(UUID id) {
    upToDate.get();
    return Optional.ofNullable(known.get(id));
  }

  void forget() {
    upToDate.forget();
  }

  private synchronized Boolean follow() {
    for (NodeRepository.Set set : repository.setAfter(seen)) {
      known.put(set.node().id(), set.node());
      seen.merge(set.pool(), set.revision(), Math::max);
    }
    return true;
  }
}
