package io.leasehold.web;

/**
 * What the caller of the current request may do. The doors ask this and nothing else about rights.
 */
public interface Access {

  /** The caller; there is always one behind a door. */
  Caller caller();

  /** The scope of the current request's operation ({@link Requires}). */
  Scope scope();

  /** The scope of another operation for the same caller; never null, may be empty. */
  Scope scope(String operation);

  /** Whether the tenant lies in the scope of the current operation. */
  boolean covers(String tenant);

  /**
   * Throws 404 unless the tenant is visible to the caller at all, 403 unless the current operation
   * may touch it.
   */
  void require(String tenant);

  /** The trace id of this request: 32 hex digits. */
  String traceId();
}
