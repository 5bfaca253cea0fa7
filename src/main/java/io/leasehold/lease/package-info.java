/**
 * The doors to leases: create, verbs, lists, explanation, history, queue, events.
 *
 * <p>May import {@code ledger}, {@code engine}, {@code contract}, {@code fleet}, {@code tenancy},
 * {@code web}.
 */
@NullMarked
package io.leasehold.lease;

import org.jspecify.annotations.NullMarked;
