/**
 * SLA contracts, entitlements, service classes.
 *
 * <p>May import {@code ledger}, {@code engine}, {@code fleet}, {@code tenancy}, {@code web}.
 */
@NullMarked
package io.leasehold.contract;

import org.jspecify.annotations.NullMarked;
