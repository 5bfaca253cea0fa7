package io.leasehold.lease;

/** The operations of this feature as the matrix of roles knows them. */
final class Operations {

  static final String CREATE = "lease-create";
  static final String CHANGE = "lease-change";
  static final String REVOKE = "lease-revoke";
  static final String CONSOLIDATE = "lease-consolidate";
  static final String READ = "lease-read";
  static final String EVENTS = "event-read";
  static final String QUEUE = "queue-read";
  static final String RESERVE = "reservation-write";
  static final String RESERVATION_READ = "reservation-read";
  static final String AVAILABILITY = "availability-read";

  private Operations() {}
}
