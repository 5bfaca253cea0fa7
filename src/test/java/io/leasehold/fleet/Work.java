package io.leasehold.fleet;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Decision;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Shape;
import io.leasehold.ledger.Actor;
import io.leasehold.ledger.LeaseText;
import io.leasehold.ledger.Ledger;
import io.leasehold.ledger.Outcome;
import io.leasehold.ledger.Submission;
import io.leasehold.web.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Leases for tests about the fleet, asked for at the ledger. */
record Work(Ledger ledger, String pool, String tenant) {

  private static final LeaseText TEXT =
      new LeaseText(null, null, Map.of(), Map.of(), List.of(), "{}", "{}");

  /** A lease of whole GPUs from now. */
  Lease lease(int gpus, Duration length) {
    return ask(gpus, new Ask.When.Now(micros(length)));
  }

  /** A lease booked for later. */
  Lease planned(int gpus, Duration ahead, Duration length) {
    long start = micros(Duration.between(Instant.EPOCH, Instant.now().plus(ahead)));
    return ask(gpus, new Ask.When.At(new io.leasehold.engine.Span(start, start + micros(length))));
  }

  /** The lease as it now stands. */
  Lease now(Lease lease) {
    return ledger.consult(pool, (book, now) -> book.lease(lease.id()));
  }

  /** One whole GPU or a part of one, of a model, for an hour from now. */
  Lease slice(Shape.Slice slice, String model) {
    return ask(
        new Shape(List.of(model), 0, 0, 1, slice, 0, 0, List.of(), Shape.Where.ANYWHERE),
        new Ask.When.Now(micros(Duration.ofHours(1))));
  }

  private Lease ask(int gpus, Ask.When when) {
    return ask(
        new Shape(List.of(), 0, 0, gpus, Shape.Slice.WHOLE, 0, 0, List.of(), Shape.Where.ANYWHERE),
        when);
  }

  private Lease ask(Shape shape, Ask.When when) {
    UUID id = Ids.next();
    Ask ask =
        new Ask(
            id, tenant, "batch", shape, when, true, Ask.Shortage.WAIT, Long.MAX_VALUE, List.of());
    Submission submission =
        new Submission(
            new Command.Create(ask),
            Actor.SYSTEM,
            "0".repeat(32),
            null,
            Map.of(id, TEXT),
            null,
            null,
            false,
            null);
    Outcome outcome = ledger.submit(pool, submission, null);
    if (outcome instanceof Outcome.Committed committed
        && committed.decision() instanceof Decision.Decided decided) {
      return decided.lease();
    }
    throw new IllegalStateException(outcome.toString());
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }
}
