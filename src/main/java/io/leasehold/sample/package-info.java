/**
 * What lets one command show the product: an embedded PostgreSQL, a fleet, tenants, contracts, a
 * key. Lives under the profile {@code sample} only and is not in the shipped jar.
 *
 * <p>May import every feature; nobody imports it but tests.
 */
@NullMarked
package io.leasehold.sample;

import org.jspecify.annotations.NullMarked;
