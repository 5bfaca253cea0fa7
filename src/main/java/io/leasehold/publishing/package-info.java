/**
 * Delivery of orders to clusters, their reports, the adapter port and its contract.
 *
 * <p>May import {@code ledger}, {@code engine}, {@code web}.
 */
@NullMarked
package io.leasehold.publishing;

import org.jspecify.annotations.NullMarked;
