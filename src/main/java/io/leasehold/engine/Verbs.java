package io.leasehold.engine;

import io.leasehold.engine.Decision.Declined;
import io.leasehold.engine.Decision.Declined.Why;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/** What tenants and operators do to a lease that exists. A refused change leaves all as it was. */
final class Verbs {

  private final Turn turn;
  private final Book book;
  private final Life life;

  Verbs(Turn turn, Life life) {
    this.turn = turn;
    this.book = turn.book();
    this.life = life;
  }

  Decision release(UUID id) {
    return with(id, lease -> ended(lease, "released"));
  }

  Decision cancel(UUID id) {
    return with(
        id,
        lease ->
            lease.everActive()
                ? Refusals.illegal(lease, "has been active: release it instead")
                : ended(lease, "cancelled"));
  }

  Decision revoke(UUID id) {
    return with(id, lease -> ended(lease, "revoked"));
  }

  Decision silence(Command.Silence command) {
    return with(command.lease(), lease -> new Silence(turn, life).end(lease, command.heardAt()));
  }

  Decision annotate(UUID id) {
    return with(
        id, lease -> new Decision.Done(turn.move(lease, Draft.of(lease).lease(), "changed")));
  }

  /** An earlier end, on the same devices. */
  Decision shorten(UUID id, long newEnd) {
    return with(id, lease -> shorten(lease, newEnd));
  }

  /** A later end: a new request for the time added, on the same devices. */
  Decision extend(UUID id, long newEnd) {
    return with(id, lease -> new Extension(turn).extend(lease, newEnd));
  }

  Decision resize(Command.Resize command) {
    return with(
        command.lease(),
        lease -> new Resizing(turn).resize(lease, command.size(), command.keepNodes()));
  }

  Decision replace(Command.Replace command) {
    return with(command.lease(), lease -> new Replacement(turn).replace(lease, command.nodes()));
  }

  Decision transfer(Command.Transfer command) {
    return with(command.lease(), lease -> new Transfer(turn).transfer(lease, command.tenant()));
  }

  private Decision ended(Lease lease, String cause) {
    return new Decision.Done(life.end(lease, turn.now(), cause));
  }

  private Decision shorten(Lease lease, long newEnd) {
    if (!lease.state().hasPromise()) {
      return Refusals.illegal(lease, "has no end that could be shortened");
    }
    Span window = Objects.requireNonNull(lease.window());
    if (newEnd == window.end()) {
      return new Decision.Done(lease);
    }
    if (newEnd > window.end()) {
      return Refusals.illegal(lease, "ends before that: extend it instead");
    }
    if (newEnd <= turn.now() || newEnd <= window.start()) {
      return Refusals.illegal(
          lease, "would end before it starts, or in the past: release it instead");
    }
    return new Decision.Done(turn.move(lease, Extension.until(book, lease, newEnd), "shortened"));
  }

  private Decision with(UUID id, Function<Lease, Decision> verb) {
    Lease lease = book.lease(id);
    if (lease != null && isOver(lease)) {
      life.expire(lease);
      lease = book.lease(id);
    }
    return lease == null
        ? new Declined(Why.NOT_FOUND, "no live lease " + id, null)
        : verb.apply(lease);
  }

  /** Its end was due before this, even if its turn among many that are due has not come. */
  private boolean isOver(Lease lease) {
    return lease.state().hasPromise() && Objects.requireNonNull(lease.window()).end() <= turn.now();
  }
}
