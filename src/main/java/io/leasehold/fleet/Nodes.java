package io.leasehold.fleet;

import io.leasehold.engine.Node;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** The nodes, for the other features. Cached; a change is seen within a second. */
@Service
public class Nodes {

  public Optional<Node> find(UUID id) {
    throw new UnsupportedOperationException();
  }
}
