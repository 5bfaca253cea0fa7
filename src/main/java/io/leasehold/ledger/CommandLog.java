package io.leasehold.ledger;

import io.leasehold.engine.Ask;
import io.leasehold.engine.Command;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The commands of a batch as it keeps them, for replay: a list of rounds, each decided at once. The
 * ask of a lease that came into being is in its first move, so its command only names the lease:
 * {@code {"@":"create","lease":"..."}}, {@code {"@":"create-atomic","leases":["...", ...]}}.
 */
final class CommandLog {

  private CommandLog() {}

  static String write(Draft draft) {
    return draft.rounds().stream()
        .map(round -> write(round, draft))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String write(List<Command> round, Draft draft) {
    return round.stream()
        .map(command -> write(command, draft))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String write(Command command, Draft draft) {
    return switch (command) {
      case Command.Create create when isLogged(create.ask(), draft) ->
          "{\"@\":\"create\",\"lease\":" + quoted(create.ask().lease()) + "}";
      case Command.CreateAtomic create
          when create.asks().stream().allMatch(ask -> isLogged(ask, draft)) ->
          create.asks().stream()
              .map(ask -> quoted(ask.lease()))
              .collect(Collectors.joining(",", "{\"@\":\"create-atomic\",\"leases\":[", "]}"));
      default -> Json.write(command);
    };
  }

  private static boolean isLogged(Ask ask, Draft draft) {
    Draft.Net net = draft.leases().get(ask.lease());
    return net != null && net.before == null;
  }

  private static String quoted(UUID id) {
    return '"' + id.toString() + '"';
  }
}
