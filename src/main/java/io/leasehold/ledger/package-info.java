/**
 * The four steps: lock the pool and read its clock; bring the book up to revision and stamp; let
 * the engine decide on all that waits; write moves, promises, possessions, orders and audit facts
 * in one round trip and commit. Owns these tables; nobody else writes them. Knows no feature.
 *
 * <p>May import {@code engine}.
 */
@NullMarked
package io.leasehold.ledger;

import org.jspecify.annotations.NullMarked;
