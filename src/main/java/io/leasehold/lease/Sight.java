package io.leasehold.lease;

/** Whose leases the caller sees whole; of the others only amounts are shown. */
@FunctionalInterface
interface Sight {

  /** For those who see every lease. */
  Sight EVERYTHING = tenant -> true;

  boolean sees(String tenant);
}
