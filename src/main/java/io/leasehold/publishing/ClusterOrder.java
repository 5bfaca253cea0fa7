package io.leasehold.publishing;

import io.leasehold.engine.Booking;
import java.util.UUID;

/**
 * What a cluster is told to make true. Its id is lease, generation and kind; its fence is (epoch,
 * generation).
 *
 * @param graceSeconds what a withdrawal gives the tenant's work to wind down
 */
public record ClusterOrder(
    UUID lease,
    int generation,
    int epoch,
    Kind kind,
    String cluster,
    Booking wanted,
    long graceSeconds) {

  public enum Kind {
    PUBLISH,
    WITHDRAW
  }
}
