package io.leasehold.engine;

/** What is known of a GPU's condition. Only {@link #OK} is chosen for new bookings. */
public enum Health {
  /** Works. */
  OK,
  /** Doubtful: keeps what it has, gets nothing new. */
  SUSPECT,
  /** Does not work; an active lease on it is degraded. Counts as usable for "never". */
  BROKEN,
  /** Gone for good; does not count for anything. */
  RETIRED
}
