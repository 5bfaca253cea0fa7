package io.leasehold.ledger;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import io.leasehold.engine.Node;
import io.leasehold.engine.Relocation;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a command is about. */
final class Subjects {

  private Subjects() {}

  /** The leases whose records its caller gets, in order; a cluster's report gets none. */
  static List<UUID> leases(Command command) {
    return switch (command) {
      case Command.Create create -> List.of(create.ask().lease());
      case Command.CreateAtomic create -> create.asks().stream().map(Ask::lease).toList();
      case Command.Report report -> List.of();
      case Command.Consolidate plan -> plan.moves().stream().map(Relocation::lease).toList();
      default -> {
        UUID lease = addressed(command);
        yield lease == null ? List.of() : List.of(lease);
      }
    };
  }

  /** The lease a verb or a report addresses. */
  static @Nullable UUID addressed(Command command) {
    return switch (command) {
      case Command.Extend extend -> extend.lease();
      case Command.Shorten shorten -> shorten.lease();
      case Command.Resize resize -> resize.lease();
      case Command.Replace replace -> replace.lease();
      case Command.Transfer transfer -> transfer.lease();
      case Command.Release release -> release.lease();
      case Command.Cancel cancel -> cancel.lease();
      case Command.Revoke revoke -> revoke.lease();
      case Command.Silence silence -> silence.lease();
      case Command.Annotate annotate -> annotate.lease();
      case Command.Report report -> report.lease();
      case Command.Create create -> null;
      case Command.CreateAtomic create -> null;
      case Command.Tick tick -> null;
      case Command.SetNodes set -> null;
      case Command.Drain drain -> null;
      case Command.Sign sign -> null;
      case Command.Terminate terminate -> null;
      case Command.SetCluster set -> null;
      case Command.Reserve reserve -> null;
      case Command.ChangeOccurrence change -> null;
      case Command.CancelOccurrences cancel -> null;
      case Command.Consolidate plan -> null;
    };
  }

  static boolean isNew(Command command) {
    return command instanceof Command.Create || command instanceof Command.CreateAtomic;
  }

  /** The facts that are this command's doing, if they change. */
  static List<Fact> facts(Command command) {
    return switch (command) {
      case Command.SetNodes set -> set.nodes().stream().map(Node::id).map(Subjects::node).toList();
      case Command.Drain drain -> drain.nodes().stream().map(Subjects::node).toList();
      case Command.Sign sign -> List.of(contract(sign.contract().id()));
      case Command.Terminate end -> List.of(contract(end.contract()));
      case Command.SetCluster set -> List.of(new Fact("cluster", set.cluster()));
      case Command.Reserve reserve ->
          reserve.occurrences().stream().map(ask -> occurrence(ask.id())).toList();
      case Command.ChangeOccurrence change -> List.of(occurrence(change.occurrence()));
      case Command.CancelOccurrences cancel ->
          cancel.occurrences().stream().map(Subjects::occurrence).toList();
      default -> List.of();
    };
  }

  /** Why a fact is as it is now, as the audit names it. */
  static String cause(@Nullable Command command, Fact fact) {
    return switch (command) {
      case Command.Sign sign -> "signed";
      case Command.Terminate end -> "terminated";
      case Command.Drain drain -> drain.deadline() == null ? "undrained" : "drained";
      case Command.SetCluster set -> set.paused() ? "paused" : "resumed";
      case null, default -> fact.cause();
    };
  }

  private static Fact node(UUID id) {
    return new Fact("node", id.toString());
  }

  private static Fact occurrence(UUID id) {
    return new Fact("occurrence", id.toString());
  }

  private static Fact contract(UUID id) {
    return new Fact("contract", id.toString());
  }
}
