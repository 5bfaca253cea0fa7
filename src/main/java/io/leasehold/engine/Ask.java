package io.leasehold.engine;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lease, with every default filled in: what the engine decides on. Changed only by
 * the verbs that say so (resize, transfer).
 *
 * @param when when it may start
 * @param preemptible as the class allows; a lease that may not be preempted must fit its guarantee
 * @param waitUntil how long it waits (microseconds); ignored with {@link Shortage#REFUSE}
 * @param after leases that must be over before this one starts
 * @param preemptionCost a hint of what losing it would cost its owner; the cheapest go first. 0 to
 *     1,000
 * @param reservation what it draws on; null = the open fleet
 * @param movable may be moved to other devices by an approved plan while it runs
 * @param heartbeatTimeout how long its holder may be silent while it is active (microseconds); null
 *     = for ever
 */
public record Ask(
    UUID lease,
    String tenant,
    String serviceClass,
    Shape shape,
    When when,
    boolean preemptible,
    Shortage onShortage,
    long waitUntil,
    List<UUID> after,
    int preemptionCost,
    @Nullable UUID reservation,
    boolean movable,
    @Nullable Long heartbeatTimeout) {

  public Ask {
    after = List.copyOf(after);
  }

  /** Of the open fleet, without a hint of its cost. */
  public Ask(
      UUID lease,
      String tenant,
      String serviceClass,
      Shape shape,
      When when,
      boolean preemptible,
      Shortage onShortage,
      long waitUntil,
      List<UUID> after) {
    this(
        lease,
        tenant,
        serviceClass,
        shape,
        when,
        preemptible,
        onShortage,
        waitUntil,
        after,
        0,
        null);
  }

  /** Stays where it is while it runs, and nobody has to be heard from. */
  public Ask(
      UUID lease,
      String tenant,
      String serviceClass,
      Shape shape,
      When when,
      boolean preemptible,
      Shortage onShortage,
      long waitUntil,
      List<UUID> after,
      int preemptionCost,
      @Nullable UUID reservation) {
    this(
        lease,
        tenant,
        serviceClass,
        shape,
        when,
        preemptible,
        onShortage,
        waitUntil,
        after,
        preemptionCost,
        reservation,
        false,
        null);
  }

  /** What to do when it does not fit now (or at the start asked for). */
  public enum Shortage {
    WAIT,
    REFUSE
  }

  /** When a lease may lie. Instants and lengths in microseconds. */
  public sealed interface When {

    /** As soon as possible from the instant of the decision, for {@code length}. */
    record Now(long length) implements When {}

    /**
     * Now, with a fixed end: the window shrinks with waiting ("a start up to one minute in the past
     * means now, a given end stays").
     */
    record NowUntil(long end) implements When {}

    /** Exactly at {@code span.start()}. */
    record At(Span span) implements When {}

    /** Anywhere in {@code span}, for {@code length}. */
    record Within(Span span, long length) implements When {}
  }

  Ask with(When other) {
    return changed(tenant, shape, other, movable);
  }

  Ask with(Shape other) {
    return changed(tenant, other, when, movable);
  }

  /** May be moved by an approved plan while it runs, or not. */
  public Ask movable(boolean value) {
    return changed(tenant, shape, when, value);
  }

  /** For the least it starts with. */
  Ask least() {
    Shape least = shape.least();
    return least == shape ? this : with(least);
  }

  /** Of another tenant. */
  Ask of(String other) {
    return changed(other, shape, when, movable);
  }

  private Ask changed(String ofTenant, Shape ofShape, When ofWhen, boolean mayMove) {
    return new Ask(
        lease,
        ofTenant,
        serviceClass,
        ofShape,
        ofWhen,
        preemptible,
        onShortage,
        waitUntil,
        after,
        preemptionCost,
        reservation,
        mayMove,
        heartbeatTimeout);
  }

  /** Whether nothing of it was changed; equality is that of the lease. */
  public boolean sameAs(Ask other) {
    return this == other
        || lease.equals(other.lease)
            && tenant.equals(other.tenant)
            && serviceClass.equals(other.serviceClass)
            && shape.equals(other.shape)
            && when.equals(other.when)
            && preemptible == other.preemptible
            && onShortage == other.onShortage
            && waitUntil == other.waitUntil
            && after.equals(other.after)
            && preemptionCost == other.preemptionCost
            && movable == other.movable
            && Objects.equals(reservation, other.reservation)
            && Objects.equals(heartbeatTimeout, other.heartbeatTimeout);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ask ask && lease.equals(ask.lease);
  }

  @Override
  public int hashCode() {
    return lease.hashCode();
  }
}
