package io.leasehold.fleet;

import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** Pools and the clusters in them, for the other features. Cached for a second. */
@Service
public class Pools {

  public List<String> all() {
    throw new UnsupportedOperationException();
  }

  public List<String> clustersOf(String pool) {
    throw new UnsupportedOperationException();
  }

  public Optional<String> poolOf(String cluster) {
    throw new UnsupportedOperationException();
  }
}
