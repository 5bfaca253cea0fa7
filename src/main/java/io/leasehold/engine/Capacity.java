package io.leasehold.engine;

import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fleet and what is taken of it over time. Knows nothing of tenants, queues or precedence: it
 * answers what fits where and when. Every change can be taken back through the {@link Undo} given.
 *
 * <p>Every order it follows is a function of what is in it (nodes by ordinal), never of history.
 */
final class Capacity {

  Capacity(Undo undo) {}

  void set(GpuModel model) {
    throw new UnsupportedOperationException();
  }

  void set(Node node) {
    throw new UnsupportedOperationException();
  }

  /** A paused cluster gets nothing new. */
  void setPaused(String cluster, boolean paused) {
    throw new UnsupportedOperationException();
  }

  @Nullable GpuModel model(String slug) {
    throw new UnsupportedOperationException();
  }

  @Nullable Node node(UUID id) {
    throw new UnsupportedOperationException();
  }

  /** By ordinal. */
  Collection<Node> nodes() {
    throw new UnsupportedOperationException();
  }

  /** Takes the devices over the booking's hold. The caller has searched; overlaps are a bug. */
  void take(UUID lease, Booking booking) {
    throw new UnsupportedOperationException();
  }

  /** Gives back exactly what {@link #take} took. */
  void give(UUID lease, Booking booking) {
    throw new UnsupportedOperationException();
  }

  /**
   * The cluster has these devices in its hands until {@link #dispossess}: whatever the holds say,
   * they are not free <em>now</em>.
   */
  void possess(UUID lease, Booking booking) {
    throw new UnsupportedOperationException();
  }

  void dispossess(UUID lease, Booking booking) {
    throw new UnsupportedOperationException();
  }

  /** Whether another lease still possesses any of these devices; that lease, or null. */
  @Nullable UUID possessorInTheWay(UUID lease, Booking booking) {
    throw new UnsupportedOperationException();
  }

  /**
   * Devices for exactly this hold, one model tried.
   *
   * @param now holds that start now (or before) also avoid what is possessed
   * @param score true = best fit at every level; false = first that fits (for "is there any")
   */
  Found place(Shape shape, String model, Span hold, long now, Budget budget) {
    throw new UnsupportedOperationException();
  }

  /**
   * The earliest hold of this length that starts in {@code [from, latest]} (whole seconds unless it
   * is {@code from} itself), and the devices for it. Where {@code None}: the closest miss at
   * {@code from}.
   */
  Found earliest(
      Shape shape, String model, long from, long latest, long length, long now, Budget budget) {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether the same devices are free over {@code more} as well (nothing of this lease is in the
   * way of itself); the leases in the way otherwise, soonest first.
   */
  java.util.List<UUID> inTheWay(UUID lease, Booking booking, Span more) {
    throw new UnsupportedOperationException();
  }

  /** Devices on the empty fleet, broken ones counted as usable: {@code None} means never. */
  Found placeOnEmpty(Shape shape, String model, Budget budget) {
    throw new UnsupportedOperationException();
  }

  /** GPUs of a model that are not retired and healthy (draining ones until their deadline). */
  long healthyGpus(String model) {
    throw new UnsupportedOperationException();
  }

  /** The models that occur, by slug. */
  Collection<String> models() {
    throw new UnsupportedOperationException();
  }
}
