/**
 * The append-only record of who did what and why.
 *
 * <p>May import {@code ledger}, {@code tenancy}, {@code web}.
 */
@NullMarked
package io.leasehold.audit;

import org.jspecify.annotations.NullMarked;
