package io.leasehold.ledger;

import java.util.UUID;

/**
 * Who wants a change.
 *
 * @param principal id in the table of principals; audit facts hold only this
 * @param kind api-key, user, cluster, clock, system
 * @param name as shown in {@code createdBy}; erasable
 */
public record Actor(UUID principal, String kind, String name) {

  /** Time itself: due starts, ends and waits. */
  public static final Actor CLOCK = new Actor(new UUID(0, 1), "clock", "clock");

  /** A cluster, through its reports. */
  public static final Actor CLUSTER = new Actor(new UUID(0, 2), "cluster", "cluster");

  /** The installation: sample data, bootstrap. */
  public static final Actor SYSTEM = new Actor(new UUID(0, 3), "system", "system");
}
