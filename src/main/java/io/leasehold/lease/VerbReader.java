package io.leasehold.lease;

import io.leasehold.engine.Command;
import io.leasehold.engine.Lease;
import io.leasehold.engine.Span;
import io.leasehold.ledger.LeaseRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of verbs into commands. */
final class VerbReader {

  private static final int LONGEST_REASON = 1024;
  private static final int MOST_NODES = 1_000;

  private VerbReader() {}

  /** A later end: given, or counted from the present end of the lease. */
  static Function<LeaseRecord, Verb> extend(VerbRequests.Extend sent) {
    Faults faults = new Faults("");
    if ((sent.endTime() == null) == (sent.by() == null)) {
      faults.add("/endTime", "exactly-one", "Either endTime or by.");
    }
    OptionalLong end = faults.instant("/endTime", sent.endTime());
    OptionalLong by = faults.duration("/by", sent.by(), Wire.SECOND, WhenReader.LONGEST);
    faults.throwIfAny();
    return seen ->
        Verb.of(
            new Command.Extend(
                seen.lease().id(),
                end.isPresent() ? end.getAsLong() : later(seen.lease(), by.getAsLong())));
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

  static Function<LeaseRecord, Verb> replace(VerbRequests.Replace sent) {
    Faults faults = new Faults("");
    List<UUID> nodes = nodes("/nodeIds", sent.nodeIds(), faults);
    if (sent.nodeIds() == null || sent.nodeIds().isEmpty()) {
      faults.required("/nodeIds", "Say which nodes of the lease shall be replaced.");
    }
    faults.text("/reason", sent.reason(), LONGEST_REASON);
    faults.throwIfAny();
    String reason = sent.reason() == null ? "" : sent.reason();
    return seen -> Verb.of(new Command.Replace(seen.lease().id(), nodes, reason));
  }

  /** Ids of nodes; whether the lease has anything there is the engine's to say. */
  static List<UUID> nodes(String pointer, @Nullable List<String> sent, Faults faults) {
    if (sent == null) {
      return List.of();
    }
    faults.size(pointer, sent, MOST_NODES);
    List<UUID> nodes = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      String text = String.valueOf(sent.get(i));
      Optional<UUID> id = Wire.id(text);
      if (id.isEmpty()) {
        faults.add(pointer + "/" + i, "malformed", Faults.quote(text) + " is not an id.");
      } else {
        nodes.add(id.get());
      }
    }
    return nodes;
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
