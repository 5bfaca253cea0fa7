package io.leasehold.publishing;

/** The cluster did not answer: nothing is known, nothing has failed, nothing ends. */
public final class ClusterAway extends RuntimeException {

  public ClusterAway(String message) {
    super(message);
  }
}
