/**
 * Replays recorded workloads through the engine in simulated time, and through simpler policies
 * beside it, and tells what each came to. Needs neither a database nor the service; the only clock
 * it reads is for progress and decisions per second. The same files, options and seed give the same
 * figures.
 *
 * <p>May import {@code engine}; only {@code main} imports it.
 */
@NullMarked
package io.leasehold.replay;

import org.jspecify.annotations.NullMarked;
