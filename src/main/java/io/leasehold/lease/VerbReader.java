package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Span;
import io.leasehold.ledger.LeaseRecord;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;

/** Reads the bodies of verbs into commands. */
final class VerbReader {

  private static final int LONGEST_REASON = 1024;

  private VerbReader() {}

  /** A later end: given, or counted from the present end of the lease. */
  static Function<LeaseRecord, Command> extend(VerbRequests.Extend sent) {
    Faults faults = new Faults("");
    if ((sent.endTime() == null) == (sent.by() == null)) {
      faults.add("/endTime", "exactly-one", "Either endTime or by.");
    }
    OptionalLong end = faults.instant("/endTime", sent.endTime());
    OptionalLong by = faults.duration("/by", sent.by(), Wire.SECOND, WhenReader.LONGEST);
    faults.throwIfAny();
    return seen ->
        new Command.Extend(
            seen.lease().id(),
            end.isPresent() ? end.getAsLong() : later(seen.lease(), by.getAsLong()));
  }

  private static long later(Lease lease, long by) {
    Span window = lease.window();
    if (window == null || window.end() == Span.FOREVER) {
      throw Outcomes.illegalMove("The lease has no end yet that could be moved by a duration.");
    }
    return window.end() + by;
  }

  static Command shorten(UUID id, VerbRequests.Shorten sent) {
    Faults faults = new Faults("");
    if (sent.endTime() == null) {
      faults.required("/endTime", "Say when it shall end.");
    }
    OptionalLong end = faults.instant("/endTime", sent.endTime());
    faults.throwIfAny();
    return new Command.Shorten(id, end.getAsLong());
  }

  static Command revoke(UUID id, VerbRequests.Revoke sent) {
    Faults faults = new Faults("");
    if (sent.reason() == null || sent.reason().isBlank()) {
      faults.required("/reason", "Say why: the tenant will read it.");
    }
    faults.text("/reason", sent.reason(), LONGEST_REASON);
    faults.throwIfAny();
    return new Command.Revoke(id, sent.reason());
  }
}
