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
 * a lease stands only in its first move and where a verb changed it, and what a lease was before is
 * never repeated.
 */
final class Payload {

  private Payload() {}

  /** A lease without its ask, as it is stored beside it in the row. */
  static String status(Lease lease) {
    return Json.write(with(lease, null));
  }

  /** Whether the ask has to be written. */
  static boolean isNewAsk(Move.LeaseMoved moved) {
    return moved.before() == null || !moved.before().ask().sameAs(moved.after().ask());
  }

  static Lease lease(String status, Ask ask) {
    return with(Json.read(status, Lease.class), ask);
  }

  /** A fact's move. */
  static String of(Move fact) {
    return Json.write(new Logged(null, null, null, null, fact));
  }

  /** A lease's move, of texts that are written to its row as well. */
  static String of(Move.LeaseMoved moved, String status, @Nullable String ask) {
    StringBuilder json = new StringBuilder(status.length() + (ask == null ? 0 : ask.length()) + 99);
    json.append("{\"id\":\"").append(moved.after().id());
    json.append("\",\"cause\":").append(Json.write(moved.cause()));
    if (ask != null) {
      json.append(",\"ask\":").append(ask);
    }
    return json.append(",\"after\":").append(status).append('}').toString();
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
      Lease before =
          moved.containsKey(logged.id()) ? moved.get(logged.id()) : known.apply(logged.id());
      Ask ask = logged.ask();
      if (ask == null) {
        if (before == null) {
          throw new IllegalStateException(
              "the log moves lease " + logged.id() + ", which the book does not have");
        }
        ask = before.ask();
      }
      Lease after = with(logged.after(), ask);
      moved.put(logged.id(), after);
      return new Move.LeaseMoved(before, after, logged.cause());
    }
  }

  /** One line of the log: a lease's move, or a fact. */
  record Logged(
      @Nullable UUID id,
      @Nullable String cause,
      @Nullable Ask ask,
      @Nullable Lease after,
      @Nullable Move fact) {}

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
        lease.retryBudget(),
        lease.notice(),
        lease.change());
  }
}
