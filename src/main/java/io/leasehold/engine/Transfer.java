package io.leasehold.engine;

import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Decision.Declined.Why;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A lease changes hands: admitted as a new request against the limits of the other tenant, on the
 * devices that it has. From then on it counts there, and no longer here.
 */
final class Transfer {

  private final Turn turn;
  private final Book book;
  private final long now;

  Transfer(Turn turn) {
    this.turn = turn;
    this.book = turn.book();
    this.now = turn.now();
  }

  Decision transfer(Lease lease, String tenant) {
    if (lease.ask().tenant().equals(tenant)) {
      return new Decision.Done(lease);
    }
    if (!lease.state().hasPromise()) {
      return Refusals.illegal(lease, "has nothing that another tenant could take over");
    }
    Tenant known = book.tenant(tenant);
    if (known == null || known.retired()) {
      return new Declined(Why.NOT_FOUND, "no tenant " + tenant + " that takes leases", null);
    }
    if (book.register().counts(tenant).open() >= Gate.MOST_OPEN) {
      return new Declined(Why.TOO_MANY, tenant + " has " + Gate.MOST_OPEN + " open leases", null);
    }
    if (lease.ask().reservation() != null) {
      return drawn(lease, tenant);
    }
    if (standing(lease, tenant) instanceof Limits.Standing.Over over) {
      String model = Objects.requireNonNull(lease.booking()).model();
      return Refusals.over(Why.SHORTAGE, Reasons.over(over, model), now);
    }
    return new Decision.Done(turn.move(lease, handed(lease, tenant), "transferred"));
  }

  /** What is set aside for a tenant goes to it and to those below it, as when they draw. */
  private Decision drawn(Lease lease, String tenant) {
    Occurrence in = book.reserved().under(lease);
    if (in == null || !book.tree().path(tenant).contains(in.tenant())) {
      String owner = in == null ? "its owner" : in.tenant();
      return Refusals.illegal(
          lease, "draws on a reservation: only " + owner + " and tenants below it may have it");
    }
    return new Decision.Done(turn.move(lease, handed(lease, tenant), "transferred"));
  }

  /** Without the lease where it is: a level above both sees no difference. */
  private Limits.Standing standing(Lease lease, String tenant) {
    Booking booking = Objects.requireNonNull(lease.booking());
    Span window = Objects.requireNonNull(lease.window());
    int mark = book.mark();
    book.usage().remove(lease);
    Limits.Standing standing =
        book.limits()
            .check(
                tenant,
                booking.model(),
                booking.gpuMilli(),
                new Span(Math.max(now, window.start()), window.end()),
                lease.ask().preemptible());
    book.undo(mark);
    return standing;
  }

  /** What has begun counts for the new tenant from now on only. */
  private Lease handed(Lease lease, String tenant) {
    Booking booking = Objects.requireNonNull(lease.booking());
    List<Booking.Slot> slots = new ArrayList<>();
    for (Booking.Slot slot : booking.slots()) {
      slots.add(lease.state() == LeaseState.PLANNED ? slot : slot.with(slot.group(), now));
    }
    return Draft.of(lease).ask(lease.ask().of(tenant)).booking(booking.of(slots)).lease();
  }
}
