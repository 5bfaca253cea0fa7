package io.leasehold.ledger;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Move;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a move is written to the log. What a follower has in its book already is left out: the ask of
 * a lease stands only in its first move, and what a lease was before is never repeated.
 */
final class Payload {

  private Payload() {}

  /** A lease without its ask, as it is stored beside it in the row. */
  static String status(Lease lease) {
    return Json.write(with(lease, null));
  }

  static Lease lease(String status, Ask ask) {
    return with(Json.read(status, Lease.class), ask);
  }

  static String of(Move move) {
    return Json.write(
        move instanceof Move.LeaseMoved moved
            ? new Logged(
                moved.after().id(),
                with(moved.after(), moved.before() == null ? moved.after().ask() : null),
                moved.cause(),
                null)
            : new Logged(null, null, null, move));
  }

  /** Reads the moves of a log in order; leases that are not new are looked up in the book. */
  static final class Reader {

    private final Function<UUID, @Nullable Lease> known;
    private final Map<UUID, Lease> moved = new HashMap<>();

    Reader(Function<UUID, @Nullable Lease> known) {
      this.known = known;
    }

    Move read(String payload) {
      Logged logged = Json.read(payload, Logged.class);
      if (logged.fact() != null) {
        return logged.fact();
      }
      Lease after = logged.after();
      Lease before = null;
      if (after.ask() == null) {
        before = moved.containsKey(logged.id()) ? moved.get(logged.id()) : known.apply(logged.id());
        if (before == null) {
          throw new IllegalStateException(
              "the log moves lease " + logged.id() + ", which the book does not have");
        }
        after = with(after, before.ask());
      }
      moved.put(logged.id(), after);
      return new Move.LeaseMoved(before, after, logged.cause());
    }
  }

  /** One line of the log: a lease's move, or a fact. */
  record Logged(
      @Nullable UUID id, @Nullable Lease after, @Nullable String cause, @Nullable Move fact) {}

  @SuppressWarnings("NullAway") // the row and the log hold the ask beside the lease
  private static Lease with(Lease lease, @Nullable Ask ask) {
    return new Lease(
        ask,
        lease.sequence(),
        lease.revision(),
        lease.generation(),
        lease.state(),
        lease.window(),
        lease.booking(),
        lease.earmark(),
        lease.withdrawDue(),
        lease.createdAt(),
        lease.activeAt(),
        lease.endedAt(),
        lease.everActive(),
        lease.degraded(),
        lease.endCause(),
        lease.delayedBy(),
        lease.parked(),
        lease.retryBudget());
  }
}
