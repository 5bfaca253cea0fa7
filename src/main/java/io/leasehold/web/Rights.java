package io.leasehold.web;

import java.util.Set;

/** Who may what, as the feature that owns roles knows it: the one matrix. */
public interface Rights {

  /** All operations of the matrix. */
  Set<String> operations();

  /** Never null; the empty scope when the caller may not do it at all. */
  Scope scope(Caller caller, String operation);

  /** Whether the tenant lies in the scope. */
  boolean covers(Scope scope, String tenant);

  /** Whether the caller may do this, but not without a note of it. */
  boolean isNoted(Caller caller, String operation);

  /** Whether the caller may know that the tenant exists. */
  boolean isVisible(Caller caller, String tenant);
}
