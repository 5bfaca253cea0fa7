package io.leasehold.contract;

import java.util.SortedSet;
import org.springframework.stereotype.Service;

/** Signed contracts, for the other features. Cached for a second. */
@Service
public class Contracts {

  /**
   * The pools a tenant may use: those of its nearest ancestor-or-self with a contract valid now or
   * later.
   */
  public SortedSet<String> poolsOf(String tenant) {
    throw new UnsupportedOperationException();
  }
}
