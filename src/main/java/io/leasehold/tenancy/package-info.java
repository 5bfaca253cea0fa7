/**
 * Tenants, members, roles, API keys: who is who, and the one matrix of who may do what.
 *
 * <p>May import {@code ledger}, {@code web}.
 */
@NullMarked
package io.leasehold.tenancy;

import org.jspecify.annotations.NullMarked;
