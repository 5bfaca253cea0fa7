/**
 * Pools, clusters, nodes, GPUs, models, topology, health, drains, imports.
 *
 * <p>May import {@code ledger}, {@code engine}, {@code tenancy}, {@code web}.
 */
@NullMarked
package io.leasehold.fleet;

import org.jspecify.annotations.NullMarked;
