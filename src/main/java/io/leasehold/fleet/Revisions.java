package io.leasehold.fleet;

import io.leasehold.web.Problem;
import org.jspecify.annotations.Nullable;

/** {@code If-Match} against the revision that stands. */
public final class Revisions {

  private Revisions() {}

  /** Passes only with the revision that stands: 428 without one, 412 with another. */
  public static void require(long standing, @Nullable Long seen) {
    if (seen == null) {
      throw Problem.of(
          428,
          "precondition-required",
          "Precondition required",
          "Send If-Match with the ETag of the version that you have seen.");
    }
    allow(standing, seen);
  }

  /** Passes without {@code If-Match}; 412 with another revision. */
  public static void allow(long standing, @Nullable Long seen) {
    if (seen != null && seen != standing) {
      throw Problem.changedMeanwhile(
          "It is at revision " + standing + ", not " + seen + "; read it again.");
    }
  }
}
