/**
 * A cluster that is simulated: the default, with latency and faults to order.
 *
 * <p>May import what {@code publishing} may.
 */
@NullMarked
package io.leasehold.publishing.simulated;

import org.jspecify.annotations.NullMarked;
