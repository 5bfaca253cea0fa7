package io.leasehold.tenancy;

import java.util.List;
import org.springframework.stereotype.Service;

/** The tree of tenants, for the other features. Cached for a second. */
@Service
public class Tenants {

  public boolean exists(String slug) {
    throw new UnsupportedOperationException();
  }

  /** The tenant itself first, then its parent, up to the root. */
  public List<String> selfAndAncestors(String slug) {
    throw new UnsupportedOperationException();
  }
}
