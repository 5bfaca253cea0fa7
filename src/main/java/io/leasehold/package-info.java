/**
 * The start of the service and what an installation asks of a process: readiness, and that nothing
 * but health, info and metrics is exposed. Decides nothing about leases.
 *
 * <p>May import {@code ledger}, {@code replay}, {@code tenancy}, {@code web}; only {@code sample}
 * imports it.
 */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
