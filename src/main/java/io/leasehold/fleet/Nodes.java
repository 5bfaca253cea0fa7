package io.leasehold.fleet;

import io.leasehold.engine.Node;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * The nodes, for the other features. Cached; a change is seen within a second. Only what was
 * written since is read again, so that a large fleet costs no more than a small one.
 */
@Service
public class Nodes {

  /** Longer than any transaction lasts: a row may become visible after its own time. */
  private static final Duration OVERLAP = Duration.ofMinutes(1);

  private final NodeRepository repository;
  private final Map<UUID, Node> known = new ConcurrentHashMap<>();
  private final Recent<Boolean> upToDate = new Recent<>(this::follow);
  private @Nullable OffsetDateTime followed;

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
    OffsetDateTime now = repository.now();
    (followed == null ? repository.all() : repository.writtenSince(followed.minus(OVERLAP)))
        .forEach(node -> known.put(node.id(), node));
    followed = now;
    return true;
  }
}
