/**
 * Decisions: who gets which GPUs when, and why not. Plain Java, no clock, no input or output: the
 * same book, the same commands and the same instant give the same decisions and moves.
 *
 * <p>Time is a {@code long} of microseconds since the epoch (UTC), {@link Span#FOREVER} is "no
 * end". Amounts of GPU are counted in thousandths ({@code gpuMilli}). May import: {@code java.*}
 * and JSpecify only.
 */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
