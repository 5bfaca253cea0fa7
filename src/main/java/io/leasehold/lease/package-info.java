/**
 * The doors to leases: create, verbs, lists, explanation, history, queue, events.
 *
 * <p>Writes nothing itself: every change is a command to the ledger, every list is read through the
 * caller's scope, and of others only amounts are shown. All faults of a request are named at once.
 *
 * <p>May import {@code ledger}, {@code engine}, {@code contract}, {@code fleet}, {@code tenancy},
 * {@code web}.
 */
@NullMarked
package io.leasehold.lease;

import org.jspecify.annotations.NullMarked;
